// What every entry with a Wasm module has.

export { TurnkeeperError } from "../../boundary/errors.js";
export { preload } from "../../boundary/runtime.js";
