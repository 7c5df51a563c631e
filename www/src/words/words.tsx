import { createContext, type ComponentChildren, type VNode } from "preact";
import { useContext } from "preact/hooks";

import { en, type Words } from "./en.js";
import type { Language } from "./language.js";
import { zh } from "./zh.js";

const ALL: Record<Language, Words> = { en, zh };
const Context = createContext<Words>(en);

export function useWords(): Words {
  return useContext(Context);
}

export function WordsProvider(props: { language: Language; children: ComponentChildren }): VNode {
  return <Context.Provider value={ALL[props.language]}>{props.children}</Context.Provider>;
}
