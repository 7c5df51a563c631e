// How a repaired file comes into its place: under which names, with whose permissions, and what becomes of the
// old one where the system is poor or somebody is in the way.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { HEALTHY, folder, run } from "../node/replay-command.mjs";
import { FIRST_WRITE, held, injected, noInjection } from "./injected.mjs";

const skip = process.platform === "win32" && "Windows has no such files";
const injects = { skip: noInjection };
const repair = (...args) => run(["repair", ...args]);

const env = (n) => `<environment_details>\nblock ${n}\n</environment_details>`;
const text = (words) => ({ type: "text", text: words });
const double = JSON.stringify([
  { role: "user", content: [text("Go."), text(env(1)), text(env(2))] },
]);
const single = JSON.stringify([{ role: "user", content: [text("Go."), text(env(2))] }]);

function home(name) {
  const target = path.join(folder, name);
  mkdirSync(target, { recursive: true });
  return target;
}

function put(where, name, content = double) {
  const target = path.join(where, name);
  writeFileSync(target, content);
  return target;
}

const modeOf = (file) => statSync(file).mode & 0o777;

/** A second name for a file, which its backup is, cannot be had. */
const withoutLinks = (file) => ({ inject: "linkat:error=EPERM", at: `${file}.bak` });

describe("the new file", { skip }, () => {
  /** The modes with which the program makes files in a folder. */
  async function modesOfNew(where, args) {
    const { code, calls } = await injected(args, { trace: "?open,openat,?creat" });
    assert.equal(code, 0);
    const made = calls.split("\n").filter((line) => /O_CREAT|O_TMPFILE|creat\(/.test(line));
    const here = made.filter((line) => line.includes(`"${where}`));
    return here.map((line) => /, (0\d+)\) += /.exec(line)?.[1]);
  }

  test("can be opened by nobody else, from the moment that it is there", injects, async () => {
    const where = home("born");
    const file = put(where, "history.json");
    chmodSync(file, 0o600);
    const copy = ["repair", file, "-o", path.join(where, "copy.json")];
    assert.deepEqual(await modesOfNew(where, copy), ["0600"]);
    assert.deepEqual(await modesOfNew(where, ["repair", "--in-place", file]), ["0600"]);
  });

  test("is the same where the system makes none without a name", injects, async () => {
    const where = home("named");
    const file = put(where, "history.json");
    chmodSync(file, 0o640);
    // By the folder's name such a file is opened, and the folder itself, to look for what was left.
    const how = { inject: "?open,openat:error=EOPNOTSUPP", at: where };
    const { code, calls } = await injected(["repair", "--in-place", file], how);
    assert.equal(code, 0);
    assert.match(calls, /O_TMPFILE[^\n]*INJECTED/);
    assert.deepEqual([readFileSync(file, "utf8"), modeOf(file)], [single, 0o640]);
    assert.deepEqual(readdirSync(where), ["history.json", "history.json.bak"]);
  });

  test("has the permissions of what it replaces, and else those of the input", async () => {
    const where = home("permissions");
    const file = put(where, "history.json");
    chmodSync(file, 0o644);
    const old = put(where, "old.json", "old");
    chmodSync(old, 0o600);
    const fresh = path.join(where, "fresh.json");
    for (const target of [old, fresh]) assert.equal((await repair(file, "-o", target)).code, 0);
    assert.deepEqual([modeOf(old), modeOf(fresh)], [0o600, 0o644]);
  });

  test("is a page that nobody else may read if the page before it was", async () => {
    const page = put(home("page"), "report.html", "<!doctype html>");
    chmodSync(page, 0o600);
    assert.equal((await run(["audit", HEALTHY, "--html", page])).code, 0);
    assert.equal(modeOf(page), 0o600);
  });

  const asRoot = process.getuid?.() !== 0 && "only root gives files to others";
  test("belongs to whom the old one belonged to", { skip: asRoot }, async () => {
    const file = put(home("owner"), "history.json");
    chmodSync(file, 0o600);
    chownSync(file, 1234, 1235);
    assert.equal((await repair("--in-place", file)).code, 0);
    const { uid, gid } = statSync(file);
    assert.deepEqual([uid, gid, modeOf(file)], [1234, 1235, 0o600]);
    assert.equal(readFileSync(file, "utf8"), single);
  });

  const group =
    process.getuid?.() === 0 ? 1235 : process.getgroups?.().find((it) => it !== process.getgid());
  const hasNoGroup = noInjection || (group === undefined && "this user has one group");
  test(
    "lets another group do no more than everybody, if it cannot have the old one's",
    { skip: hasNoGroup },
    async () => {
      const file = put(home("group"), "history.json");
      chmodSync(file, 0o664);
      chownSync(file, process.getuid(), group);
      const { code } = await injected(["repair", "--in-place", file], {
        inject: "fchown:error=EPERM",
      });
      assert.equal(code, 0);
      assert.equal(statSync(file).gid, process.getgid());
      assert.equal(modeOf(file), 0o644);
    },
  );

  test("may have as long a name as there can be", async () => {
    const where = home("long");
    const name = `${"n".repeat(250)}.json`;
    const { code, stderr } = await repair(put(where, "in.json"), "-o", path.join(where, name));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(readFileSync(path.join(where, name), "utf8"), single);
  });

  test("has no way barred by a file that has the name which it was to have", injects, async () => {
    const where = home("left");
    const file = put(where, "history.json");
    const { code, stderr, calls } = await injected(["repair", "--in-place", file], {
      inject: "linkat:error=EEXIST:when=1",
    });
    assert.match(calls, /\.turnkeeper-[^\n]*INJECTED/);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(readFileSync(file, "utf8"), single);
    assert.deepEqual(readdirSync(where), ["history.json", "history.json.bak"]);
  });
});

