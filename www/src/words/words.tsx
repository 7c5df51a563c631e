import { createContext, type ComponentChildren, type VNode } from "preact";
import { useContext } from "preact/hooks";

import { en } from "./en.js";
import type { Language } from "./language.js";
import { zh } from "./zh.js";

/** Every word of the page in one language. What comes from the package, for a model, stays English. */
export type Words = typeof en;

const ALL: Record<Language, Words> = { en, zh };
const Context = createContext<Words>(en);

export function useWords(): Words {
  return useContext(Context);
}

export function WordsProvider(props: { language: Language; children: ComponentChildren }): VNode {
  return <Context.Provider value={ALL[props.language]}>{props.children}</Context.Provider>;
}
