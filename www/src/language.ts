// Runs before anything is shown, so that the first paint is in the reader's language: the style hides it in another one,
// and when the page is there, what was drawn in theirs takes its place.

import { languageOf, tagOf } from "./words/language.js";

const chosen = new URLSearchParams(location.hash.slice(1)).get("language") ?? "";
const tag = tagOf(languageOf(chosen, navigator.languages));
document.documentElement.lang = tag;
document.addEventListener(
  "readystatechange",
  () => {
    const page = document.getElementById("page")!;
    const drawn = document.querySelector<HTMLTemplateElement>(`template:lang(${tag})`);
    if (!drawn) return;
    page.replaceChildren(drawn.content);
    page.lang = tag;
  },
  { once: true },
);
