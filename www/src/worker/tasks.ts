import { auditFolder } from "./folder-tasks.js";
import { historyRows, judgeHistory, repairedFile } from "./history-tasks.js";
import { memoryStory } from "./memory-tasks.js";
import { promptPreview, marksOf } from "./prompt-tasks.js";
import {
  compareProfiles,
  findRow,
  judgeSession,
  openSession,
  rowOfCall,
  savedPage,
  sessionRow,
  sessionRows,
} from "./session-tasks.js";
import { playBoard } from "./terminal-tasks.js";

/** Everything that the page can ask for. */
export const tasks = {
  auditFolder,
  openSession,
  judgeSession,
  compareProfiles,
  findRow,
  rowOfCall,
  savedPage,
  sessionRows,
  sessionRow,
  judgeHistory,
  historyRows,
  repairedFile,
  marksOf,
  promptPreview,
  playBoard,
  memoryStory,
};

export type WorkerTasks = typeof tasks;
