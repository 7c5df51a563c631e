// The watch of agents, over a module of its own. The package's own entries import it as `#watch`.

export * from "./exports/watch.js";
import "./exports/embedded.js";
