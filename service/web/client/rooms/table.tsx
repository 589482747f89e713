/** A table: the board, the choices, the log, and the players. The same room replays games. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Afterwards } from "../analysis/afterwards.tsx";
import { useCut } from "../browser/connection.ts";
import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { loading } from "../browser/release.ts";
import { rulesets, service } from "../browser/service.ts";
import { settings } from "../browser/settings.ts";
import { CheckThis } from "../checking/button.tsx";
import { reveal } from "../identity/entropy.ts";
import { keepReceipt } from "../identity/receipts.ts";
import { guestName, somebody } from "../identity/signing.ts";
import { Failed, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { Choosing } from "../play/choice.ts";
import { seatsOf, Table, type Viewer } from "../play/table.ts";
import { momentInAddress, PRESENT } from "../table/address.ts";
import { BoardPanel } from "../table/board.tsx";
import { Chooser } from "../table/chooser.tsx";
import { useTableKeys } from "../table/keys.ts";
import { NextGame } from "../table/next.tsx";
import { useMissing } from "../table/seen.ts";
import { useTurnSignals } from "../table/signals.ts";

type Parts = typeof import("./later.ts");

/** The player of this browser, who brings entropy to tables, and keeps receipts of moves. */
const VIEWER: Viewer = {
  service,
  rulesets,
  own: (game) => seatsOf(game, identity.value?.id),
  pace: () => settings.peek().pace,
  confirms: () => settings.value.confirm,
  take: reveal,
  sign: async (...told) => {
    const { signed } = await loading(() => import("../signing/moves.ts"));
    return signed(...told, language.peek());
  },
  keep: keepReceipt,
  signUp: () => somebody(guestName()),
  rewound: () => location.reload(),
};

/** Tells style/narrow.css how high the question is, which stands below the page there. */
const below = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    const { height } = target.getBoundingClientRect();
    document.body.style.setProperty("--asked", `${height}px`);
  }
});

function measured(question: HTMLElement | null): void {
  if (question) below.observe(question);
}

