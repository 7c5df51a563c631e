import { useEffect, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import type { Conversation, Marks, Preview } from "../worker/prompt-tasks.js";

/** What is known of the prompt as it is typed. */
export interface PromptState {
  marks: Marks | undefined;
  previews: Preview[];
  problem: string;
}

/** Asks for marks and previews whenever the conversation changes. */
export function usePreview(conversation: Conversation): PromptState {
  const [marks, setMarks] = useState<Marks>();
  const [previews, setPreviews] = useState<Preview[]>([]);
  const [problem, complain] = useState("");
  const { draft, workspace } = conversation;
  const asked = JSON.stringify(conversation);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const failed = (error: unknown): void => {
      if (!signal.aborted) complain(error instanceof NoAnswer ? error.message : String(error));
    };
    const tools = workspace.tools.map(({ name }) => name);
    ask("marksOf", { prompt: draft, tools }, signal).then(setMarks, failed);
    ask("promptPreview", conversation, signal).then((all) => {
      setPreviews(all);
      complain("");
    }, failed);
    return () => controller.abort();
  }, [asked]);
  return { marks, previews, problem };
}
