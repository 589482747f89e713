/** Chooses a move: step by step, or from a list, with a preview before it is sent. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Ruleset, speaker } from "../board/rulesets.ts";
import type { Says } from "../board/scene.ts";
import { useLanguage } from "../words/languages.ts";
import type { Choosing, Preview } from "./choice.ts";
import type { Legal, Option } from "./choosing.ts";
import { Folded } from "./folded.tsx";
import { manyNumbers, NumberField } from "./numbers.tsx";
import { usePlayWords } from "./words.ts";

/** The choices of a seat with a decision; `failed` shows why the seat's move was refused. */
export function Choices({
  choice,
  legal,
  ruleset,
  failed,
}: {
  choice: Choosing;
  legal: Legal;
  ruleset: Ruleset;
  failed: (error: unknown) => ComponentChildren;
}) {
  const words = usePlayWords();
  const language = useLanguage();
  const { label, move, left } = choice.step.value;
  const options = choice.besides.value;
  const numbers = manyNumbers(options);
  return (
    <>
      <h2 id="chooser">{label || (choice.supposing ? words.chooseSupposed : words.choose)}</h2>
      {choice.error.value !== null && failed(choice.error.value)}
      <Chosen choice={choice} />
      {move !== null ? (
        <Confirm choice={choice} label={legal.labels[move] ?? ""} />
      ) : numbers ? (
        <NumberField
          key={[...numbers.keys()].join()}
          choice={choice}
          numbers={numbers}
          label={label}
        />
      ) : (
        <>
          {options.length < choice.step.value.options.length && (
            <p class="quiet on-board">{words.onBoard}</p>
          )}
          {options.length > 0 && (
            <ul class="options" aria-labelledby="chooser">
              {options.map((option, index) => (
                <li key={option.key}>
                  <button
                    type="button"
                    data-first={index === 0 || undefined}
                    data-option={option.key}
                    onClick={() => choice.choose(option)}
                  >
                    <span>{option.label}</span>{" "}
                    <Help
                      text={option.help || textOf(option, ruleset, speaker(ruleset, language))}
                      label={option.label}
                    />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      <MoveList choice={choice} labels={legal.labels} left={left} />
    </>
  );
}

/** The notice that a choice came too late; otherwise nothing. */
export function Stale({ choice }: { choice: Choosing }) {
  const words = usePlayWords();
  if (!choice.stale.value) return null;
  return (
    <p class="banner" role="alert">
      {words.stale}
    </p>
  );
}

function Help({ text, label }: { text: string; label: string }) {
  return text && text !== label ? <small>{text}</small> : null;
}

/** What the card, building or tile of an option does, or where its place is. */
function textOf({ refs, label }: Option, { board }: Ruleset, says: Says | null): string {
  const [kind, type, id] = [...refs][0]?.split(":") ?? [];
  if (refs.size !== 1 || !board || !says || !type) return "";
  if (kind === "place") return label.includes(says.place(type)) ? "" : says.place(type);
  const table = (board.pieces[type] ?? board.mat?.pieces[type])?.table;
  return kind === "piece" && table && id ? says.text(table, id) : "";
}

function Chosen({ choice }: { choice: Choosing }) {
  const words = usePlayWords();
  const picks = choice.picks.value;
  if (picks.length === 0) return null;
  return (
    <p class="picks">
      <span class="sr">{words.chosen}: </span>
      {picks.map((pick, index) => (
        <span class="pick" key={`${index} ${pick.label}`}>
          {pick.label}
        </span>
      ))}
      <button
        type="button"
        class="plain"
        aria-keyshortcuts="Escape"
        onClick={() => choice.takeBack()}
      >
        {words.takeBack} <kbd>Esc</kbd>
      </button>
    </p>
  );
}

/**
 * The complete move and its effects. A button sends the move, unless moves are only being tried.
 */
function Confirm({ choice, label }: { choice: Choosing; label: string }) {
  const words = usePlayWords();
  const { supposing } = choice;
  const preview = choice.preview.value;
  const waits = choice.sending.value || (choice.confirms && preview === null);
  return (
    <div class="confirm">
      <p class="whole">{supposing ? words.wouldBe(label) : label}</p>
      {preview && <Foreseen preview={preview} />}
      {supposing ? (
        <button type="button" class="main" data-first data-again onClick={() => choice.startOver()}>
          {words.supposeAnother}
        </button>
      ) : (
        <button
          type="button"
          class="main"
          data-first
          data-confirm
          aria-disabled={waits}
          aria-label={choice.sending.value ? words.sending : words.doIt(label)}
          aria-describedby={preview ? "foreseen" : undefined}
          onClick={() => {
            if (!waits) void choice.send();
          }}
        >
          {choice.sending.value ? words.sending : words.confirm}
        </button>
      )}{" "}
      <small class="quiet">{supposing ? words.nothingSent : words.confirmHint}</small>
    </div>
  );
}

/** The effects of a move, as far as its seat can know them. */
function Foreseen({ preview }: { preview: Preview }) {
  const words = usePlayWords();
  const next = preview.next as { label?: string } | null;
  return (
    <ul class="foreseen-effects" id="foreseen" aria-label={words.preview}>
      {preview.effects
        .filter(({ text }) => text !== "")
        .map((effect, index) => (
          <li key={`${index} ${effect.type}`}>{effect.text}</li>
        ))}
      {preview.stops_at && (
        <li class="quiet">{words.previewStops[preview.stops_at] ?? words.nothingMore}</li>
      )}
      {!preview.stops_at && next?.label && <li class="quiet">{words.nextAsked(next.label)}</li>}
    </ul>
  );
}

/** The labels of all legal moves, with a search: the second way to choose. */
function MoveList({
  choice,
  labels,
  left,
}: {
  choice: Choosing;
  labels: readonly string[];
  left: readonly number[];
}) {
  const words = usePlayWords();
  const summary = (
    <>
      {words.fromList} <span class="count">{left.length}</span>
    </>
  );
  return (
    <Folded class="all-moves" summary={summary}>
      {() => <Search choice={choice} labels={labels} left={left} />}
    </Folded>
  );
}

function Search({
  choice,
  labels,
  left,
}: {
  choice: Choosing;
  labels: readonly string[];
  left: readonly number[];
}) {
  const words = usePlayWords();
  const [wanted, setWanted] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const list = field.current?.closest<HTMLElement>(".all-moves");
    const { wanted: typed } = list?.dataset ?? {};
    if (typed === undefined) return;
    delete list?.dataset.wanted;
    setWanted(typed);
    field.current?.focus();
  }, []);
  const found = matching(wanted, labels, left);
  const [first] = found;
  const take = (index: number) => {
    setWanted(""); // the next list has other moves
    choice.take({ kind: "move", index, label: labels[index] ?? "" });
  };
  return (
    <>
      <input
        ref={field}
        type="search"
        class="search"
        aria-label={words.searchMoves}
        placeholder={words.searchMoves}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || first === undefined || wanted.trim() === "") return;
          event.preventDefault();
          event.currentTarget.blur(); // the focus goes on to what is asked next
          take(first);
        }}
      />
      <p class="quiet" role="status">
        {words.movesFound(found.length, left.length)}
      </p>
      <ol class="moves">
        {found.slice(0, LISTED).map((index) => (
          <li key={index} value={left.indexOf(index) + 1}>
            <button type="button" class="plain" data-move={index} onClick={() => take(index)}>
              {labels[index]}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/**
 * The moves whose labels have all typed words. After `NUMBER`, the move with this number in the
 * list is meant.
 */
function matching(
  wanted: string,
  labels: readonly string[],
  left: readonly number[],
): readonly number[] {
  const typed = wanted.trim().toLocaleLowerCase();
  if (/^#\d+$/.test(typed)) return left.slice(Number(typed.slice(1)) - 1).slice(0, 1);
  const terms = typed.split(/\s+/);
  return left.filter((index) => {
    const label = (labels[index] ?? "").toLocaleLowerCase();
    return terms.every((term) => label.includes(term));
  });
}

/** The sign before a number of the list, as in the terminal. */
export const NUMBER = "#";

/** The maximum number of moves in the list; people find the others by the search. */
const LISTED = 300;
