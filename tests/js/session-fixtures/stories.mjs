// Short sessions of an agent, told without a format; the writers write each as an agent would save it.
//
// A story is a list of steps: what the `user` says; a turn of the model, with what it thinks, says and
// calls, and what each call gives (`exit` is the exit code of a command that failed); or a `compact`ion,
// with the summary. `agent` is what a subagent does in answer to a call of the tool `task`.

/** A picture of 16 by 16 pixels. */
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAtklEQVR42nVRSxWDMACLhEpAQiUgAQmVUAmVgAQkIAEJSKiE" +
  "Slj2skN2yD3/AEApZdu2Wuu+78dxtNZ672OM8zyv67rv+3me933nnGutL5ocoskhmhyiySGaHKLJIZocosmBtOUjbflIWz7S" +
  "ls9PWz7Slo+05SNt+cBzex/P7X3gub2P5/Y+8Nzex3N7n7/c3sdzex/EvcM/SHunf5D2Tv8g7Z3+Qdo7/YO0d/oHae/0T9w7" +
  "/fMBY1loELgDOncAAAAASUVORK5CYII=";

const read = (path, output, more) => ({ tool: "read", path, output, ...more });
const run = (command, output, more) => ({ tool: "run", command, output, ...more });
const edit = (path, old, now) => ({
  tool: "edit",
  path,
  old,
  now,
  output: `${path} has been changed.`,
});
const search = (pattern, output) => ({ tool: "search", pattern, output });
const task = (description, agent, output) => ({ tool: "task", description, agent, output });

const rateLimit = {
  name: "rate-limit",
  title: "Retry after a rate limit",
  cwd: "/home/ines/shop-api",
  start: [
    { user: "The client gives up on a 429. It should wait as the header says and try again." },
    {
      think: "The header is Retry-After, in seconds or a date.",
      say: "I'll look at the client first.",
      calls: [
        read(
          "src/http/client.ts",
          "export async function send(request: Request) {\n  const response = await fetch(request);\n  if (!response.ok) throw new HttpError(response.status);\n  return response;\n}\n",
        ),
      ],
    },
    {
      calls: [
        search("HttpError", "src/http/client.ts:3\nsrc/http/errors.ts:1\ntest/client.test.ts:14"),
      ],
    },
  ],
  end: [
    {
      say: "Now the change.",
      calls: [
        edit(
          "src/http/client.ts",
          "if (!response.ok)",
          "if (response.status === 429) return retry(request, response);\n  if (!response.ok)",
        ),
      ],
    },
    { calls: [run("npm test -- client", "1 failing\n  expected 2 requests, got 1", { exit: 1 })] },
    { user: "The fake server never sends the header." },
    {
      calls: [
        edit("test/fake-server.ts", "status: 429", "status: 429, headers: { 'Retry-After': '1' }"),
        run("npm test -- client", "12 passing (1.3 s)"),
      ],
    },
    { say: "The client waits as long as the header says and tries up to three times." },
  ],
  agent: {
    say: "I'll have someone else look for other callers.",
    calls: [
      task(
        "Find who calls send()",
        [
          { say: "Searching.", calls: [search("send\\(", "src/orders.ts:40\nsrc/users.ts:12")] },
          { calls: [read("src/orders.ts", "await send(new Request(url));\n")] },
        ],
        "orders.ts and users.ts call it, and neither retries.",
      ),
    ],
  },
  picture: { text: "This is what the log looks like.", call: read("docs/retry-flow.png", "") },
  summary: "The user wants retries after 429 in src/http/client.ts. HttpError is thrown in line 3.",
};

