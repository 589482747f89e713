/** A game between bots on a small board, followed while one looks at it. */

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { pause, type Schemas, told } from "../api/client.ts";
import { follow } from "../api/stream.ts";
import { sceneOf, type View } from "../board/scene.ts";
import { SmallBoard } from "../board/small.tsx";
import { language } from "../browser/language.ts";
import { api, rulesets, service } from "../browser/service.ts";
import { settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";

/** How long the last position of a game is shown before the next game. */
const REST_MS = 4000;

interface Shown {
  readonly view: View;
  /** What happened last, in words. */
  readonly said: string;
}

/** Whether boards move, if somebody has chosen: the next game is shown as this one. */
const chosen = signal<boolean | null>(null);

export function Live({
  game,
  onOver,
}: {
  game: Schemas["GameSummary"];
  /** Called when the game has ended, and its last position was shown for a while. */
  onOver: () => void;
}) {
  const words = phrases.value;
  const tongue = language.value;
  const moves = chosen.value ?? (glideMs.peek() > 0 && settings.peek().pace > 0);
  const [frame, inSight] = useInSight<HTMLDivElement>();
  const [asked] = useAsked(() => rulesets.read(game.ruleset), [game.ruleset, tongue]);
  const setMoves = () => {
    chosen.value = !moves;
  };
  const shown = useShown(game, inSight, moves, onOver);
  const found = asked.state === "here" ? asked.value : null;
  const scene = useMemo(
    () =>
      found?.board && shown
        ? sceneOf(
            {
              board: found.board,
              tables: found.tables,
              words: found.words[tongue],
              language: tongue,
              names: [],
            },
            shown.view,
            null,
          )
        : null,
    [found, shown, tongue],
  );
  return (
    <div ref={frame} class="live-board">
      {scene && found && (
        <a href={`/games/${game.id}`}>
          <SmallBoard
            scene={scene}
            renderer={found.renderer}
            dark={dark.value}
            name={found.titles[tongue] ?? game.ruleset}
          />
        </a>
      )}
      <p class="quiet">
        <button type="button" class="plain" aria-pressed={moves} onClick={setMoves}>
          {moves ? words.pause : words.autoplay}
        </button>{" "}
        <span>{shown?.said}</span>
      </p>
    </div>
  );
}

/** Whether an element is on the screen, and the page is visible. */
function useInSight<T extends Element>() {
  const frame = useRef<T>(null);
  const [within, setWithin] = useState(false);
  const [visible, setVisible] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setWithin(!!entry?.isIntersecting));
    if (frame.current) observer.observe(frame.current);
    const changed = () => setVisible(document.visibilityState === "visible");
    addEventListener("visibilitychange", changed);
    return () => {
      observer.disconnect();
      removeEventListener("visibilitychange", changed);
    };
  }, []);
  return [frame, within && visible] as const;
}

/**
 * The newest position of a game; it stays as it is while nobody looks, or `moves` is false. What is
 * asked again after a game's end may be that game once more: it is followed once more.
 */
function useShown(
  game: Schemas["GameSummary"],
  inSight: boolean,
  moves: boolean,
  onOver: () => void,
): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (!inSight) return;
    const stop = new AbortController();
    followed(game.id, moves, stop.signal, setShown).then(
      (ended) => ended && over.current(),
      () => undefined, // after an error, the board stays as it is
    );
    return () => stop.abort();
  }, [game, inSight, moves]);
  return shown;
}

/** Shows a game's position, and if it `moves` each later one; returns whether the game has ended. */
async function followed(
  id: string,
  moves: boolean,
  stop: AbortSignal,
  show: (shown: Shown) => void,
): Promise<boolean> {
  const params = { path: { game_id: id }, query: { spectator: true } };
  const { state, version } = await told(api.GET("/v1/games/{game_id}/state", { params }));
  if (stop.aborted) return false;
  if (state) show({ view: state as unknown as View, said: "" });
  if (!moves) return false;
  let ended = false;
  await follow(service, {
    path: `/v1/games/${encodeURIComponent(id)}/stream?include=state,words&spectator=true`,
    after: version,
    signal: stop,
    onEvent: (data) => {
      const event = JSON.parse(data) as Schemas["Event"];
      if (event.state?.state)
        show({
          view: event.state.state as unknown as View,
          said: (event.words as readonly string[] | undefined)?.join(" · ") ?? "",
        });
    },
    onLast: (kind) => {
      ended = kind === "end";
    },
  });
  if (ended) await pause(REST_MS);
  return ended && !stop.aborted;
}
