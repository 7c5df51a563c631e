import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { HistoryView } from "./context/history-view.js";
import { askedSession } from "./frame/asked-session.js";
import { Links } from "./frame/links.js";
import { VIEWS, hashOf, useAddress, type View } from "./frame/address.js";
import { useFolder } from "./frame/use-folder.js";
import { useSession } from "./frame/use-session.js";
import { useWide } from "./frame/use-wide.js";
import { MemoryView } from "./memory/memory-view.js";
import { EXAMPLE_PROMPT } from "./prompt/example.js";
import { PromptView } from "./prompt/prompt-view.js";
import { FIRST_SAMPLE, profileOf, samplesOf, type SampleName } from "./samples.js";
import { SessionsView } from "./sessions/sessions-view.js";
import { TerminalsView } from "./terminals/terminals-view.js";
import { LANGUAGES, languageOf, tagOf, type Language } from "./words/language.js";
import { WordsProvider, useWords } from "./words/words.js";

/** The sample that a view begins with. */
const FIRST: Partial<Record<View, SampleName>> = { sessions: FIRST_SAMPLE, context: "resumedTask" };

/** The page: what stands around the views, and the view that the address names. */
export function App(): VNode {
  const [address, change] = useAddress();
  const language = languageOf(address.language, navigator.languages);
  useLayoutEffect(() => {
    document.documentElement.lang = tagOf(language);
    document.documentElement.dataset["theme"] = address.theme;
  }, [language, address.theme]);
  return (
    <WordsProvider language={language}>
      <Page address={address} change={change} language={language} />
    </WordsProvider>
  );
}

interface PageProps {
  address: ReturnType<typeof useAddress>[0];
  change: ReturnType<typeof useAddress>[1];
  language: Language;
}

function Page({ address, change, language }: PageProps): VNode {
  const words = useWords();
  const isWide = useWide();
  const holder = useSession();
  const folder = useFolder();
  const [draft, setDraft] = useState(address.prompt || EXAMPLE_PROMPT);
  const { view } = address;
  const hasBegun = useRef(false);
  const isOwn = address.sample === "own";
  const offered = samplesOf(view);
  const sample = isOwn ? "" : (offered.find((name) => name === address.sample) ?? FIRST[view]);
  useLayoutEffect(() => {
    document.title = `${words.views[view]} · Turnkeeper`;
  }, [view, words]);
  // Before anybody can open a file: a sample that came later would take its place.
  useLayoutEffect(() => {
    if (sample) holder.openSample(sample);
    else if (isOwn && !hasBegun.current) {
      const asked = askedSession();
      if (asked) holder.openAddress(asked);
      // A link may name a file of its sender's own, which is not here.
      else change({ sample: "" });
    }
    hasBegun.current = true;
  }, [sample]);

  const source = {
    holder,
    sample: sample ?? "",
    offered,
    onSample: (name: string) => {
      folder.leave();
      change({ sample: name, row: "", profile: profileOf(name) });
    },
    onOwn: () => {
      folder.leave();
      change({ sample: "own", row: "" });
    },
  };
  const shared = { address, change };
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {words.frame.skip}
      </a>
      <header class="top">
        <div class="title">
          <h1>Turnkeeper</h1>
          <p>{words.frame.about}</p>
        </div>
        <div class="switches">
          <label>
            <span>{words.frame.language}</span>{" "}
            <select
              value={language}
              onChange={({ currentTarget }) => change({ language: currentTarget.value })}
            >
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>{words.frame.theme}</span>{" "}
            <select
              value={address.theme}
              onChange={({ currentTarget }) => change({ theme: currentTarget.value })}
            >
              <option value="">{words.frame.themeOfSystem}</option>
              <option value="light">{words.frame.light}</option>
              <option value="dark">{words.frame.dark}</option>
            </select>
          </label>
        </div>
      </header>
      <nav class="views" aria-label={words.frame.views}>
        <ul>
          {VIEWS.map((each) => (
            <li key={each}>
              <a
                href={hashOf({ ...address, view: each, row: "" })}
                aria-current={each === view ? "page" : undefined}
              >
                {words.views[each]}
              </a>
            </li>
          ))}
        </ul>
        {isWide && <Links />}
      </nav>
      <main id="main" tabIndex={-1} class={`view-${view}`}>
        {view === "sessions" && <SessionsView {...shared} source={{ ...source, folder }} />}
        {view === "context" && <HistoryView {...shared} source={source} />}
        {view === "prompt" && <PromptView {...shared} draft={draft} onDraft={setDraft} />}
        {view === "terminals" && <TerminalsView {...shared} />}
        {view === "memory" && <MemoryView {...shared} />}
      </main>
      <footer>
        <p>{words.frame.footer(PACKAGE_VERSION)}</p>
        {!isWide && <Links />}
      </footer>
    </>
  );
}

/** The address after `#` is taken, so the link moves the focus itself. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
