// The classes of the module `vscode` that the page's agent uses, for a process without VS Code; `tests/js/vscode` runs the
// example in the real one.

class Part {
  constructor(value) {
    this.value = value;
  }
}
export class LanguageModelTextPart extends Part {}
export class LanguageModelToolCallPart {
  constructor(callId, name, input) {
    Object.assign(this, { callId, name, input });
  }
}
export class LanguageModelToolResultPart {
  constructor(callId, content) {
    Object.assign(this, { callId, content });
  }
}
export class LanguageModelChatMessage {
  constructor(role, content) {
    this.role = role;
    this.content = typeof content === "string" ? [new LanguageModelTextPart(content)] : content;
  }
  static User(content) {
    return new LanguageModelChatMessage(1, content);
  }
  static Assistant(content) {
    return new LanguageModelChatMessage(2, content);
  }
}
export class CancellationTokenSource {
  #listeners = new Set();
  token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener) => {
      this.#listeners.add(listener);
      return { dispose: () => this.#listeners.delete(listener) };
    },
  };
  cancel() {
    this.token.isCancellationRequested = true;
    for (const listener of this.#listeners) listener();
  }
  dispose() {
    this.#listeners.clear();
  }
}