const darkMode = {
  name: "dark-mode",
  title: "Dark mode forgets itself",
  cwd: "/Users/tomas/notes",
  start: [
    { user: "Dark mode is off again after every reload, please fix that." },
    {
      say: "Where is the choice kept?",
      calls: [
        search(
          "prefers-color-scheme",
          "src/theme.ts:8: const dark = matchMedia('(prefers-color-scheme: dark)').matches;",
        ),
      ],
    },
    {
      calls: [
        read(
          "src/theme.ts",
          "export function initialTheme() {\n  const dark = matchMedia('(prefers-color-scheme: dark)').matches;\n  return dark ? 'dark' : 'light';\n}\n",
        ),
      ],
    },
  ],
  end: [
    {
      think: "Nothing is stored at all.",
      say: "It is never stored. I'll store it.",
      calls: [
        edit(
          "src/theme.ts",
          "return dark",
          "const stored = localStorage.getItem('theme');\n  if (stored) return stored;\n  return dark",
        ),
      ],
    },
    { user: "And when storage is forbidden?" },
    {
      calls: [
        edit(
          "src/theme.ts",
          "localStorage.getItem('theme')",
          "safely(() => localStorage.getItem('theme'))",
        ),
      ],
    },
    { calls: [run("pnpm vitest run theme", "Test Files  1 passed (1)\n     Tests  6 passed (6)")] },
    { say: "The choice survives a reload, and without storage the system's is used." },
  ],
  agent: {
    calls: [
      task(
        "Check the other stores",
        [
          { calls: [search("sessionStorage", "src/draft.ts:3")] },
          { say: "Only drafts use storage." },
        ],
        "Only src/draft.ts uses storage, and it catches errors.",
      ),
    ],
  },
  picture: {
    text: "Here is the page after the reload:",
    call: read("screens/after-reload.png", ""),
  },
  summary: "Dark mode is computed in src/theme.ts from the system alone; nothing is stored.",
};

const migration = {
  name: "migration",
  title: "Add an index to orders",
  cwd: "/srv/ledger",
  start: [
    { user: "Listing a customer's orders is slow. I think an index is missing." },
    {
      say: "I'll see how the table is made.",
      calls: [run("ls db/migrations", "001_customers.sql\n002_orders.sql\n003_refunds.sql")],
    },
    {
      calls: [
        read(
          "db/migrations/002_orders.sql",
          "create table orders (\n  id bigint primary key,\n  customer_id bigint not null,\n  placed_at timestamptz not null\n);\n",
        ),
      ],
    },
  ],
  end: [
    {
      think: "customer_id has no index; the list is ordered by placed_at.",
      calls: [
        run(
          "psql -c 'explain select * from orders where customer_id = 7 order by placed_at'",
          "Sort\n  ->  Seq Scan on orders",
        ),
      ],
    },
    { user: "Put it in a new migration." },
    {
      calls: [
        edit(
          "db/migrations/004_orders_index.sql",
          "",
          "create index concurrently orders_customer on orders (customer_id, placed_at);\n",
        ),
      ],
    },
    {
      calls: [
        run(
          "make migrate",
          "ERROR: CREATE INDEX CONCURRENTLY cannot run inside a transaction block",
          { exit: 2 },
        ),
        run("make migrate NO_TRANSACTION=1", "applied 004_orders_index.sql"),
      ],
    },
    { say: "The list uses the index now; the migration runs outside a transaction." },
  ],
  agent: {
    say: "Another look at the queries.",
    calls: [
      task(
        "List queries on orders",
        [
          { calls: [search("from orders", "app/orders.py:20\napp/report.py:55")] },
          { calls: [read("app/report.py", "select count(*) from orders\n")] },
          { say: "Two queries." },
        ],
        "app/orders.py filters by customer; app/report.py counts all.",
      ),
    ],
  },
  picture: { text: "The plan, as the console draws it:", call: read("plans/before.png", "") },
  summary:
    "orders has no index on customer_id (db/migrations/002_orders.sql). The user expects one.",
};

