/** Where two texts differ: how many units they have in common at their beginnings, and after that at their ends. */
export function difference(
  one: string,
  other: string,
  most = Infinity,
): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length, most);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  ) {
    end++;
  }
  return { start, end };
}
