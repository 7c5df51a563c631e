import { describe } from "node:test";

import { promisesIn } from "./promises.mjs";

describe("in the web worker extension host", () => promisesIn("web"));