describe("the backup, where the system gives no second name to a file", injects, () => {
  test("is a whole copy with the same permissions", async () => {
    const where = home("copied");
    const file = put(where, "history.json");
    chmodSync(file, 0o640);
    const { code } = await injected(["repair", "--in-place", file], withoutLinks(file));
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(where).sort(), ["history.json", "history.json.bak"]);
    assert.equal(readFileSync(`${file}.bak`, "utf8"), double);
    assert.equal(readFileSync(file, "utf8"), single);
    assert.deepEqual([modeOf(file), modeOf(`${file}.bak`)], [0o640, 0o640]);
  });

  test("can be opened by nobody else while it is copied", injects, async () => {
    const where = home("bak-born");
    const file = put(where, "history.json");
    chmodSync(file, 0o600);
    const how = {
      inject: ["llistxattr:when=2:signal=SIGSTOP", "linkat:error=EPERM"],
      at: [file, `${file}.bak`],
    };
    let modes = [];
    const { code } = await held(["repair", "--in-place", file], how, (_, process) => {
      const open = `/proc/${process}/fd`;
      const names = readdirSync(open).map((name) => path.join(open, name));
      const here = names.filter((name) => readlinkSync(name).startsWith(`${where}/`));
      modes = here.filter((name) => readlinkSync(name) !== file).map(modeOf);
    });
    assert.equal(code, 0);
    assert.deepEqual(modes, [0o600]);
  });

  test("goes through no link that lies in its way", async () => {
    const where = home("bak-link");
    const theirs = put(home("bak-theirs"), "theirs", "theirs");
    const file = put(where, "history.json");
    symlinkSync(theirs, `${file}.bak.tmp`);
    assert.equal((await injected(["repair", "--in-place", file], withoutLinks(file))).code, 0);
    assert.equal(readFileSync(theirs, "utf8"), "theirs");
    assert.ok(lstatSync(`${file}.bak`).isFile());
    assert.ok(lstatSync(`${file}.bak.tmp`).isSymbolicLink());
  });

  test("is never written over one that another repair made meanwhile", async () => {
    const where = home("bak-meanwhile");
    const file = put(where, "history.json");
    const how = { inject: "linkat:error=EPERM:signal=SIGSTOP", at: `${file}.bak` };
    const { code, stderr } = await held(["repair", "--in-place", file], how, () =>
      writeFileSync(`${file}.bak`, "older"),
    );
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]* cannot be written \(EEXIST[^\n]*\n$/);
    assert.equal(readFileSync(`${file}.bak`, "utf8"), "older");
    assert.equal(readFileSync(file, "utf8"), double);
    assert.deepEqual(readdirSync(where).sort(), ["history.json", "history.json.bak"]);
  });
});

