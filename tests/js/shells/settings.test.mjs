// What a user may have set before: lines hold all the same.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { lineFor } from "./lines.mjs";
import { names } from "./names.mjs";
import { Place } from "./place.mjs";
import { Terminal } from "./pty.mjs";
import { shells } from "./shells.mjs";

const cdPath = (folder) => `CDPATH='${folder}'`;

const settingsOf = {
  bash: [
    "set -o vi; set -u; set -k; IFS=/n",
    "shopt -s extglob globstar failglob dotglob nocaseglob xpg_echo autocd cdable_vars histverify",
    "set -o posix",
    cdPath,
    "alias cd='cd -P' eval='eval '",
    'cd() { builtin cd "$@" && : "$PWD"; }',
  ],
  zsh: [
    "bindkey -v; IFS=/n; setopt nounset shwordsplit globsubst kshglob extendedglob nullglob",
    "setopt rcquotes cshjunkiequotes cshjunkiehistory histverify magicequalsubst ignorebraces",
    "setopt correct correctall autocd autopushd cdablevars chaselinks posixcd pushdtohome",
    "emulate sh; setopt promptsubst",
    cdPath,
    "alias cd='cd -P'; alias -g canary=other",
  ],
  fish: [(folder) => `set CDPATH '${folder}'`, "function cd; builtin cd $argv; and true; end"],
  dash: ["set -u; IFS=/n", "set -f", cdPath],
};

for (const shell of shells.filter(({ name }) => settingsOf[name])) {
  describe(shell.name, () => {
    for (const setting of settingsOf[shell.name]) {
      test(typeof setting === "string" ? setting : "CDPATH", async () => {
        const place = new Place();
        const command = `/bin/pwd -P > /dev/null; ${shell.exit(7)}`;
        const terminal = await Terminal.open(shell, place.start, place.folder);
        try {
          await terminal.run(typeof setting === "string" ? setting : setting(place.start));
          for (const name of names.filter((_, at) => at % 3 === 0)) {
            const directory = place.directory(name);
            const line = lineFor(shell.shell, directory, command);
            assert.deepEqual(await terminal.run(line), { code: 7, directory }, line);
            await terminal.run(`cd '${place.start}'`);

            const nowhere = lineFor(shell.shell, place.missing(name), command);
            const { code, directory: stands } = await terminal.run(nowhere);
            assert.ok(code !== 0 && code !== 7, nowhere);
            assert.equal(stands, place.start, nowhere);
            assert.deepEqual(place.contents(), [name], line);
            place.clear();
          }
        } finally {
          await terminal.close();
        }
      });
    }
  });
}
