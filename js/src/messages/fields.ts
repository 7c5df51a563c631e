// The fields of a value that may be anything, because somebody else wrote it.

/** The fields of an object. */
export type Fields = Record<string, unknown>;

const NONE: Fields = {};

/** The fields of an object; none of anything else, an array included. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : NONE;
}

/** A list; none for anything else. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list, by their fields. */
export function objects(value: unknown): Fields[] {
  return list(value).map(fields);
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A value that may be JSON in a string. */
export function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A copy of the same class, which some fields of it are different in. */
export function changed<T extends object>(origin: T, fields: Fields): T {
  const copy = Object.create(Object.getPrototypeOf(origin) as object) as T;
  return Object.assign(copy, origin, fields);
}
