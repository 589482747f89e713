/** Navigation through a game: a slider on which rounds are marked, keys, steps, and autoplay. */

import { choose, settings } from "../browser/settings.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Table } from "../play/table.ts";
import { tableWords } from "./words.ts";

export function Scrubber({ table }: { table: Table }) {
  const words = phrases.value;
  const texts = tableWords.value;
  const [wanted, newest] = [table.wanted.value, table.newest.value];
  const [following, playing] = [table.following.value, table.playing.value];
  const round = table.rounds.value.findLast(({ seq }) => seq <= wanted);
  const place = texts.version(wanted, newest);
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
          aria-label={texts.moment}
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
              {texts.shownFor(name)}
            </option>
          ))}
        </select>
      </label>
      <output>
        {place}
        {round && <small title={round.text}>{round.text}</small>}
      </output>
      {!following && (
        <button type="button" class="main" onClick={() => table.catchUp()}>
          {texts.follow}
        </button>
      )}
    </div>
  );
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
  const name = { ...phrases.value, ...tableWords.value }[to];
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
