/** Where the block of a prompt can stand. It is in a file of its own, since the page must not load what the worker does. */
export const PLACEMENTS = ["latest", "delta"] as const;
export type Placement = (typeof PLACEMENTS)[number];
