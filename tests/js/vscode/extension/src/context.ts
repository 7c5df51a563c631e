// A prompt with the files of the workspace that it refers to.

import { GhostBlockAssembler, type AssembledPrompt, type AssemblerHost } from "turnkeeper";
import * as vscode from "vscode";

/** An assembler for a conversation about the folder. */
export function contextOf(folder: vscode.Uri) {
  const assembler = new GhostBlockAssembler({ root: folder.path, platform: "posix" });
  const host = hostOf(folder);
  return {
    ask: (prompt: string): Promise<AssembledPrompt> => assembler.assemble(prompt, host),
    dispose: () => assembler.dispose(),
  };
}

/** Reads the folder, on whatever machine it lies. */
function hostOf(folder: vscode.Uri): AssemblerHost {
  const { fs } = vscode.workspace;
  const text = async (uri: vscode.Uri) => new TextDecoder().decode(await fs.readFile(uri));
  return {
    async readFile({ path, startLine, endLine = startLine, knownVersion }) {
      const uri = vscode.Uri.joinPath(folder, path);
      let found: vscode.FileStat;
      try {
        found = await fs.stat(uri);
      } catch {
        return { missing: true };
      }
      if (found.type & vscode.FileType.SymbolicLink) return { denied: "it is a symbolic link" };
      const version = `${found.mtime} ${found.size}`;
      if (version === knownVersion) return { unchanged: true };
      const content = await text(uri);
      if (startLine === undefined) return { content, version };
      const lines = content.split("\n").slice(startLine - 1, endLine);
      return { content: lines.join("\n"), version };
    },
    async listDirectory({ path }) {
      const entries = await fs.readDirectory(vscode.Uri.joinPath(folder, path));
      return entries
        .map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name))
        .sort()
        .join("\n");
    },
    async readImage({ uri }) {
      const bytes = await fs.readFile(vscode.Uri.joinPath(folder, uri));
      return { mediaType: "image/png", data: btoa(String.fromCharCode(...bytes)) };
    },
  };
}
