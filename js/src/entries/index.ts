// The default entry: the module of all machines is inside, and compiled synchronously at the first use.

export * from "./exports/all.js";
import "./exports/embedded.js";
