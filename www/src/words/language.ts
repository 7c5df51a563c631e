/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** The language that was chosen, or else the first of the browser's that there is. */
export function languageOf(chosen: string, browser: readonly string[]): Language {
  for (const tag of [chosen, ...browser]) {
    const [code] = tag.toLowerCase().split("-");
    if (code === "en" || code === "zh") return code;
  }
  return "en";
}

/** The language as the page's own `lang` has it. */
export function tagOf(language: Language): string {
  return language === "zh" ? "zh-CN" : "en";
}
