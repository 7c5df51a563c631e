import type { SampleName } from "../../samples.js";
import type { View } from "../../frame/address.js";
import type { Problem } from "../../worker/shapes.js";

import { count, plural } from "./amounts.js";

/** The words around the views, and of where a session comes from. */
export const frameWords = {
  frame: {
    about:
      "See where a coding agent went round in circles, and what that cost. Nothing leaves this page.",
    skip: "Skip to the content",
    language: "Language",
    theme: "Colours",
    themeOfSystem: "system",
    light: "light",
    dark: "dark",
    views: "Views",
    footer: (version: string) => `Everything here is turnkeeper ${version}, running in this page.`,
    documents: "Documents",
    readme: "README.html",
    package: "The package (.tgz)",
    offline: "Offline (.zip)",
    source: "Source",
    licences: "Licences",
  },
  views: {
    sessions: "Sessions",
    context: "Context",
    prompt: "Prompt",
    terminals: "Terminals",
    memory: "Memory",
  } satisfies Record<View, string>,
  samples: {
    stuckTests: {
      title: "Stuck on a test (Claude Code)",
      about:
        "Forty calls and some dollars: half of them went into one failing test, with nothing changed in between.",
    },
    sameSearch: {
      title: "The same search (gemini-cli)",
      about: "The agent looks for a name that is nowhere, in a circle of three calls.",
    },
    fileAfterFile: {
      title: "File after file (event lines)",
      about:
        "A preview model reads one file after another and never answers; the profile standard stops it.",
    },
    resumedTask: {
      title: "A resumed task (Cline)",
      about:
        "Twice resumed, so that its history carries outdated states of the editor and files twice.",
    },
    brokenCommand: {
      title: "A command that fails (OpenHands)",
      about: "The same error comes back, whatever the agent tries.",
    },
    patchAgain: {
      title: "The same patch (Codex)",
      about: "A patch that does not apply is tried until the budget is gone.",
    },
    sameWords: {
      title: "The same words (event lines)",
      about: "An answer in Chinese that gets stuck in one sentence.",
    },
    healthy: {
      title: "A healthy session (event lines)",
      about: "Twenty-five calls, a bug fixed, no loop.",
    },
  } satisfies Record<SampleName, { title: string; about: string }>,
  /** Names of formats that are others than the analysis says. */
  formats: {} as Readonly<Record<string, string>>,
  places: {
    heading: "Where is my session?",
    copy: "Copy",
    copied: "Copied",
    copyOf: (agent: string) => `Copy the folder of ${agent}`,
    hint: "Messages of Anthropic, OpenAI, Gemini and the AI SDK can be opened, too, and what SWE-agent saves. Databases are for the command.",
  },
  source: {
    heading: "Session",
    sample: "Or a sample",
    own: "a session of your own",
    open: "Open a file…",
    openFolder: "Open a folder…",
    auditing: "Looking through the folder…",
    folder: (name: string) => `Folder ${name}`,
    noSessions: "No sessions were found in this folder.",
    skipped: (files: number) => `${plural(files, "file")} skipped: no sessions.`,
    paste: "Paste",
    pasteHere: "The text of the session",
    openPasted: "Show it",
    hint: "A folder shows what all of its sessions cost.",
    reading: "Reading…",
    broken: "This could not be read:",
    cutOff: ({ line, count: lines, isRest }: Problem) => {
      if (line === undefined) return "Not all of the file could be read:";
      if (isRest) return `The file could be read up to line ${count(line)}:`;
      const left = lines === 1 ? "" : `, one of ${count(lines)}`;
      return `Not all of the file could be read; line or element ${count(line)}${left}:`;
    },
    dropOr: "Drop the session that your agent saved here, or anywhere on the page",
    dropHere: "Drop the session here",
    oneFile: "Drop one file at a time.",
    noFile: "That is not a file.",
  },
};
