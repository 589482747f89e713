/**
 * Navigation through a game: a slider on which rounds are marked, keys, steps, autoplay, and
 * addresses.
 */

import { useEffect } from "preact/hooks";
import { choose, settings } from "../browser/settings.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Moment, Table } from "../play/table.ts";
import { fragmentOf, momentInAddress } from "./address.ts";

/** Minimum milliseconds between two drawings during autoplay; events between them are skipped. */
const QUICKEST = 150;

export function Scrubber({ table, larger }: { table: Table; larger: boolean }) {
  const words = phrases.value;
  const [wanted, newest] = [table.wanted.value, table.newest.value];
  const [following, playing] = [table.following.value, table.playing.value];
  const round = table.rounds.value.findLast(({ seq }) => seq <= wanted);
  useAddress(table);
  useAutoplay(table);
  const place = words.version(wanted, newest);
  const turnPage = (event: KeyboardEvent) => {
    if (event.key !== "PageUp" && event.key !== "PageDown") return;
    event.preventDefault();
    table.goRound(event.key === "PageUp" ? 1 : -1);
  };
  return (
    <div class="replay" role="group" aria-label={words.replay}>
      <div class="track">
        <input
          type="range"
          min={1}
          max={Math.max(newest, 1)}
          value={wanted}
          aria-label={words.moment}
          aria-valuetext={round ? `${place}. ${round.text}` : place}
          onInput={(event) => table.go(Number(event.currentTarget.value))}
          onKeyDown={turnPage}
        />
        <Marks table={table} />
      </div>
      <Step to="first" off={wanted <= 1} does={() => table.go(1)} />
      <Step to="previousRound" off={wanted <= 1} does={() => table.goRound(-1)} />
      <Step to="previous" off={wanted <= 1} does={() => table.go(wanted - 1)} />
      <Step
        to={playing ? "pause" : "autoplay"}
        off={!playing && (following ? !table.over.value : wanted >= newest)}
        pressed={playing}
        does={() => table.play(!playing)}
      />
      <Step to="next" off={wanted >= newest} does={() => table.go(wanted + 1)} />
      <Step to="nextRound" off={wanted >= newest} does={() => table.goRound(1)} />
      <Step to="last" off={wanted >= newest} does={() => table.catchUp()} />
      <label class="pace">
        <span class="sr">{words.pace}</span>
        <select
          title={words.pace}
          value={settings.value.pace}
          onChange={(event) => choose({ pace: Number(event.currentTarget.value) })}
        >
          {Object.entries(words.paces).map(([pace, name]) => (
            <option key={pace} value={pace}>
              {words.shownFor(name)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="enlarge"
        aria-pressed={larger}
        onClick={() => choose({ larger: !larger })}
      >
        {words.larger}
      </button>
      <output>
        {place}
        {round && <small>{round.text}</small>}
      </output>
      {following && wanted < newest && (
        <button type="button" class="main" data-skip onClick={() => table.catchUp()}>
          {words.skipAhead}
        </button>
      )}
      {!following && (
        <button type="button" class="main" onClick={() => table.catchUp()}>
          {words.follow}
        </button>
      )}
    </div>
  );
}

/** Keeps the address of the page up to date with the shown moment, so that people can share it. */
function useAddress(table: Table): void {
  const [wanted, following] = [table.wanted.value, table.following.value];
  const begun = table.begun.value;
  const eyes: Moment["eyes"] = table.eyes.value ?? "spectator";
  const own = table.own.value[0] ?? "spectator";
  useEffect(() => {
    if (!begun || wanted === 0) return; // the address has not been read yet
    const moment = { at: following ? null : wanted, eyes: eyes === own ? null : eyes };
    const fragment = fragmentOf(moment);
    // The fragment of the address is not a moment: leave it.
    if (fragment === "" && momentInAddress() === null) return;
    if (fragment !== location.hash) history.replaceState(null, "", location.pathname + fragment);
  }, [begun, wanted, following, eyes, own]);
}

/**
 * During autoplay, go on when an event has been shown for its time, but never before it is drawn.
 */
function useAutoplay(table: Table): void {
  const [playing, shown] = [table.playing.value, table.shown.value];
  const [wanted, newest] = [table.wanted.value, table.newest.value];
  useEffect(() => {
    if (!playing || shown !== wanted) return;
    if (shown >= newest) {
      table.playing.value = false;
      return;
    }
    const told = table.frame.peek()?.effects.length ?? 0;
    const time = told > 0 ? Math.max(settings.peek().pace, QUICKEST) : 0;
    const timer = setTimeout(() => table.go(shown + 1), time);
    return () => clearTimeout(timer);
  }, [playing, shown, wanted, newest]);
}

/** A mark for each round, at its beginning on the slider. */
function Marks({ table }: { table: Table }) {
  const last = Math.max(table.newest.value - 1, 1);
  const lines = table.rounds.value.map(({ seq }) => `M${((seq - 1) / last) * 1000} 0v8`);
  if (lines.length === 0) return null;
  return (
    <svg
      class="marks"
      viewBox="0 0 1000 8"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-rounds={lines.length}
    >
      <path d={lines.join("")} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const GLYPHS = {
  first: "M4 4v12M16 4 7 10l9 6z",
  previousRound: "M10 4 2 10l8 6zM18 4l-8 6 8 6z",
  previous: "M14 4 5 10l9 6z",
  autoplay: "M5 3l12 7-12 7z",
  pause: "M6 4v12M14 4v12",
  next: "M6 4l9 6-9 6z",
  nextRound: "M10 4l8 6-8 6zM2 4l8 6-8 6z",
  last: "M16 4v12M4 4l9 6-9 6z",
} as const;

function Step({
  to,
  off,
  pressed,
  does,
}: {
  to: keyof typeof GLYPHS;
  off: boolean;
  pressed?: boolean;
  does: () => void;
}) {
  const name = phrases.value[to];
  return (
    <button
      type="button"
      class="step"
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      disabled={off}
      onClick={does}
    >
      <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">
        <path d={GLYPHS[to]} />
      </svg>
    </button>
  );
}
