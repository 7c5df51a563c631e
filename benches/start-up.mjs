// A process that imports one package, asks for one verdict and says how long that took:
//   node start-up.mjs turnkeeper | gemini-cli

const begin = process.hrtime.bigint();
const { contender } = await import(`./contenders/${process.argv[2]}.mjs`);
const { proseEvent, take } = contender();
take(proseEvent("Hello."));
console.log(`first verdict ${process.hrtime.bigint() - begin}`);
// gemini-cli leaves timers behind.
process.exit(0);
