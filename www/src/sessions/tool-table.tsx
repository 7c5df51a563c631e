import type { VNode } from "preact";

import { useWords } from "../words/words.js";
import type { ToolShare } from "../worker/shapes.js";

interface ToolTableProps {
  tools: readonly ToolShare[];
  onCall: (call: number) => void;
}

/** Each tool, those first that took most room; its name leads to its first call. */
export function ToolTable({ tools, onCall }: ToolTableProps): VNode | null {
  const { tools: words, audit } = useWords();
  if (tools.length === 0) return null;
  return (
    <table class="numbers tools">
      <caption>{words.heading}</caption>
      <thead>
        <tr>
          <th scope="col">{words.tool}</th>
          <th scope="col">{words.tokens}</th>
          <th scope="col">{words.calls}</th>
          <th scope="col">{words.failed}</th>
        </tr>
      </thead>
      <tbody>
        {tools.map(({ tool, tokens, calls, failed, firstCall }) => (
          <tr key={tool}>
            <th scope="row">
              <button type="button" class="link" onClick={() => onCall(firstCall)}>
                <bdi>{tool}</bdi>
              </button>
            </th>
            <td>{audit.count(tokens)}</td>
            <td>{audit.count(calls)}</td>
            <td>{failed > 0 && audit.count(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
