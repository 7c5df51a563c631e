// What `unpack` needs of fflate.

export { inflateSync } from "fflate";
