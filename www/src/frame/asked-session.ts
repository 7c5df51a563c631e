// The session that the page's address asks for: `?session=URL`.

/** Its address; undefined if there is none, or none that a browser fetches. */
export function askedSession(): URL | undefined {
  const asked = new URLSearchParams(location.search).get("session");
  if (asked === null || !URL.canParse(asked, location.href)) return undefined;
  const url = new URL(asked, location.href);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Fetches it, as somebody whom its server does not know. */
export async function fetchSession(url: URL, signal: AbortSignal): Promise<Blob> {
  const options = { credentials: "omit", referrerPolicy: "no-referrer", signal } as const;
  const response = await fetch(url, options).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(`${url}: no answer, or none that this page may read (${String(error)})`);
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.blob();
}
