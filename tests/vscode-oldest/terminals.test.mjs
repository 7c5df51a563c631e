// The adapter for terminals in the oldest VS Code that is supported.

import "../vscode/terminals.test.mjs";
