// A text for any value, by which two can be compared and a person can read what a call was given. It calls
// no getter.

export function shown(value, depth = 12) {
  switch (typeof value) {
    case "string":
      return value.length > 2_000
        ? `${JSON.stringify(value.slice(0, 200))} and ${value.length - 200} more, ${hash(value)}`
        : JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value.toString();
    case "function":
      return "a function";
    case "object":
      break;
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
  if (value === null) return "null";
  if (depth === 0) return "…";
  try {
    if (value instanceof Uint8Array) return `bytes ${value.length} ${hash(value)}`;
    if (value instanceof Error) return errorShown(value);
    const isArray = Array.isArray(value);
    const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
      .filter(([, { enumerable }]) => enumerable)
      .map(([name, property]) => {
        const inside = "value" in property ? shown(property.value, depth - 1) : "a getter";
        return isArray ? inside : `${name}: ${inside}`;
      });
    return isArray ? `[${fields.join(", ")}]` : `{ ${fields.join(", ")} }`;
  } catch {
    return "a value that cannot be looked at";
  }
}

function errorShown(error) {
  const { name, code, machine, message, detail } = error;
  return code === undefined
    ? `${name}: ${message}`
    : `${name} ${code} of ${machine} at ${detail?.field}: ${message}`;
}

/** FNV-1a over code units or bytes. */
function hash(units) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < units.length; at++) {
    hash = Math.imul(
      hash ^ (typeof units === "string" ? units.charCodeAt(at) : units[at]),
      0x01000193,
    );
  }
  return (hash >>> 0).toString(16);
}
