import { createContext, type ComponentChildren, type VNode } from "preact";
import { useContext } from "preact/hooks";

import { en } from "./en.js";
import { zh } from "./zh.js";

/** Every word of the page in one language. What comes from the package, for a model, stays English. */
export type Words = typeof en;

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

const ALL: Record<Language, Words> = { en, zh };
const Context = createContext<Words>(en);

/** The language that was chosen, or else the first of the browser's that there is. */
export function languageOf(chosen: string, browser: readonly string[]): Language {
  for (const tag of [chosen, ...browser]) {
    const [code] = tag.toLowerCase().split("-");
    if (code === "en" || code === "zh") return code;
  }
  return "en";
}

export function useWords(): Words {
  return useContext(Context);
}

export function WordsProvider(props: { language: Language; children: ComponentChildren }): VNode {
  return <Context.Provider value={ALL[props.language]}>{props.children}</Context.Provider>;
}
