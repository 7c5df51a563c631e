// A model's provider on this machine: it speaks a published wire format, server-sent events over
// HTTP, and notes how each request ends.

import { createServer } from "node:http";

/** Longer than any request of these tests takes. */
const LIMIT = 120_000;

/**
 * Answers each request with what `answer(request)` gives: an iterable, perhaps an endless one, of
 * the bytes or texts of the body. They are sent one by one, in pieces of at most `pieces` bytes.
 * An answer that throws breaks the connection off.
 */
export async function serveProvider(answer, { pieces = Infinity } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const noted = { url: request.url, body: body && JSON.parse(body), sent: 0 };
    noted.ended = new Promise((resolve) => {
      response.on("close", () => resolve(response.writableFinished ? "finished" : "aborted"));
    });
    requests.push(noted);
    response.socket.setNoDelay(true);
    response.writeHead(200, { "content-type": "text/event-stream" });
    try {
      for await (const part of answer(noted)) {
        if (!(await send(response, Buffer.from(part), pieces))) return;
        noted.sent += 1;
      }
      response.end();
    } catch {
      response.socket?.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** How the only request ended: the client must have asked once and no more. */
    async ending() {
      if (requests.length !== 1) throw new Error(`${requests.length} requests`);
      const late = new Promise((_, reject) => {
        setTimeout(() => reject(new Error("the request has not ended")), LIMIT).unref();
      });
      return Promise.race([requests[0].ended, late]);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends bytes in pieces; false if nobody listens any more. */
async function send(response, bytes, pieces) {
  for (let at = 0; at < bytes.length; at += pieces) {
    if (response.destroyed) return false;
    response.write(bytes.subarray(at, at + pieces));
    // The client reads what there is before there is more.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return !response.destroyed;
}

/** A server-sent event: its name, where the provider gives one, and its data as JSON. */
export function sse(data, event) {
  const json = typeof data === "string" ? data : JSON.stringify(data);
  return `${event ? `event: ${event}\n` : ""}data: ${json}\n\n`;
}

/** The same texts again and again. */
export function* forever(...texts) {
  for (;;) yield* texts;
}

/** One text after the other, the first `count` of an endless sequence. */
export function* first(count, texts) {
  for (const text of texts) {
    if (count-- <= 0) return;
    yield text;
  }
}
