/**
 * The log, turn by turn: the shown turn is unfolded, and so are all since the player's last move; the
 * others are a line each. A line takes the board to its event, and a line and the elements of the board that it names highlight each other.
 */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Around, UNMARKED } from "../board/elements.tsx";
import { type Ruleset, speaker } from "../board/rulesets.ts";
import { colour, SeatSign } from "../board/shapes.tsx";
import { adopt } from "../board/sheets.ts";
import { language } from "../browser/language.ts";
import { phrases } from "../phrases/phrases.ts";
import { happeningOf } from "../play/happenings.ts";
import type { Table } from "../play/table.ts";
import style from "../style/log.css" with { type: "text" };
import { Announcer } from "./announcer.tsx";
import { readHappenings } from "./happenings.ts";
import { highlighted } from "./highlighted.ts";
import { fit, toLatest } from "./room.ts";
import { called, saidOf } from "./said.ts";
import { Sentence } from "./sentence.tsx";
import { type Entry, lastMoveOf, textOf, turnsOf } from "./turns.ts";
import { tableWords } from "./words.ts";

adopt(document, style);

/** Number of turns that are rendered at first, and of earlier ones that follow on request. */
const SHOWN = 60;

export function Log({
  table,
  ruleset,
  replays,
  onReplay,
}: {
  table: Table;
  ruleset: Ruleset;
  /** Whether the replay is shown, and a function that shows or hides it. */
  replays: boolean;
  onReplay: () => void;
}) {
  const words = phrases.value;
  const texts = tableWords.value;
  const list = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(0);
  const [tall, setTall] = useState(false);
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [log, past, shown] = [table.log.value, table.past.value, table.shown.value];
  const game = table.game.value;
  const following = table.following.value;
  const told = useMemo(() => ({ until: 0, from: 0 }), [table]);
  // What was told stays when the board walks through it again.
  if (following) told.until = Math.max(told.until, shown);
  const until = following ? told.until : Number.POSITIVE_INFINITY;
  const events = useMemo(() => past.map(happeningOf), [past]);
  const turns = useMemo(() => {
    const rounds = ruleset.board?.rounds ?? [];
    return turnsOf(log, events, rounds, until, (event) => saidOf(event, game));
  }, [log, events, until, game, ruleset, words]);
  const here = turns.flat().findLast(({ seq }) => seq <= shown)?.seq ?? 0;
  const current = turns.findIndex((turn) => turn.some(({ seq }) => seq === here));
  const own = table.own.value;
  const ownMove = useMemo(() => lastMoveOf(events, own), [events, own]);
  const isSince = (turn: readonly Entry[]) =>
    following && ownMove !== null && (turn.at(-1)?.seq ?? 0) > ownMove;
  const since = turns.find(isSince);
  const catchesUp = table.catchesUp.value;
  const first = Math.max(0, (current < 0 ? turns.length : current + 1) - SHOWN - more);
  // While somebody looks back, the turns that are here stay: a jump need not render them again.
  told.from = following ? first : Math.min(told.from, first);
  const { from } = told;
  const fold = (turn: readonly Entry[], open: boolean) =>
    setUnfolded((before) => new Map(before).set(turn[0]?.seq ?? 0, open));
  useEffect(() => void readHappenings(table).catch(() => {}), [table]);
  const scrolls = useRef(true);
  useLayoutEffect(() => {
    scrolls.current = true;
  }, [here, turns, tall]);
  // In the next frame, when all else is drawn: to measure earlier would lay out the page once more.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (!list.current) return;
      fit(list.current);
      if (scrolls.current) toLatest(list.current);
      scrolls.current = false;
    });
    return () => cancelAnimationFrame(frame);
  });
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const resized = new ResizeObserver(() => {
      fit(current);
      toLatest(current);
    });
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
  const around = useMemo(() => aroundOf(ruleset), [ruleset, language.value]);
  const lines = turns
    .slice(from)
    .map((turn, index) => (
      <Turn
        key={turn[0]?.seq}
        {...{ table, ruleset, turn }}
        here={current === from + index ? here : null}
        open={unfolded.get(turn[0]?.seq ?? 0) ?? (current === from + index || isSince(turn))}
        isFirstSince={turn === since}
        time={timeOf(turn, turns[from + index - 1])}
        onFold={fold}
      />
    ));
  return (
    <section class={`log-panel ${tall ? "tall" : ""}`} aria-labelledby="log">
      <header>
        <h2 id="log">{words.log}</h2>
        {catchesUp ? (
          <button type="button" class="main" data-skip onClick={() => table.catchUp()}>
            {words.skipAhead}
          </button>
        ) : (
          since && (
            <button
              type="button"
              class="plain"
              aria-label={texts.showAgain}
              title={texts.showAgain}
              onClick={() => void table.walkFrom(ownMove ?? 0)}
            >
              ↺
            </button>
          )
        )}
        <button type="button" class="plain" aria-pressed={replays} onClick={onReplay}>
          {words.replay}
        </button>
        <button
          type="button"
          class="plain taller"
          aria-pressed={tall}
          aria-label={texts.taller}
          title={texts.taller}
          onClick={() => setTall(!tall)}
        >
          ↕
        </button>
      </header>
      {turns.length === 0 && <p class="quiet">{words.nothingYet}</p>}
      <div
        class="log"
        ref={list}
        role="tree"
        aria-labelledby="log"
        onKeyDown={(event) => list.current && walk(list.current, event)}
        onFocusCapture={({ target }) => list.current && stopAt(list.current, target as HTMLElement)}
      >
        {from > 0 && (
          <button
            type="button"
            class="plain turn earlier"
            role="treeitem"
            aria-level={1}
            tabIndex={-1}
            onClick={() => setMore(more + 2 * SHOWN)}
          >
            {texts.earlierTurns(from)}
          </button>
        )}
        {around ? <Around.Provider value={around}>{lines}</Around.Provider> : lines}
      </div>
      <Announcer table={table} />
    </section>
  );
}

