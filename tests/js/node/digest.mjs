// A short name for bytes, as tests/rust/recorded/mod.rs has it. It needs nothing of a platform.

/** The length of bytes, or of a text in UTF-8, and their hash by FNV-1a. */
export function digest(value) {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length}:${(hash >>> 0).toString(16).padStart(8, "0")}`;
}
