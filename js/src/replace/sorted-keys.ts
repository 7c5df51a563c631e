/** A copy of plain data with the keys of every object sorted. */
export function withSortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const keys = Object.keys(value).sort();
  return Object.fromEntries(
    keys.map((key) => [key, withSortedKeys((value as Record<string, unknown>)[key])]),
  );
}
