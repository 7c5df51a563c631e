// A process that imports one library, asks for one verdict and says how much of the processor's time that took:
//   node start-up.mjs turnkeeper ADDRESS-OF-ITS-ENTRY | gemini-cli

import { now } from "./stopwatch.mjs";

const [library, address] = process.argv.slice(2);

const firstVerdict = {
  async turnkeeper() {
    const { LoopDetector } = await import(address);
    const detector = new LoopDetector();
    detector.startPrompt("bench", { model: "gemini-2.5-pro" });
    return detector.observe({ type: "text", text: "Hello." });
  },
  async "gemini-cli"() {
    const { contender } = await import("./contenders/gemini-cli.mjs");
    const { proseEvent, take } = contender();
    return take(proseEvent("Hello."));
  },
};

const begin = now();
await firstVerdict[library]();
console.log(`first verdict ${now() - begin}`);
// gemini-cli leaves timers behind.
process.exit(0);
