/** What owners do in a tournament that is open for entries: enter a bot of theirs, withdraw it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { once, pause, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { api } from "../browser/service.ts";
import { Doing, Failed, useActing, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Cup } from "./cup.ts";
import { enteringWords } from "./entering_words.ts";
import { isEndless, isOpenForEntries, type Report } from "./shapes.ts";

type Bot = Schemas["OwnBotAccount"];

/** The validation game is looked at this often, and the request is sent again after so many. */
const LOOK_MS = 1000;
const LOOKS = 15;

/** `owner` is the player of this browser. */
export function Entering({ cup, report, owner }: { cup: Cup; report: Report; owner: string }) {
  const [asked, again] = useAsked(ownBots, [owner]);
  return (
    <Wait for={asked} again={again}>
      {(bots) =>
        bots.length > 0 && <OwnBots cup={cup} report={report} bots={bots} onTried={again} />
      }
    </Wait>
  );
}

/** The bots of this browser's player; none if its key opens less than all. */
async function ownBots(): Promise<readonly Bot[]> {
  try {
    return (await told(api.GET("/v1/players/me/bots"))).bots;
  } catch (error) {
    if (codeOf(error) === "insufficient_scope") return [];
    throw error;
  }
}

/** `onTried` is called after each try to enter a bot: another may be present by then. */
function OwnBots({
  cup,
  report,
  bots,
  onTried,
}: {
  cup: Cup;
  report: Report;
  bots: readonly Bot[];
  onTried: () => void;
}) {
  const words = enteringWords.value;
  const { plan } = report;
  const [validating, setValidating] = useState(false);
  const out = new Set(report.disqualified.map(({ entry }) => entry));
  const entered = [...plan.entries.entries()].filter(([, { player }]) => isOne(bots, player));
  const playing = entered.filter(([, { name }]) => !out.has(name));
  const others = bots.filter(
    ({ id, version, takes }) =>
      !plan.entries.some(({ name, player, version: of }) =>
        isEndless(report) ? player === id && of === version : player === id && !out.has(name),
      ) &&
      takes.some(({ ruleset, seats }) => ruleset === plan.ruleset && seats.includes(plan.seats)),
  );
  const open = isOpenForEntries(report);
  const free = others.filter(({ id }) => isOpenForEntries(report, id));
  if (entered.length === 0 && !open && !validating) return null;
  return (
    <section class="card entering" aria-labelledby="entering">
      <h2 id="entering">{words.yourBots}</h2>
      <p role="status">{playing.map(([, { name }]) => words.isEntered(name)).join(" ")}</p>
      {playing.map(([number, { name }]) => (
        <Withdraw key={number} cup={cup} entry={number} name={name} />
      ))}
      {(validating || free.length > 0) && (
        <Enter
          cup={cup}
          bots={free}
          onValidating={(is) => {
            setValidating(is);
            if (!is) onTried();
          }}
        />
      )}
      {open && others.length === 0 && entered.length === 0 && (
        <p class="quiet">{words.noBotTakesIt(plan.seats)}</p>
      )}
    </section>
  );
}

function isOne(bots: readonly Bot[], player: string | undefined): boolean {
  return bots.some(({ id }) => id === player);
}

/** `onValidating` is told whether a validation game is being played. */
function Enter({
  cup,
  bots,
  onValidating,
}: {
  cup: Cup;
  bots: readonly Bot[];
  onValidating: (is: boolean) => void;
}) {
  const words = enteringWords.value;
  const [wanted, setWanted] = useState("");
  const [game, setGame] = useState<string | null>(null);
  const here = useRef(true);
  useEffect(
    () => () => {
      here.current = false;
    },
    [],
  );
  const chosen =
    bots.find(({ id }) => id === wanted) ?? bots.find(({ present }) => present) ?? bots[0];
  const { busy, error, act } = useActing(async () => {
    if (!chosen) return;
    setWanted(chosen.id);
    onValidating(true);
    try {
      await enter(cup.id, chosen.id, setGame, () => here.current);
      cup.stir();
    } finally {
      setGame(null);
      onValidating(false);
    }
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void act();
      }}
    >
      <p>{words.validationFirst}</p>
      <p class="inline">
        <label>
          {words.ownBot}
          <select
            value={chosen?.id}
            disabled={busy}
            onChange={(event) => setWanted(event.currentTarget.value)}
          >
            {bots.map(({ id, name, version, present }) => (
              <option key={id} value={id}>
                {name} {version}
                {!present && ` · ${words.notListening}`}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="main" disabled={busy} aria-busy={busy}>
          {words.enter}
        </button>
      </p>
      <p role="status">
        {game !== null && (
          <>
            {words.validating(chosen?.name ?? "")}{" "}
            <a href={`/games/${game}`}>{words.validationGame}</a>
          </>
        )}
      </p>
      {error !== null && <Failed error={error} />}
    </form>
  );
}

/**
 * Enters a bot: asks for its validation game, waits for its end, and asks again. `onGame` gets the
 * game. It gives up when `goesOn` is false.
 */
async function enter(
  cup: string,
  player: string,
  onGame: (game: string) => void,
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    const { status, game_id: game } = await told(
      api.POST("/v1/tournaments/{tournament_id}/entries", {
        params: { path: { tournament_id: cup }, header: once() },
        body: { player },
      }),
    );
    if (status === "entered") return;
    onGame(game);
    for (let looks = 0; looks < LOOKS && goesOn(); looks++) {
      await pause(LOOK_MS);
      const found = await told(
        api.GET("/v1/games/{game_id}", { params: { path: { game_id: game } } }),
      );
      if (found.status === "ended" || found.status === "aborted") break;
    }
  }
}

/** Asks before it withdraws an entry, because that cannot be undone. */
function Withdraw({ cup, entry, name }: { cup: Cup; entry: number; name: string }) {
  const words = enteringWords.value;
  const [asking, setAsking] = useState(false);
  const withdraw = async () => {
    await told(
      api.POST("/v1/tournaments/{tournament_id}/withdraw", {
        params: { path: { tournament_id: cup.id }, header: once() },
        body: { entry },
      }),
    );
    cup.stir();
  };
  if (!asking)
    return (
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          {words.withdrawOwn(name)}
        </button>
      </p>
    );
  return (
    <div class="form sure">
      <p>{words.withdrawSure(name)}</p>
      <p class="actions">
        <Doing does={withdraw}>{phrases.value.yes}</Doing>
        <button type="button" onClick={() => setAsking(false)}>
          {phrases.value.no}
        </button>
      </p>
    </div>
  );
}
