/**
 * What the element of a game shows: the board, the question, the choices, and the latest events.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { Described } from "../board/described.tsx";
import { Glance } from "../board/glance.tsx";
import type { ViewShown } from "../board/members.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import { BoardView } from "../board/view.tsx";
import { useBoardWords } from "../board/words.ts";
import type { Choosing } from "../play/choice.ts";
import { Choices, Stale } from "../play/chooser.tsx";
import { useDrawn, useHighlights } from "../play/drawn.ts";
import { finalPoints } from "../play/final.ts";
import { useFocus } from "../play/focus.ts";
import { Folded } from "../play/folded.tsx";
import { seatName } from "../play/names.ts";
import { Questions } from "../play/questions.tsx";
import type { Effect, Game, Table } from "../play/table.ts";
import { usePlayWords } from "../play/words.ts";
import type { SigningKey } from "../signing/key.ts";
import { say } from "../words/labels.ts";
import { useLanguage } from "../words/languages.ts";
import { Failed } from "./embedded.tsx";
import { leftOf } from "./seat.ts";
import { useLeft } from "./words.ts";

interface Looks {
  readonly narrow: boolean;
  readonly dark: boolean;
  /** Duration of a piece's animation in milliseconds; 0 means no animation. */
  readonly glideMs: number;
}

export function TableView({
  table,
  choice,
  signingKey,
  ...looks
}: {
  readonly table: Table;
  readonly choice: Choosing;
  /** The key that the page has brought for tables where players sign. */
  readonly signingKey: SigningKey | null;
} & Looks) {
  const words = usePlayWords();
  const leftWords = useLeft();
  const left = leftOf(table);
  const game = table.game.value;
  const ruleset = table.ruleset.value;
  if (game && game.version < 1)
    return <p class="quiet">{game.status === "lobby" ? words.waitingFor : words.allSit}</p>;
  if (!game || !ruleset || table.frame.value === null) return <p class="quiet">{words.loading}</p>;
  return (
    // Escape is for whoever chooses, wherever the focus is within.
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes a key from what has the focus
    <div
      class="table"
      data-status={game.status}
      data-shown={table.shown.value}
      data-newest={table.newest.value}
      data-seat={table.frame.value.state.seat ?? "spectator"}
      onKeyDown={(event) => {
        if (event.key === "Escape" && choice.takeBack()) event.preventDefault();
        else table.skips(event);
      }}
      onClick={(event) => table.skips(event)}
    >
      {table.cutSince.value !== null && !table.over.value && (
        <p class="banner" role="status">
          {words.cut}
        </p>
      )}
      {left !== null && !table.over.value && (
        <p class="banner" role="status">
          {leftWords[left]}
        </p>
      )}
      {game.suspended_since && <p class="banner">{words.suspended}</p>}
      {game.signatures && <Signing {...{ table, game, signingKey }} />}
      <Playing {...{ table, choice, game, ruleset }} {...looks} />
    </div>
  );
}

/** What is said besides at a table where players sign. */
function Signing(props: Parameters<typeof import("./signing.tsx").Signing>[0]) {
  const parts = usePart(() => import("./signing.tsx"));
  return parts && <parts.Signing {...props} />;
}

function Playing({
  table,
  choice,
  game,
  ruleset,
  narrow,
  dark,
  glideMs,
}: {
  readonly table: Table;
  readonly choice: Choosing;
  readonly game: Game;
  readonly ruleset: Ruleset;
} & Looks) {
  const words = usePlayWords();
  const { board } = useBoardWords();
  const { view, drawn } = useDrawn(table, choice, ruleset, narrow);
  const [highlights, setStop] = useHighlights(choice, ruleset, drawn, NOTHING_TOLD);
  const side = (
    <div class="side">
      <Asked {...{ table, choice, game, ruleset }} />
      <Reasons table={table} choice={choice} />
      <Latest table={table} />
    </div>
  );
  if (view === null) return <p class="quiet">{words.notBegun}</p>;
  if (drawn === null)
    return (
      <div class="play">
        <div class="stage">
          <InWords ruleset={ruleset} view={view} scene={null} />
        </div>
        {side}
      </div>
    );
  return (
    <BoardView
      scene={drawn.scene}
      renderer={ruleset.renderer}
      highlights={highlights}
      dark={dark}
      glideMs={glideMs}
      leap={drawn.leap}
      name={choice.preview.value ? words.preview : board}
      onPick={(ref) => choice.point(ref)}
      onStop={setStop}
      above={
        narrow && (
          <Glance
            scene={drawn.scene}
            renderer={ruleset.renderer}
            final={choice.preview.value ? null : finalPoints(table)}
          />
        )
      }
      below={
        <Folded class="described" summary={words.describe}>
          {() => (
            <Described scene={drawn.scene}>
              <InWords ruleset={ruleset} view={view} scene={drawn.scene} />
            </Described>
          )}
        </Folded>
      }
      beside={side}
    />
  );
}

