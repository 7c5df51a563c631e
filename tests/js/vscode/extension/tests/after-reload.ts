// After the window was reloaded: the agent is activated anew and goes on with the prompt.

import { observe } from "./observations";
import { agentExtension, answerPrompt, readFile } from "./prompt";

export async function run(): Promise<void> {
  const agent = await agentExtension().activate();
  await observe("restored-verdict", () => agent.savedVerdict());
  await observe("chat-after-reload", async () => {
    const { seen } = await answerPrompt(agent, async function* () {
      yield readFile("src/4.ts");
      yield readFile("src/5.ts");
    });
    return seen;
  });
}
