#!/bin/sh
# Makes audit-report.png: the report of `turnkeeper audit` on six sessions of the fixtures, as a browser
# shows it. Run `cargo xtask demo` before. CHROMIUM names the browser.
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

cp "$repository"/tests/fixtures/loop-collection/stuck-rewrite-claude.jsonl "$folder/1-rewrites-a-file.jsonl"
cp "$repository"/tests/fixtures/histories/resumed-task.json "$folder/2-resumed-task.json"
cp "$repository"/tests/fixtures/sessions/healthy.jsonl "$folder/3-healthy.jsonl"
cp "$repository"/tests/fixtures/loop-collection/stuck-install-build-openhands.jsonl "$folder/4-installs-and-builds.jsonl"
cp "$repository"/tests/fixtures/loop-collection/stuck-server-cline.jsonl "$folder/5-waits-for-a-server.jsonl"
cp "$repository"/tests/fixtures/loop-collection/stuck-read-cline.jsonl "$folder/6-reads-a-file.jsonl"

cd "$folder"
"$repository"/target/demo/node_modules/.bin/turnkeeper audit --quiet --html report.html -- *.json*
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars \
  --window-size=1000,1700 --screenshot=report.png "file://$folder/report.html"
cp report.png "$repository/docs/images/audit-report.png"
