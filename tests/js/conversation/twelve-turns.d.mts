import type { AgentSession } from "turnkeeper";

export const FILES: Readonly<Record<string, string>>;
export const COUNT: number;
export function at(
  turn: number,
  name: "begin" | "think" | "ask" | "answer" | "goOn" | "act" | "end",
): number;

export interface Driver {
  readFile(request: {
    path: string;
    startLine?: number;
    endLine?: number;
  }): Promise<string | { missing: true }>;
  writeFile(path: string, text: string): Promise<void>;
  run(
    session: AgentSession,
    command: string,
    folder: string,
    how: { isUnreported?: boolean },
  ): Promise<{ output: string; action: string }>;
}

export function take(
  session: AgentSession,
  driver: Driver,
  from: number,
  to: number,
): Promise<string>;
