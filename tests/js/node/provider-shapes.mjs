// A history in the shape of each provider.

import { FORMATS } from "./adapter-formats.mjs";
import { load } from "./installed-package.mjs";

/** The providers whose messages the package knows. */
export const PROVIDERS = Object.keys(FORMATS);

/** Messages in Anthropic's shape as those of another provider. */
export function inShapeOf(provider, messages) {
  const { toMessages } = load(`turnkeeper/adapters/${provider}`);
  return toMessages(messages, FORMATS[provider].vscode);
}
