// The loop detectors of other agents, over a module of their own.

export * from "./exports/peers.js";
import "./exports/embedded.js";
