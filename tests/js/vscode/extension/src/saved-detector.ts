// The detector's state in the workspace's, so that a reloaded window goes on where it was.

import { LoopDetector } from "turnkeeper";
import type * as vscode from "vscode";

const KEY = "loopDetector";

export function loadDetector(state: vscode.Memento): LoopDetector {
  const saved = state.get<string>(KEY);
  return saved === undefined
    ? new LoopDetector({ profile: "standard" })
    : LoopDetector.restore(fromBase64(saved));
}

export async function saveDetector(state: vscode.Memento, detector: LoopDetector): Promise<void> {
  await state.update(KEY, toBase64(detector.snapshot()));
}

// A state holds JSON only. `Buffer` is not there in a web worker, these two are everywhere.
function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
