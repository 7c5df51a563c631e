// The workspace and the prompt that the editor begins with.

import type { Workspace } from "../worker/prompt-tasks.js";

export const EXAMPLE_PROMPT = `@{define STYLE, "short"}
Why does @[src/cart.ts:4:9] count the discount twice?
Compare it with @[src/price.ts] and with @[git_log{"limit": 2}].
![the receipt](docs/receipt.png)
@{if STYLE IS "short"}
Answer in two sentences.
@{endif}`;

export const EXAMPLE_WORKSPACE: Workspace = {
  files: [
    {
      path: "src/cart.ts",
      content: `import { discounted } from "./price";

export function total(items: Item[], discount: number): number {
  let sum = 0;
  for (const item of items) {
    sum += discounted(item.price, discount) * item.count;
  }
  return discounted(sum, discount);
}
`,
    },
    {
      path: "src/price.ts",
      content: `export function discounted(price: number, discount: number): number {
  return Math.round(price * (1 - discount) * 100) / 100;
}
`,
    },
    { path: "docs/prices.md", content: "Prices are in euros, with two decimals.\n" },
  ],
  tools: [
    { name: "git_log", output: "4be1c02 Round prices\n9a77e31 Add discounts" },
    { name: "failing_tests", output: "cart.test.ts: expected 81, got 72.9" },
  ],
  rules: [{ name: "money", content: "Never use floating point for sums. See @[docs/prices.md]." }],
};
