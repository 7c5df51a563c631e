import path from "node:path";

/** Whether a path is that of a folder or of what is in it; both are absolute and free of links. */
export function isInside(real: string, folder: string): boolean {
  const way = path.relative(folder, real);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
