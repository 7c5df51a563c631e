import type { VNode } from "preact";

import type { NoAnswer } from "../ask.js";
import type { Address, ChangeAddress } from "../frame/address.js";
import { PROFILES, isOwn } from "../profiles.js";
import { useWords } from "../words/words.js";

interface RulesFormProps {
  address: Address;
  change: ChangeAddress;
  problem: NoAnswer | undefined;
}

/** Whose rules judge, and their thresholds. */
export function RulesForm({ address, change, problem }: RulesFormProps): VNode {
  const words = useWords();
  const number = (name: "calls" | "passages", label: string, field: string): VNode => {
    const isWrong = problem?.field === field;
    return (
      <label class="field">
        {label}
        <input
          type="number"
          min={1}
          step={1}
          value={address[name]}
          disabled={!isOwn(address.profile)}
          placeholder={words.rules.asProfile}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? "rules-problem" : undefined}
          onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      </label>
    );
  };
  const option = (profile: string): VNode => (
    <option key={profile} value={profile}>
      {profile}
    </option>
  );
  return (
    <section class="rules" aria-labelledby="rules-heading">
      <h2 id="rules-heading">{words.rules.heading}</h2>
      <div class="fields">
        <label class="field">
          {words.rules.profile}
          <select
            value={address.profile}
            onChange={({ currentTarget }) => change({ profile: currentTarget.value })}
          >
            {PROFILES.filter(isOwn).map(option)}
            <optgroup label={words.rules.ofOthers}>
              {PROFILES.filter((profile) => !isOwn(profile)).map(option)}
            </optgroup>
          </select>
        </label>
        <label class="field">
          {words.rules.model}
          <input
            type="text"
            value={address.model}
            placeholder={words.rules.asSession}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => change({ model: currentTarget.value })}
          />
        </label>
        {number("calls", words.rules.identicalCalls, "identicalCalls")}
        {number("passages", words.rules.repeatedPassages, "repeatedPassages")}
      </div>
      <p class="hint">{words.rules.hint}</p>
      {problem && (
        <p class="hint wrong" id="rules-problem" role="alert">
          {words.rules.refused} <span lang="en">{problem.message}</span>
        </p>
      )}
    </section>
  );
}
