/**
 * Boards with the newest games. A game is sealed until its block has ended, so it cannot be
 * followed. The tournament's stream reports the end of a block, and then the games of the block are
 * replayed.
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { pause, type Schemas, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { sceneOf, type View } from "../board/scene.ts";
import { SmallBoard } from "../board/small.tsx";
import { language } from "../browser/language.ts";
import { api, rulesets } from "../browser/service.ts";
import { settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { useWidth } from "../charts/frame.tsx";
import { useAsked, Wait } from "../parts/parts.tsx";
import type { Cup } from "./cup.ts";
import { rankedOf } from "./rounds.tsx";
import type { GameRow } from "./shapes.ts";
import { cupWords } from "./words.ts";

/** The minimum width of a board, and the maximum number of boards. */
const WIDTH = 300;
const MOST = 4;
const STEP_MS = 350;
/** How long the last position of a game is shown before the next game. */
const REST_MS = 4000;
/** Number of events read at once. */
const PAGE = 40;

export function Boards({ cup, game }: { cup: Cup; game: string }) {
  const words = cupWords.value;
  const [asked, again] = useAsked(() => rulesets.read(game), [game]);
  const [frame, width] = useWidth<HTMLElement>();
  const count = Math.min(MOST, Math.max(1, Math.floor(width / WIDTH)));
  const [playing, setPlaying] = useState(glideMs.peek() > 0 && settings.peek().pace > 0);
  const [newest, error] = useNewest(cup, count);
  const [shown, replace] = useShown(newest, count, playing);
  return (
    <section class="live" aria-labelledby="boards" ref={frame}>
      <h2 id="boards">{words.boards}</h2>
      <p class="quiet">{playing ? words.boardsAre : words.boardsStill}</p>
      {error !== null && (
        <Wait for={{ state: "failed", error }} again={() => cup.stir()} children={() => null} />
      )}
      {newest.length === 0 ? (
        <p>{words.noBoards}</p>
      ) : (
        <>
          <p>
            <button type="button" aria-pressed={playing} onClick={() => setPlaying(!playing)}>
              {playing ? words.stopBoards : words.playBoards}
            </button>
          </p>
          <Wait for={asked} again={again}>
            {(found) => (
              <ul class="boards">
                {shown.map((one) => (
                  <li key={one.id}>
                    <Replay
                      game={one}
                      ruleset={found}
                      playing={playing}
                      onOver={() => replace(one)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </Wait>
        </>
      )}
    </section>
  );
}

/** The newest games that are not sealed: enough to replace each shown game once. */
function useNewest(cup: Cup, count: number): [readonly GameRow[], unknown] {
  const [games, setGames] = useState<readonly GameRow[]>([]);
  const [error, setError] = useState<unknown>(null);
  const size = cup.perBlock.value;
  const blocks = cup.ended.value.slice(0, Math.ceil((2 * count) / Math.max(1, size)));
  // New games are read only with a new report, so that a quick tournament causes few requests.
  const version = cup.report.value?.version;
  useEffect(() => {
    if (size === 0 || blocks.length === 0) return;
    let current = true;
    Promise.all(blocks.map((block) => cup.games(block, block))).then(
      (found) => current && setGames(found.flat().filter(({ result }) => result !== null)),
      (problem) => current && setError(problem),
    );
    return () => {
      current = false;
    };
  }, [version, size, count, blocks.length > 0]);
  return [games, error];
}

/** The games on the boards; each stays on its board until its replay is over. */
function useShown(
  newest: readonly GameRow[],
  count: number,
  playing: boolean,
): [readonly GameRow[], (over: GameRow) => void] {
  const [kept, setKept] = useState<readonly GameRow[]>([]);
  const seen = useRef(new Set<string>());
  const shown = useMemo(() => {
    if (!playing) return newest.slice(0, count);
    const others = newest.filter(({ id }) => !kept.some((one) => one.id === id));
    return [...kept, ...others].slice(0, count);
  }, [newest, count, playing, kept]);
  useEffect(() => {
    for (const { id } of shown) seen.current.add(id);
    if (shown.some(({ id }, index) => kept[index]?.id !== id) || kept.length !== shown.length)
      setKept(shown);
  }, [shown]);
  const replace = (over: GameRow) => {
    const next = newest.find(({ id }) => !seen.current.has(id));
    if (next) setKept(shown.map((one) => (one.id === over.id ? next : one)));
  };
  return [shown, replace];
}

/** One game on a small board: its last position, or a replay event by event. */
function Replay({
  game,
  ruleset: found,
  playing,
  onOver,
}: {
  game: GameRow;
  ruleset: Ruleset;
  playing: boolean;
  onOver: () => void;
}) {
  const [view, setView] = useState<View | null>(null);
  const card = useRef<HTMLAnchorElement>(null);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    let current = true;
    const show = (next: View) => current && setView(next);
    const done = playing
      ? playAgain(
          game.id,
          show,
          () => current,
          () => isLookedAt(card.current),
        ).then(() => current && over.current())
      : lastView(game.id).then(show);
    done.catch(() => undefined); // after an error, the board stays as it is
    return () => {
      current = false;
    };
  }, [game.id, playing]);
  const tongue = language.value;
  const scene = useMemo(
    () =>
      view && found.board
        ? sceneOf(
            {
              board: found.board,
              tables: found.tables,
              words: found.words[tongue],
              language: tongue,
              names: game.seating,
            },
            view,
            null,
          )
        : null,
    [view, found, tongue],
  );
  return (
    <a ref={card} class="card small-game" href={`/games/${game.id}`}>
      <strong>{cupWords.value.gameOf(game.block, game.rotation)}</strong>
      <span>{(playing ? game.seating : rankedOf(game)).join(", ")}</span>
      {scene ? (
        <SmallBoard
          scene={scene}
          renderer={found.renderer}
          dark={dark.value}
          name={cupWords.value.boardOf(game.seating.join(", "))}
        />
      ) : (
        found.board && <svg viewBox={`0 0 ${found.board.size.join(" ")}`} aria-hidden="true" />
      )}
    </a>
  );
}

async function lastView(id: string): Promise<View> {
  const { state } = await told(
    api.GET("/v1/games/{game_id}/state", {
      params: { path: { game_id: id }, query: { spectator: true } },
    }),
  );
  return state as unknown as View;
}

function isLookedAt(element: Element | null): boolean {
  const box = element?.getBoundingClientRect();
  return (
    document.visibilityState === "visible" &&
    box !== undefined &&
    box.bottom > 0 &&
    box.top < innerHeight
  );
}

/** Shows one position after the other, but only while the page is visible. */
async function playAgain(
  id: string,
  show: (view: View) => void,
  goesOn: () => boolean,
  isSeen: () => boolean,
): Promise<void> {
  for (let after: number | null = 0; after !== null && goesOn(); ) {
    const page: string | Schemas["EventPage"] = await told(
      api.GET("/v1/games/{game_id}/events", {
        params: {
          path: { game_id: id },
          query: { after, limit: PAGE, include: ["state"], spectator: true },
        },
      }),
    );
    if (typeof page === "string") return;
    for (const { state } of page.events) {
      if (!state?.state) continue;
      show(state.state as unknown as View);
      do await pause(STEP_MS);
      while (goesOn() && !isSeen());
      if (!goesOn()) return;
    }
    after = page.next_after;
  }
  await pause(REST_MS);
}
