import type { VNode } from "preact";

import type { Economy } from "../../../analysis/economy.js";
import { grouped, plural } from "../../../analysis/wording.js";
import { economySum } from "../../../analysis/economy.js";
import { economyRows, inDollars } from "../economy.js";
import { percent } from "../words.js";

import { Bar, Picture } from "./pictures.js";

/** What of the histories is redundant: a bar of all that was sent, and a row for each kind. */
export function EconomyTable({ economy }: { economy: Economy }): VNode {
  const sum = economySum(economy);
  const total = {
    title: "together",
    share: percent(sum.characters, economy.characters),
    sentShare: percent(sum.requestCharacters, economy.requestCharacters),
  };
  return (
    <>
      <EconomyPicture economy={economy} name="tokens" />
      <table>
        <thead>
          <tr>
            <th scope="col">kind</th>
            <th scope="col">items</th>
            <th scope="col">characters</th>
            <th scope="col">of the histories</th>
            <th scope="col">sent with all requests</th>
            <th scope="col">of all that was sent</th>
            <th scope="col">cost</th>
          </tr>
        </thead>
        <tbody>
          {[...economyRows(economy), { kind: undefined, ...sum, ...total }].map((row) => (
            <tr>
              <th scope="row">
                {row.kind && <span class={`key economy-${row.kind}`} />} {row.title}
              </th>
              <td>{grouped(row.items)}</td>
              <td>{grouped(row.characters)}</td>
              <td>{row.share}</td>
              <td>{grouped(row.requestCharacters)}</td>
              <td>{row.sentShare}</td>
              <td>{inDollars(row.dollars)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <span class="key economy-rest" /> all the rest
            </th>
            <td />
            <td>{grouped(economy.characters - sum.characters)}</td>
            <td>{percent(economy.characters - sum.characters, economy.characters)}</td>
            <td>{grouped(economy.requestCharacters - sum.requestCharacters)}</td>
            <td>
              {percent(
                economy.requestCharacters - sum.requestCharacters,
                economy.requestCharacters,
              )}
            </td>
            <td />
          </tr>
        </tbody>
      </table>
    </>
  );
}

/** The characters that one history sent, and those of them that were redundant, as a thin bar. */
export function EconomyStripe({ economy }: { economy: Economy }): VNode {
  return economySum(economy).characters > 0 ? (
    <EconomyPicture economy={economy} name="tokens small" />
  ) : (
    <></>
  );
}

function EconomyPicture({ economy, name }: { economy: Economy; name: string }): VNode {
  const { requestCharacters: all } = economy;
  const gone = economySum(economy).requestCharacters;
  let x = 0;
  const bar = (kind: string, title: string, characters: number): VNode => {
    const width = (1000 * characters) / Math.max(1, all);
    const made = <Bar name={`economy-${kind}`} x={x} width={width} height={20} title={title} />;
    x += width;
    return made;
  };
  const label = `Of ${plural(all, "character")} sent, ${percent(gone, all)} redundant`;
  return (
    <Picture name={name} label={label} width={1000} height={20}>
      {economyRows(economy).map(({ kind, title, requestCharacters, sentShare }) =>
        bar(kind, `${title}: ${sentShare}`, requestCharacters),
      )}
      {bar("rest", `needed: ${percent(all - gone, all)}`, all - gone)}
    </Picture>
  );
}
