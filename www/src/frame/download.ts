/** Gives the user a file, which never leaves the browser before. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun with it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
