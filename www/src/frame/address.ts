// The part of the page's address after `#`: which view, which sample and which settings. Whoever opens
// the address sees the same picture.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { DEFAULT_PROFILE } from "../profiles.js";

export const VIEWS = ["sessions", "context", "prompt", "terminals", "memory"] as const;
export type View = (typeof VIEWS)[number];

export interface Address {
  view: View;
  language: string;
  theme: string;
  /** The name of a sample; empty for the view's own, and for a file of the user. */
  sample: string;
  profile: string;
  /** Judge as if this model had answered. */
  model: string;
  /** Thresholds; empty for the profile's own. */
  calls: string;
  passages: string;
  /** The selected row of the list of events. */
  row: string;
  preset: string;
  /** With the preset `compact`: the size to reach, in tokens. */
  target: string;
  prompt: string;
  placement: string;
  budget: string;
  platform: string;
  changes: string;
  steal: string;
  /** How many terminals there may be; empty for no limit. */
  terminals: string;
  reach: string;
  turn: string;
  phase: string;
  memory: string;
}

const DEFAULTS: Address = {
  view: "sessions",
  language: "",
  theme: "",
  sample: "",
  profile: DEFAULT_PROFILE,
  model: "",
  calls: "",
  passages: "",
  row: "",
  preset: "duplicates",
  target: "",
  prompt: "",
  placement: "latest",
  budget: "",
  platform: "posix",
  changes: "5",
  steal: "",
  terminals: "",
  reach: "related",
  turn: "2",
  phase: "action",
  memory: "120",
};

/** These are whole numbers, or not there. */
const NUMBERS: ReadonlySet<keyof Address> = new Set([
  "calls",
  "passages",
  "row",
  "target",
  "budget",
  "changes",
  "terminals",
  "turn",
  "memory",
]);

/** What an address says; what it does not say, or says wrongly, is as by default. */
export function parseAddress(hash: string): Address {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const address: Address = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof Address)[]) {
    const value = said.get(name);
    if (value === null || value.length > LONGEST) continue;
    if (name === "view") {
      if ((VIEWS as readonly string[]).includes(value)) address.view = value as View;
    } else if (!NUMBERS.has(name) || /^\d{1,9}$/.test(value)) {
      address[name] = value;
    }
  }
  return address;
}

/** The longest value that is taken from an address. */
const LONGEST = 4_000;

export function hashOf(address: Address): string {
  const said = new URLSearchParams();
  for (const name of Object.keys(DEFAULTS) as (keyof Address)[]) {
    const value = address[name];
    if ((name === "view" || value !== DEFAULTS[name]) && value.length <= LONGEST)
      said.set(name, value);
  }
  return `#${said.toString()}`;
}

/** Browsers refuse an address that changes with every key, so it waits this many milliseconds. */
const SETTLED = 150;

export type ChangeAddress = (change: Partial<Address>) => void;

/** The address, and a function that changes it; another view is an entry of the browser's history. */
export function useAddress(): [Address, ChangeAddress] {
  const [address, set] = useState(() => parseAddress(location.hash));
  useLayoutEffect(() => {
    const listen = (): void => set(parseAddress(location.hash));
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const change: ChangeAddress = (changes) => {
    set((before) => {
      const next = { ...before, ...changes };
      const hash = hashOf(next);
      clearTimeout(pending.current);
      if (next.view !== before.view) history.pushState(null, "", hash);
      else {
        // Not if somebody has followed a link meanwhile: its view is the newer one.
        const now = location.hash;
        const settle = (): void => {
          if (location.hash === now) history.replaceState(null, "", hash);
        };
        pending.current = setTimeout(settle, SETTLED);
      }
      return next;
    });
  };
  return [address, change];
}
