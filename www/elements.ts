// The page's elements: those of index.html, and new ones for text that only ever stays text.

/** The element of index.html with that id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element as T;
}

/** A new element; `text` is shown as it is, whatever it looks like. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** Words for those who do not see where on the page something stands. */
export function spoken(text: string): HTMLElement {
  return make("span", "spoken", text);
}

/**
 * A button that cannot be used now stays where it is for the keyboard: one that is disabled under
 * somebody's finger would lose the focus.
 */
export function setUsable(button: HTMLElement, usable: boolean): void {
  button.setAttribute("aria-disabled", String(!usable));
}

/** Runs `action` when the button is used, unless {@link setUsable} said that it cannot be. */
export function onUse(button: HTMLElement, action: () => void): void {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") action();
  });
}
