/** The sentence of an effect, with the signs of the seats and the icons of the things that it names. */

import { Icon } from "../board/elements.tsx";
import type { Board } from "../board/geometry.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { colour, SeatSign } from "../board/shapes.tsx";
import type { Effect } from "../play/table.ts";
import { type Part, partsOf } from "../words/labels.ts";
import type { Language } from "../words/languages.ts";

export function Sentence({
  effect,
  ruleset,
  language,
}: {
  effect: Effect;
  ruleset: Ruleset;
  language: Language;
}) {
  const { board } = ruleset;
  const data = effect.data as Record<string, unknown>;
  const parts = partsOf(ruleset.words[language], `effect.${effect.type}`, data);
  // The service may have other labels than those that were read before.
  if (!board || parts.map(({ text }) => text).join("") !== effect.text) return <>{effect.text}</>;
  return (
    <>
      {parts.map((part, index) => (
        <Said key={index} part={part} board={board} noun={nounOf(ruleset, effect, part)} />
      ))}
    </>
  );
}

function Said({ part, board, noun }: { part: Part; board: Board; noun: string }) {
  const { text, value, vocabulary, id = "" } = part;
  if (value === null) return <>{text}</>;
  const sign = signNamed(board, vocabulary, id);
  const icon = sign ? undefined : iconNamed(board, part, noun);
  const marked = (
    <>
      {sign && (
        <svg class="sign-mark" viewBox="-14 -14 28 28" aria-hidden="true">
          <SeatSign sign={sign} />
        </svg>
      )}
      {icon && (
        <svg class="icon-mark" viewBox="-15 -15 30 30" aria-hidden="true">
          <circle r="15" fill={icon.ground} />
          <Icon name={icon.name} />
        </svg>
      )}
      {text}
    </>
  );
  return /^[+-]?\d/.test(text) ? <b>{marked}</b> : <span class="named">{marked}</span>;
}

function signNamed(board: Board, vocabulary: string | undefined, id: string) {
  if (vocabulary !== "seat" && vocabulary !== "side") return undefined;
  return board.seats[Number(id)] ?? board.sides?.[id];
}

const GROUND = "#fff8e6";

/**
 * The icon of an id, which is that of its row in a table of the board's catalogue; or the icon by
 * the name of the value, of what it counts, or of the effect.
 */
function iconNamed(
  board: Board,
  { value, vocabulary, id }: Part,
  noun: string,
): { name: string; ground: string } | undefined {
  const key = id ?? value ?? "";
  const tables = Object.values(board.catalogue).filter(({ icons }) => icons?.[key]);
  const table = tables.find(({ name }) => name === vocabulary) ?? tables[0];
  const name = table?.icons?.[key];
  if (name) {
    const own = table.colours?.[key];
    return { name, ground: own ? colour(own) : GROUND };
  }
  if (vocabulary !== undefined) return undefined;
  const found = noun
    .split(/\W|_/)
    .flatMap((word) => [word, word.replace(/s$/, "")])
    .find((word) => board.icons.includes(word));
  return found === undefined ? undefined : { name: found, ground: GROUND };
}

/** The name of a number's value, and in English what it counts and what happens. */
function nounOf({ words }: Ruleset, { type }: Effect, { value, vocabulary }: Part): string {
  if (value === null || vocabulary !== undefined) return "";
  const counted = new RegExp(`\\{${value}:([^{}|]*)\\|`).exec(words.en[`effect.${type}`] ?? "");
  return counted ? `${value} ${counted[1]} ${type}` : "";
}
