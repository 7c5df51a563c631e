import { describe } from "node:test";

import { promisesIn } from "./promises.mjs";

describe("in the Node extension host", () => promisesIn("node"));