/** What icons and signs need around them; null if the ruleset has no board. */
function aroundOf(ruleset: Ruleset) {
  const { board, renderer } = ruleset;
  const says = speaker(ruleset, language.value);
  if (!board || !says) return null;
  const icons = renderer.icons ?? {};
  return { sheet: board, board, says, owner: null, marks: UNMARKED, icons };
}

/** The time of a turn, if it is not in the same minute as the turn before. */
function timeOf(turn: readonly Entry[], before: readonly Entry[] | undefined): string | null {
  const minuteOf = (one: readonly Entry[] | undefined) => one?.at(-1)?.event?.at.slice(0, 16);
  return minuteOf(turn) === minuteOf(before) ? null : (turn[0]?.event?.at ?? null);
}

function Turn({
  table,
  ruleset,
  turn,
  here,
  open,
  isFirstSince,
  time,
  onFold,
}: {
  table: Table;
  ruleset: Ruleset;
  turn: readonly Entry[];
  /** The shown event, if it is of this turn. */
  here: number | null;
  open: boolean;
  /** Whether what happened since the player's last move begins with it. */
  isFirstSince: boolean;
  time: string | null;
  onFold: (turn: readonly Entry[], open: boolean) => void;
}) {
  const words = phrases.value;
  const texts = tableWords.value;
  const game = table.game.value;
  const [first] = turn;
  const many = turn.length > 1;
  // Turns before the shown one do not change, and need not be compared again.
  return useMemo(() => {
    if (!first) return null;
    const seats = [...new Set(turn.flatMap(({ event }) => event?.seat ?? []))];
    const [seat] = seats;
    const who = seats.length === 1 && seat !== undefined ? called(game, seat) : "";
    const signs = seats.flatMap((one) => ruleset.board?.seats[one] ?? []);
    const at = time && <Time at={time} />;
    const moves = texts.movesOf(who, turn.length);
    const name = turn.map(nameOf).join(" ");
    const style = who && signs[0] ? { "--seat": colour(signs[0].colour) } : {};
    const begins = `${first.begins ? "begins" : ""} ${isFirstSince ? "since" : ""}`;
    if (!many)
      return (
        <div class={`step ${begins}`} style={style} data-text={texts.sinceYourMove}>
          <Line {...{ table, entry: first, here, level: 1 }} time={at}>
            <Told {...{ entry: first, ruleset }} />
          </Line>
        </div>
      );
    return (
      <div class={`step ${begins}`} style={style} data-text={texts.sinceYourMove}>
        <a
          class={open ? "turn" : "turn folded-turn"}
          role="treeitem"
          aria-level={1}
          aria-expanded={open}
          aria-label={open ? moves : who ? `${moves}. ${name}` : name}
          tabIndex={-1}
          href={`#v=${turn.at(-1)?.seq}`}
          onClick={(event) => {
            const onTwisty = (event.target as Element).closest(".twisty") !== null;
            if (open || onTwisty) {
              event.preventDefault();
              onFold(turn, !open);
            } else goTo(table, turn.at(-1)?.seq ?? 0, event);
          }}
        >
          <span class="twisty" data-text={open ? "▾" : "▸"} aria-hidden="true" />
          {open ? (
            <span class="head">
              {signs.map((sign) => (
                <svg key={sign.shape} class="sign-mark" viewBox="-14 -14 28 28" aria-hidden="true">
                  <SeatSign sign={sign} />
                </svg>
              ))}
              {moves}
            </span>
          ) : (
            <span class="in-one">{name}</span>
          )}
          {at}
        </a>
        {open &&
          turn.map((entry) => (
            <Line key={entry.seq} {...{ table, entry, here, level: 2 }} time={null}>
              <Told {...{ entry, ruleset }} />
            </Line>
          ))}
      </div>
    );
  }, [first?.seq, signatureOf(turn), here, open, isFirstSince, time, words, game, ruleset]);
}

