// What the page and its worker say to each other, as a test sees it: whether anything is still asked, how much
// the worker sends, and replies that are held back for a while.

/** Runs in the page before its own script. */
export function watchWorker() {
  const watch = {
    /** Requests without a reply, by id: what was asked for. */
    open: new Map(),
    /** Replies, each as long as it is in JSON; a file counts as nothing, since it is not copied. */
    replies: [],
    /** The task whose news wait, and those that do. */
    holds: undefined,
    held: [],
    release() {
      this.holds = undefined;
      for (const give of this.held.splice(0)) give();
    },
  };
  globalThis.watchedWorker = watch;
  globalThis.Worker = class extends Worker {
    postMessage(request) {
      if ("name" in request) watch.open.set(request.id, request.name);
      super.postMessage(request);
    }
    addEventListener(type, listener) {
      if (type !== "message") return super.addEventListener(type, listener);
      super.addEventListener(type, (event) => {
        const { data } = event;
        const task = watch.open.get(data.id);
        watch.replies.push({ task, length: JSON.stringify(data).length });
        const give = () => {
          listener(event);
          if (!("news" in data)) watch.open.delete(data.id);
        };
        if (watch.holds !== undefined && watch.holds === task) watch.held.push(give);
        else give();
      });
    }
  };
}

/** Waits until the page has asked its worker for nothing for some frames: it shows what there is to show. */
export const settled = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    let calm = 0;
    while (calm < 4) {
      await frame();
      calm = globalThis.watchedWorker.open.size === 0 ? calm + 1 : 0;
    }
  });

/** From now on holds back what a task tells, until {@link release}. */
export const hold = (page, task) =>
  page.evaluate((name) => {
    globalThis.watchedWorker.holds = name;
  }, task);
export const release = (page) => page.evaluate(() => globalThis.watchedWorker.release());

/** What the worker has sent since it was asked last. */
export const repliesSoFar = (page) =>
  page.evaluate(() => globalThis.watchedWorker.replies.splice(0));