test("two repairs of a file at the same time leave one repaired file and one backup", async () => {
  const where = home("two");
  const long = JSON.stringify(Array(20_000).fill(JSON.parse(double)[0]));
  const file = put(where, "history.json", long);
  const ended = await Promise.all([1, 2, 3].map(() => repair("--in-place", file)));
  // Another finds a file that is repaired already, or one that changes while it reads.
  assert.ok(ended.some(({ code }) => code === 0));
  for (const { code, stderr } of ended) {
    assert.ok(code === 0 || code === 2, stderr);
    assert.match(stderr, /^(turnkeeper: [^\n]*\n)?$/);
  }
  assert.deepEqual(readdirSync(where).sort(), ["history.json", "history.json.bak"]);
  assert.equal(readFileSync(`${file}.bak`, "utf8"), long);
  assert.equal(
    readFileSync(file, "utf8"),
    JSON.stringify(Array(20_000).fill(JSON.parse(single)[0])),
  );
});

test("a disk that is full leaves the old file and nothing else", injects, async () => {
  const where = home("full");
  const file = put(where, "history.json");
  const { code, stderr } = await injected(["repair", "--in-place", file], {
    inject: `${FIRST_WRITE}:error=ENOSPC`,
  });
  assert.equal(code, 2);
  assert.match(stderr, /^turnkeeper: [^\n]* cannot be written \(ENOSPC[^\n]*\n$/);
  assert.deepEqual(readdirSync(where), ["history.json"]);
  assert.equal(readFileSync(file, "utf8"), double);
  assert.equal(existsSync(`${file}.bak`), false);
});

test("what a killed run has left is removed by the next one, and is no session until then", async () => {
  const target = home("left-behind");
  const history = put(target, "history.json");
  const left = path.join(target, ".turnkeeper-999999999-0123456789abcdef.tmp");
  const ours = path.join(target, `.turnkeeper-${process.pid}-0123456789abcdef.tmp`);
  for (const file of [left, ours]) writeFileSync(file, double);
  const { stdout } = await run(["audit", "--json", target]);
  assert.equal(JSON.parse(stdout).sessions.length, 1);
  assert.equal((await repair("--in-place", history)).code, 0);
  // A program that is at work keeps its own.
  assert.deepEqual([existsSync(left), existsSync(ours)], [false, true]);
});

describe(
  "what permission bits do not say",
  { skip: process.platform !== "linux" && "Linux alone" },
  () => {
    const ACCESS = "user::rw-\nuser:1234:rw-\ngroup::---\nmask::rw-\nother::---\n";

    /** A file with an access list and an extended attribute, unpacked from an archive, which every tar can do. */
    function putWithAttributes(where) {
      const record = (key, value) => {
        const body = ` ${key}=${value}\n`;
        const length = body.length + String(body.length + 2).length;
        return `${length}${body}`;
      };
      const entry = (name, type, content) => {
        const header = Buffer.alloc(512);
        const put = (at, text) => header.write(text, at, "latin1");
        put(0, name);
        put(100, "0000660\0");
        put(108, `${process.getuid().toString(8).padStart(7, "0")}\0`);
        put(116, `${process.getgid().toString(8).padStart(7, "0")}\0`);
        put(124, `${content.length.toString(8).padStart(11, "0")} `);
        put(136, "00000000000 ");
        put(148, " ".repeat(8));
        put(156, type);
        put(257, "ustar\x0000");
        const sum = header.reduce((total, byte) => total + byte, 0);
        put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
        return Buffer.concat([header, Buffer.from(content), Buffer.alloc(-content.length & 511)]);
      };
      const attributes =
        record("SCHILY.acl.access", ACCESS) + record("SCHILY.xattr.user.note", "kept");
      const archive = Buffer.concat([
        entry("attributes", "x", attributes),
        entry("history.json", "0", double),
        Buffer.alloc(1024),
      ]);
      const unpacked = spawnSync("tar", ["--acls", "--xattrs", "-xf", "-", "-C", where], {
        input: archive,
      });
      assert.equal(String(unpacked.stderr), "");
      return path.join(where, "history.json");
    }

    /** The access list and the extended attribute, as an archive of the file has them. */
    function attributesOf(file) {
      const { stdout } = spawnSync("tar", [
        ...["--format=pax", "--acls", "--xattrs", "--xattrs-include=user.*"],
        ...["-C", path.dirname(file), "-cf", "-", path.basename(file)],
      ]);
      const text = stdout.toString("latin1");
      return [/SCHILY\.acl\.access=([^\n]*\n)*?other::...\n/, /SCHILY\.xattr\.user\.note=\w*/].map(
        (one) => one.exec(text)?.[0],
      );
    }

    test("is in the new file and in the backup: who was shut out stays out", async () => {
      const file = putWithAttributes(home("access"));
      const before = attributesOf(file);
      assert.deepEqual(before, [`SCHILY.acl.access=${ACCESS}`, "SCHILY.xattr.user.note=kept"]);
      assert.deepEqual(await repair("--in-place", file).then(({ code }) => code), 0);
      assert.equal(readFileSync(file, "utf8"), single);
      assert.deepEqual([attributesOf(file), attributesOf(`${file}.bak`)], [before, before]);
    });

    test("is in a backup that had to be copied", injects, async () => {
      const file = putWithAttributes(home("access-copied"));
      const before = attributesOf(file);
      assert.equal((await injected(["repair", "--in-place", file], withoutLinks(file))).code, 0);
      assert.deepEqual([attributesOf(file), attributesOf(`${file}.bak`)], [before, before]);
    });

    test("lets nobody read a copy who may not read the file", async () => {
      const where = home("access-copy");
      const file = putWithAttributes(where);
      const copy = path.join(where, "copy.json");
      assert.equal((await repair(file, "-o", copy)).code, 0);
      assert.equal(attributesOf(copy)[0], `SCHILY.acl.access=${ACCESS}`);
    });

    test("shuts the group out where the system does not tell of it", injects, async () => {
      const file = putWithAttributes(home("access-unknown"));
      const { code } = await injected(["repair", "--in-place", file], {
        inject: "listxattr,llistxattr:error=EOPNOTSUPP",
      });
      assert.equal(code, 0);
      assert.deepEqual([modeOf(file), attributesOf(file)[0]], [0o600, undefined]);
    });

    test("makes the repair fail if the system refuses it", injects, async () => {
      const where = home("access-refused");
      const file = putWithAttributes(where);
      const { code, stderr } = await injected(["repair", "--in-place", file], {
        inject: "fsetxattr:error=EOPNOTSUPP",
      });
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^turnkeeper: [^\n]* has attributes that cannot be kept: (user\.note|system\.\w+) \((Operation n|N)ot /,
      );
      assert.deepEqual(readdirSync(where), ["history.json"]);
      assert.equal(readFileSync(file, "utf8"), double);
    });
  },
);

describe(
  "a program that has the history open",
  { skip: process.platform !== "linux" && "Linux alone tells" },
  () => {
    async function repairedBeside(flags) {
      const where = home(`open-${flags}`);
      const file = put(where, "history.json");
      const code = `fs.openSync(${JSON.stringify(file)}, "${flags}"); console.log(process.pid); process.stdin.resume();`;
      const other = spawn(process.execPath, ["-e", code]);
      const [pid] = await once(other.stdout, "data");
      const { code: exitCode, stderr } = await repair("--in-place", file);
      other.stdin.end();
      await once(other, "close");
      return { where, file, pid: String(pid).trim(), exitCode, stderr };
    }

    test("for append is told, and nothing is replaced: it would go on in the backup", async () => {
      const { where, file, pid, exitCode, stderr } = await repairedBeside("a");
      assert.equal(exitCode, 2);
      assert.ok(
        stderr.replace(/\s+/g, " ").includes(`is open for writing in process ${pid}; end it first`),
        stderr,
      );
      assert.deepEqual(
        [readdirSync(where), readFileSync(file, "utf8")],
        [["history.json"], double],
      );
    });

    test("to read it is no obstacle", async () => {
      const { file, exitCode } = await repairedBeside("r");
      assert.deepEqual([exitCode, readFileSync(file, "utf8")], [0, single]);
    });
  },
);
