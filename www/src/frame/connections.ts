/** From here on the page, and a worker that it starts, may ask these servers alone. A policy can only be made narrower. */
export function allowOnly(servers: string): void {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src ${servers}`;
  document.head.append(policy);
}