/** What screen readers read of an entry, and everybody in a folded turn. */
function nameOf(entry: Entry): string {
  const texts = tableWords.value;
  const text = textOf(entry, texts.byRules);
  return entry.gone ? texts.takenBack(text) : text;
}

/** Changes when a turn that has been rendered does. */
function signatureOf(turn: readonly Entry[]): string {
  return turn
    .map(({ seq, gone, event, effects }) => `${seq}${gone ? "x" : ""}${event?.at}${effects.length}`)
    .join();
}

/** The line of an event. */
function Line({
  table,
  entry,
  here,
  level,
  time,
  children,
}: {
  table: Table;
  entry: Entry;
  here: number | null;
  level: 1 | 2;
  time: preact.ComponentChildren;
  children: preact.ComponentChildren;
}) {
  const isHere = entry.seq === here;
  return (
    <a
      class={isHere ? "line here" : "line"}
      role="treeitem"
      aria-level={level}
      aria-label={nameOf(entry)}
      aria-current={isHere ? "true" : undefined}
      tabIndex={-1}
      href={`#v=${entry.seq}`}
      data-seq={entry.seq}
      onClick={(event) => goTo(table, entry.seq, event)}
      onFocus={() => {
        highlighted.value = entry.effects;
      }}
      onBlur={() => {
        highlighted.value = [];
      }}
    >
      {children}
      {time}
    </a>
  );
}

/** What is said of an event; the style puts a point between two sentences. */
function Told({ entry, ruleset }: { entry: Entry; ruleset: Ruleset }) {
  const texts = tableWords.value;
  const { said, effects, event, gone } = entry;
  const byRules = event?.kind === "defaulted" && <em>{texts.byRules} </em>;
  const told = (
    <>
      {said !== null && <em class="said">{said}</em>}
      {said !== null && byRules && " "}
      {byRules}
      {effects.map((effect, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the line has the same for the focus
        <span
          key={index}
          class="effect"
          onMouseEnter={() => {
            highlighted.value = [effect];
          }}
          onMouseLeave={() => {
            highlighted.value = [];
          }}
        >
          {(index > 0 || said !== null) && " "}
          <Sentence {...{ effect, ruleset }} language={language.value} />
        </span>
      ))}
      <span class="more" aria-hidden="true" hidden />
    </>
  );
  return gone ? <s>{told}</s> : told;
}

function Time({ at }: { at: string }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  const day = { day: "numeric", month: "numeric" } as const;
  return (
    <time
      datetime={at}
      title={time.toLocaleString(language.value)}
      data-text={time.toLocaleString(language.value, isToday ? clock : { ...day, ...clock })}
      aria-hidden="true"
    />
  );
}

/** Shows an event, unless the browser shall open it elsewhere. */
function goTo(table: Table, seq: number, event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  table.go(seq);
}

function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

/** Makes an item the one that Tab reaches. */
function stopAt(list: HTMLElement, item: HTMLElement): void {
  for (const each of itemsOf(list)) each.tabIndex = each === item ? 0 : -1;
}

/** The arrow keys lead from item to item; left and right fold and unfold a turn. */
function walk(list: HTMLElement, event: KeyboardEvent): void {
  const items = itemsOf(list);
  const item = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = items.indexOf(item);
  const open = item.getAttribute("aria-expanded");
  const parent = items.findLast((one, index) => index < at && one.ariaExpanded === "true");
  const isWithin = item.ariaLevel === "2";
  const to: Record<string, HTMLElement | undefined> = {
    ArrowUp: items[at - 1],
    ArrowDown: items[at + 1],
    Home: items[0],
    End: items.at(-1),
    ArrowLeft: isWithin ? parent : undefined,
    ArrowRight: open === "true" ? items[at + 1] : undefined,
  };
  const folds = event.key === (open === "true" ? "ArrowLeft" : "ArrowRight") && open !== null;
  if (folds) item.querySelector<HTMLElement>(".twisty")?.click();
  else if (!(event.key in to)) return;
  else to[event.key]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
