// The Node extension host of the oldest VS Code that is supported.

import "../vscode/node-extension-host.test.mjs";
