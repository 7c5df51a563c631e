/**
 * Why a file need not be read beside another: Cline keeps a conversation twice, as a history and as what its
 * panel shows, of which the history says more; and a repair in place keeps the file as it was before.
 *
 * @param has whether there is a file of a name
 * @returns undefined if it has to be read
 */
export function twinOf(file: string, has: (file: string) => boolean): string | undefined {
  const repaired = file.replace(/\.bak$/, "");
  if (repaired !== file && has(repaired)) {
    return `is what ${nameOf(repaired)} beside it was before its repair`;
  }
  if (nameOf(file) !== "ui_messages.json") return undefined;
  const history = `${file.slice(0, -"ui_messages.json".length)}api_conversation_history.json`;
  return has(history) ? `shows the same conversation as ${nameOf(history)} beside it` : undefined;
}

function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, "");
}
