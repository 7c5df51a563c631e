// The example's extension in a window without a folder.

import { ask, note, start } from "./example-chat";

export async function run(): Promise<void> {
  const model = await start();
  const { errorDetails } = await ask("What is this?");
  note({ said: errorDetails?.message, requests: model.requests });
}
