// The work ledger: what was asked, called and answered, and the text of it.

import { text } from "../texts.mjs";
import { event } from "./loop-detector.mjs";

export const workLedger = {
  name: "WorkLedger",
  options: () => ({}),
  plainOptions: {},
  make: ({ WorkLedger }) => new WorkLedger(),
  calls: {
    observe: { weight: 30, args: (dice) => [event(dice)] },
    prompt: { args: (dice) => [text(dice)] },
    text: { args: (dice) => [dice.some({ maxCharacters: () => dice.below(8_000) })] },
  },
  save: (it) => it.snapshot(),
  restore: ({ WorkLedger }, snapshot) => WorkLedger.restore(snapshot),
  end: (it) => it.dispose(),
};
