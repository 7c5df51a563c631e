import { FIRST_ANSWER as answer } from "first-answer";

import type { JudgedSession, ProfilePlay } from "../worker/shapes.js";

/** What the worker will say of the first sample, by the profile that judges first. */
export const FIRST_ANSWER = answer as { judged: JudgedSession; plays: ProfilePlay[] };