const translation = {
  name: "translation",
  title: "翻译缺少的文字",
  cwd: "/home/wei/kiosk",
  start: [
    { user: "设置页面有几处还是英文，请补上中文。" },
    {
      say: "先看语言文件。",
      calls: [
        read("locales/zh.json", '{ "save": "保存", "cancel": "取消" }\n'),
        read("locales/en.json", '{ "save": "Save", "cancel": "Cancel", "reset": "Reset" }\n'),
      ],
    },
    { calls: [run("node scripts/missing-keys.js zh", "missing: reset", { exit: 1 })] },
  ],
  end: [
    {
      think: "缺的只有 reset。",
      say: "缺一个词条。",
      calls: [edit("locales/zh.json", '"取消"', '"取消", "reset": "恢复默认"')],
    },
    { user: "用“重置”更好。" },
    { calls: [edit("locales/zh.json", "恢复默认", "重置")] },
    { calls: [run("node scripts/missing-keys.js zh", "missing: none")] },
    { say: "补好了：“重置”。😀" },
  ],
  agent: {
    say: "让另一个代理检查其余页面。",
    calls: [
      task(
        "检查其余页面",
        [{ calls: [search("[A-Z][a-z]+ now", "pages/home.vue:3")] }, { say: "只有首页一处。" }],
        "pages/home.vue 第 3 行还有英文。",
      ),
    ],
  },
  picture: { text: "截图：", call: read("截图/设置.png", "") },
  summary: "用户要补全 locales/zh.json；缺少 reset。",
};

const flaky = {
  name: "flaky-test",
  title: "A test that fails on Mondays",
  cwd: "C:\\work\\calendar",
  start: [
    { user: "weekOf fails in CI, but only on some days." },
    { say: "I'll run it.", calls: [run("cargo test week_of", "test week_of ... ok")] },
    {
      say: "It passes today. How is the week computed?",
      calls: [
        read(
          "src\\week.rs",
          "pub fn week_of(day: Date) -> u32 {\n    (day.ordinal() + 6) / 7\n}\n",
        ),
      ],
    },
  ],
  end: [
    {
      think: "ISO weeks begin on Mondays; this counts from 1 January.",
      calls: [search("week_of\\(", "src\\week.rs:1\nsrc\\view.rs:88\ntests\\week.rs:5")],
    },
    { user: "Use ISO weeks everywhere." },
    {
      say: "Changing it.",
      calls: [edit("src\\week.rs", "(day.ordinal() + 6) / 7", "day.iso_week().week()")],
    },
    {
      calls: [
        run(
          "cargo test week_of",
          "test week_of ... FAILED\nassertion `left == right` failed: left: 1, right: 53",
          { exit: 101 },
        ),
        edit("tests\\week.rs", "53", "1"),
        run("cargo test week_of", "test week_of ... ok"),
      ],
    },
    { say: "Weeks are ISO weeks now; one expectation in the test was wrong." },
  ],
  agent: {
    calls: [
      task(
        "Look at the history of the test",
        [
          {
            say: "Asking git.",
            calls: [run("git log --oneline tests/week.rs", "a1b2c3 week test")],
          },
          { calls: [run("git show a1b2c3 --stat", "1 file changed")] },
        ],
        "It was written on a Tuesday and never changed.",
      ),
    ],
  },
  picture: { text: "The failed run:", call: read("ci\\monday.png", "") },
  summary: "week_of in src\\week.rs counts from 1 January, so it is wrong on some days.",
};

export const STORIES = [rateLimit, darkMode, migration, translation, flaky];

const pictureStep = ({ picture }) => ({ calls: [{ ...picture.call, picture: PICTURE }] });

/** The steps of a story with a difficulty. */
export const DIFFICULTIES = {
  "cut-off": ({ start, end }) => [...start, ...end],
  subagents: ({ start, agent, end }) => [...start, agent, ...end],
  compaction: ({ start, summary, end }) => [...start, { compact: summary }, ...end],
  attachments: (story) => [
    ...story.start,
    { user: story.picture.text, picture: PICTURE },
    pictureStep(story),
    ...story.end,
  ],
};
