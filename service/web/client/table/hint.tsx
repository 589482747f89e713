/** A hint on request: what a bot would do in the viewer's place, and why. */

import { useEffect, useRef, useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { language } from "../browser/language.ts";
import { api } from "../browser/service.ts";
import { keepReceipt } from "../identity/receipts.ts";
import { Doing, Failed } from "../parts/parts.tsx";
import type { Choosing } from "../play/choice.ts";
import type { Table } from "../play/table.ts";
import { differs, type HintMove, hasHints } from "./hint.ts";
import { estimate, hintWords } from "./hint_words.ts";

/** The bot that gives hints. */
const BOT = "lookahead";

type Found = Schemas["Hint"];

/** The times in milliseconds between looks for a hint, at first and at most. */
const [FIRST_LOOK, LAST_LOOK] = [300, 2000];

/** The button that asks for a hint, or the hint for the decision that it was asked for. */
export function Hint({
  table,
  choice,
  ruleset,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
}) {
  const [found, setFound] = useState<Found | null>(null);
  const game = table.game.value;
  const seat = table.frame.value?.state.seat ?? null;
  const legal = table.legal.value;
  const open = table.asked.value.find((decision) => decision.seat === seat)?.id;
  const over = found !== null && (found.seat !== seat || found.decision !== open);
  // With the next question, a hint for an earlier one goes.
  useEffect(() => {
    if (over && open !== undefined) setFound(null);
  }, [over, open]);
  if (found !== null)
    return (
      <Shown
        ruleset={ruleset}
        found={found}
        over={over}
        take={taking(choice, legal)}
        close={() => setFound(null)}
      >
        {setFound}
      </Shown>
    );
  const asks = legal !== null && legal.moves.length > 1 && !table.supposing.value;
  if (!game || seat === null || !asks || !hasHints(game, table.own.value)) return null;
  const ask = async () => {
    const path = { game_id: table.id };
    const request = { params: { path, header: once() }, body: { seat } };
    const { receipt, ...asked } = await told(api.POST("/v1/games/{game_id}/hint", request));
    if (receipt) keepReceipt(table.id, receipt);
    setFound(asked);
  };
  const words = hintWords.value;
  return (
    <div class="ask">
      <Doing does={ask}>{words.ask(nameOf(ruleset))}</Doing>
      {game.hints && <small class="quiet">{words.seen}</small>}
    </div>
  );
}

/** The name for people of the bot that gives hints. */
function nameOf({ summary }: Ruleset): string {
  return summary.bots.find(({ name }) => name === BOT)?.title ?? BOT;
}

/** Takes a move as from the list of moves; null if it is not legal now. */
function taking(choice: Choosing, legal: Table["legal"]["value"]) {
  return ({ move, label }: HintMove) => {
    const wanted = JSON.stringify(move);
    const index = legal?.moves.findIndex((each) => JSON.stringify(each) === wanted) ?? -1;
    return index < 0 ? null : () => choice.take({ kind: "move", index, label });
  };
}

function Shown({
  ruleset,
  found,
  over,
  take,
  close,
  children: put,
}: {
  ruleset: Ruleset;
  found: Found;
  over: boolean;
  take: (move: HintMove) => (() => void) | null;
  close: () => void;
  /** Gets the hint as far as it is. */
  children: (found: Found) => void;
}) {
  const words = hintWords.value;
  const who = nameOf(ruleset);
  const box = useRef<HTMLElement>(null);
  const error = useLooks(found, put);
  const { state, detail, result } = found;
  useEffect(() => {
    if (state === "done") box.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  return (
    <section class="hint" aria-label={words.ask(who)} ref={box}>
      <p role="status">
        {over && words.past}
        {!over && (state === "queued" || state === "running") && words.waits(who)}
        {!over && state === "failed" && words.failed(detail ?? "")}
        {!over && result && (
          <>
            {words.would(who)} <span class="sr">{result.moves[0]?.label}</span>
          </>
        )}
      </p>
      {error !== null && <Failed error={error} />}
      {!over && result && (
        <>
          <Moves moves={result.moves} take={take} />
          <p class="quiet">{words.note(who)}</p>
        </>
      )}
      <button type="button" class="plain close" aria-label={words.close} onClick={close}>
        ✕
      </button>
    </section>
  );
}

/** Looks for a hint until it is there, and again in another language; returns an error of that. */
function useLooks(found: Found, put: (found: Found) => void): unknown {
  const [error, setError] = useState<unknown>(null);
  const spoken = useRef(language.value);
  const { game_id, seat, decision, state } = found;
  useEffect(() => {
    const wanted = language.value;
    if (state === "failed" || (state === "done" && spoken.current === wanted)) return;
    let wait = FIRST_LOOK;
    let timer: ReturnType<typeof setTimeout>;
    let current = true;
    const look = async () => {
      const params = { path: { game_id }, query: { seat, decision } };
      try {
        const next = await told(api.GET("/v1/games/{game_id}/hint", { params }));
        if (!current) return;
        spoken.current = wanted;
        if (next.state === "done" || next.state === "failed") put(next);
        else again();
      } catch (failed) {
        if (current) setError(failed);
      }
    };
    const again = () => {
      timer = setTimeout(look, wait);
      wait = Math.min(1.5 * wait, LAST_LOOK);
    };
    again();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [game_id, seat, decision, state, language.value]);
  return error;
}

/** The moves, the bot's own first; each is chosen as from the list of moves. */
function Moves({
  moves,
  take,
}: {
  moves: readonly HintMove[];
  take: (move: HintMove) => (() => void) | null;
}) {
  const words = hintWords.value;
  const others = [words.same, words.costs, words.better];
  return (
    <ol>
      {moves.map((each, at) => {
        const { lead, cost } = each;
        const said =
          at > 0
            ? others.at(differs(each))?.(estimate(cost))
            : (lead.mean < 0 ? words.behind : words.leads)(estimate(lead));
        const chosen = take(each);
        const text = (
          <>
            <span>{each.label}</span> <small>{said}</small>
          </>
        );
        return (
          <li key={each.label}>
            {chosen ? (
              <button type="button" onClick={chosen}>
                {text}
              </button>
            ) : (
              <p>{text}</p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