export function TableRoom({ id }: { id: string }) {
  const table = useMemo(() => new Table(id, VIEWER), [id]);
  const choice = useMemo(() => new Choosing(table), [table]);
  // Before the first paint, because nothing is seen before the game has been read.
  useLayoutEffect(() => {
    void table.open(() => momentInAddress() ?? PRESENT);
    const moved = () => {
      const moment = momentInAddress();
      if (moment !== null) void table.goTo(moment);
    };
    addEventListener("hashchange", moved);
    return () => {
      removeEventListener("hashchange", moved);
      choice.close();
      table.close();
    };
  }, [table]);
  useTableKeys(table, choice);
  useTurnSignals(table);
  useCut(table.cutSince.value !== null && !table.over.value);
  const missing = useMissing(table);
  const [asked, setAsked] = useState(false);
  const [reading, setReading] = useState(false);
  const read = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
    event.preventDefault();
    setReading(!reading);
  };
  const replays = asked || table.over.value || !table.following.value;
  const words = phrases.value;
  const game = table.game.value;
  const ruleset = table.ruleset.value;
  if (table.error.value !== null)
    return <Failed error={table.error.value} again={() => location.reload()} />;
  if (!game || !ruleset) return <p class="quiet">{words.loading}</p>;
  const title = ruleset.titles[language.value] ?? ruleset.id;
  const locked = game.table.visibility === "private";
  const checked = { kind: "game", id, over: table.over.value, locked } as const;
  return (
    <div
      class="table"
      data-status={game.status}
      data-shown={table.shown.value}
      data-newest={table.newest.value}
      data-seat={table.frame.value?.state.seat ?? "spectator"}
      data-supposing={table.supposing.value || undefined}
    >
      <header class="table-head">
        <h1>{game.table.title ?? title}</h1>
        <p class="quiet">
          {game.table.title && `${title} · `}
          {words.status[game.status]} ·{" "}
          <a href={`/rules/${game.ruleset}`} data-rules onClick={read}>
            {words.rules}
          </a>
          {game.tournament !== null && (
            <>
              {" "}
              · <a href={`/tournaments/${game.tournament}`}>{words.ofTournament}</a>
            </>
          )}
          {game.table.rating_rule === 0 && <Later quiet>{({ NotRated }) => <NotRated />}</Later>}
        </p>
        <NextGame after={id} />
      </header>
      <Later quiet>
        {({ ReceiptCheck, Signed }) => (
          <>
            <ReceiptCheck game={game} over={table.over.value} />
            <Signed game={game}>
              {({ KeyElsewhere }) => <KeyElsewhere {...{ table, game }} />}
            </Signed>
          </>
        )}
      </Later>
      {game.suspended_since && <p class="banner">{words.suspended}</p>}
      {game.status === "lobby" || game.status === "closed" || game.version < 1 ? (
        <>
          <Later>
            {({ LobbyPanel }) => <LobbyPanel table={table} game={game} ruleset={ruleset} />}
          </Later>
          <CheckThis {...checked} />
        </>
      ) : (
        <BoardPanel
          table={table}
          choice={choice}
          ruleset={ruleset}
          inWords={(shown) => <Later>{({ ViewInWords }) => <ViewInWords {...shown} />}</Later>}
          replay={replays ? <Later>{({ Scrubber }) => <Scrubber table={table} />}</Later> : null}
          beside={
            <div class="side first" ref={measured}>
              <Helped part="Lesson" {...{ table, choice, ruleset }} />
              <Later quiet>{({ OutOfTime }) => <OutOfTime table={table} />}</Later>
              {missing.missed && (
                <Later quiet>
                  {({ SinceYouLooked }) => <SinceYouLooked table={table} missing={missing} />}
                </Later>
              )}
              {table.over.value && (
                <Later quiet>
                  {({ Result }) => <Result table={table} game={game} ruleset={ruleset} />}
                </Later>
              )}
              <Chooser
                table={table}
                choice={choice}
                ruleset={ruleset}
                past={<Later>{({ Past }) => <Past table={table} ruleset={ruleset} />}</Later>}
                supposed={
                  <Later>{({ Supposed }) => <Supposed table={table} ruleset={ruleset} />}</Later>
                }
              />
              <Helped part="Besides" {...{ table, choice, ruleset }} />
            </div>
          }
          after={
            <div class="side">
              <CheckThis {...checked} />
              <Later>{({ Seats }) => <Seats table={table} game={game} ruleset={ruleset} />}</Later>
              <Later quiet>
                {({ Why, TargetsInSight }) => (
                  <>
                    <Why table={table} choice={choice} />
                    <TargetsInSight table={table} choice={choice} />
                  </>
                )}
              </Later>
              <Log {...{ table, ruleset, replays }} onReplay={() => setAsked(!asked)} />
            </div>
          }
        />
      )}
      <Afterwards table={table} ruleset={ruleset} />
      {reading && <Drawer {...{ table, choice, ruleset }} onClose={() => setReading(false)} />}
    </div>
  );
}

/** Shows parts as soon as they are loaded; until then, it says so. */
function Loaded<T>({
  load,
  quiet = false,
  children,
}: {
  load: () => Promise<T>;
  /** Whether nothing is said until then. */
  quiet?: boolean;
  children: (parts: T) => ComponentChildren;
}) {
  const [asked, again] = useAsked(() => loading(load), []);
  if (quiet && asked.state === "asking") return null;
  return (
    <Wait for={asked} again={again}>
      {children}
    </Wait>
  );
}

/** Parts that most tables need, which are loaded together. */
function Later(props: { quiet?: boolean; children: (parts: Parts) => ComponentChildren }) {
  return <Loaded load={() => import("./later.ts")} {...props} />;
}

/** The log, which is loaded after the board. */
function Log(props: Parameters<typeof import("../table/log.tsx").Log>[0]) {
  return (
    <Loaded load={() => import("../table/log.tsx")}>
      {({ Log: Found }) => <Found {...props} />}
    </Loaded>
  );
}

type Help = typeof import("../table/help.ts");

const help = () => import("../table/help.ts");

/** The rules beside the board. */
function Drawer(props: Parameters<Help["RulesDrawer"]>[0]) {
  return <Loaded load={help}>{({ RulesDrawer }) => <RulesDrawer {...props} />}</Loaded>;
}

/** The steps of a first game, with tips; or what stands below the question. */
function Helped({
  part,
  ...props
}: { part: "Lesson" | "Besides" } & Parameters<Help["Besides"]>[0] &
  Parameters<Help["Lesson"]>[0]) {
  const [asked] = useAsked(() => loading(help), []);
  if (asked.state !== "here") return null;
  const Part = asked.value[part];
  return <Part {...props} />;
}
