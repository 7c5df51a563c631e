// The part of fflate that `unpack` needs.

export { inflateSync } from "fflate";
