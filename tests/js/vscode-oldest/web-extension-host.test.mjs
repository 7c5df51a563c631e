// The web extension host of the oldest VS Code that is supported.

import "../vscode/web-extension-host.test.mjs";