/** The open questions and the choices, or the result when the game is over. */
function Asked({
  table,
  choice,
  game,
  ruleset,
}: {
  readonly table: Table;
  readonly choice: Choosing;
  readonly game: Game;
  readonly ruleset: Ruleset;
}) {
  const words = usePlayWords();
  const legal = table.legal.value;
  const over = table.over.value && table.shown.value === table.newest.value;
  const box = useRef<HTMLElement>(null);
  useFocus(box, [choice.steps.value, legal, choice.sending.value, choice.preview.value, over]);
  return (
    <section
      class={over ? "chooser result" : "chooser"}
      ref={box}
      tabIndex={-1}
      aria-label={over ? words.result : words.turn}
    >
      <Stale choice={choice} />
      {over && <Result game={game} ruleset={ruleset} />}
      {!over && leftOf(table) !== "closed" && <Questions {...{ table, ruleset }} />}
      {legal && (
        <Choices {...{ choice, legal, ruleset }} failed={(error) => <Failed error={error} />} />
      )}
    </section>
  );
}

function Result({ game, ruleset }: { readonly game: Game; readonly ruleset: Ruleset }) {
  const words = usePlayWords();
  const language = useLanguage();
  const labels = ruleset.words[language];
  const result = game.result as { reason: string } | null;
  const nameOf = (side: string) => {
    const [kind, which = ""] = side.split(":");
    if (kind === "seat") return seatName(game, ruleset, Number(which), language);
    return say(labels, `side.${which}`);
  };
  return (
    <>
      <h2>{words.result}</h2>
      <p>{result ? say(labels, `reason.${result.reason}`) : words.status[game.status]}</p>
      <ol class="ranks">
        {game.standings.map(({ side, rank, text, notes }) => (
          <li key={side}>
            <span>{words.place(rank)}</span> <strong>{nameOf(side)}</strong> <span>{text}</span>
            {notes.length > 0 && <small class="quiet"> {notes.join("; ")}</small>}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Nobody points to a line of the log. */
const NOTHING_TOLD: readonly Effect[] = [];

/** The number of shown lines of the log. */
const LINES = 6;

function Latest({ table }: { readonly table: Table }) {
  const words = usePlayWords();
  const shown = table.shown.value;
  const lines = table.log.value.filter(({ seq, text }) => seq <= shown && text !== "");
  const from = Math.max(0, lines.length - LINES);
  return (
    <section class="latest" aria-label={words.log}>
      {lines.length === 0 && <p class="quiet">{words.nothingYet}</p>}
      <div role="log" aria-live="polite">
        {lines.slice(from).map(({ seq, text }, index) => (
          <p key={from + index} class={seq === shown ? "here" : ""}>
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}

/** The whole view in words, which is loaded when somebody first asks for it. */
function InWords(props: ViewShown) {
  const parts = usePart(() => import("../board/members.tsx"));
  return parts && <parts.ViewInWords {...props} />;
}

/**
 * The reasons of what cannot be chosen. A page loads them when its player has something to choose;
 * if they do not come, it tries again at the next question.
 */
function Reasons(props: { readonly table: Table; readonly choice: Choosing }) {
  const parts = usePart(() => import("../play/why.tsx"), props.table.legal.value !== null);
  return parts && <parts.Why {...props} />;
}

/** A part of the kit that is loaded when it is first wanted; null until it has come. */
function usePart<T>(load: () => Promise<T>, wanted = true): T | null {
  const [part, setPart] = useState<T | null>(null);
  useEffect(() => {
    if (wanted) load().then(setPart, () => setPart(null));
  }, [wanted]);
  return part;
}
