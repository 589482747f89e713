/** Going back and forth in a game: a slider with keys, steps, autoplay, and an address for each event. */

import { useEffect, useState } from "preact/hooks";
import { choose, settings } from "../app/settings.ts";
import { phrases } from "../words/phrases.ts";
import type { Table } from "./table.ts";

const SLOWEST = 700;

export function Scrubber({ table }: { table: Table }) {
  const words = phrases.value;
  const [playing, setPlaying] = useState(false);
  const [shown, newest] = [table.shown.value, table.newest.value];
  const following = table.following.value;
  useEffect(() => {
    const address = following ? location.pathname : `#v=${shown}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }, [shown, following]);
  useEffect(() => {
    if (!playing) return;
    if (shown >= newest) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => table.go(shown + 1), settings.value.pace || SLOWEST);
    return () => clearTimeout(timer);
  }, [playing, shown, newest]);
  const behind = following && shown < newest;
  return (
    <div class="scrubber" role="group" aria-label={words.version(shown, newest)}>
      <button
        type="button"
        onClick={() => table.go(1)}
        disabled={shown <= 1}
        aria-label={words.first}
      >
        <Glyph path={GLYPHS.first} />
      </button>
      <button
        type="button"
        onClick={() => table.go(shown - 1)}
        disabled={shown <= 1}
        aria-label={words.previous}
      >
        <Glyph path={GLYPHS.previous} />
      </button>
      <input
        type="range"
        min={1}
        max={Math.max(newest, 1)}
        value={shown}
        aria-label={words.version(shown, newest)}
        aria-valuetext={words.version(shown, newest)}
        onInput={(event) => table.go(Number(event.currentTarget.value))}
      />
      <button
        type="button"
        onClick={() => table.go(shown + 1)}
        disabled={shown >= newest}
        aria-label={words.next}
      >
        <Glyph path={GLYPHS.next} />
      </button>
      <button
        type="button"
        onClick={() => table.catchUp()}
        disabled={shown >= newest}
        aria-label={words.last}
      >
        <Glyph path={GLYPHS.last} />
      </button>
      <button
        type="button"
        aria-pressed={playing}
        disabled={shown >= newest}
        onClick={() => setPlaying(!playing)}
      >
        {playing ? words.pause : words.autoplay}
      </button>
      <button
        type="button"
        class="enlarge"
        aria-pressed={settings.value.larger}
        onClick={() => choose({ larger: !settings.value.larger })}
      >
        {words.larger}
      </button>
      <output>{words.version(shown, newest)}</output>
      {behind && (
        <button type="button" class="main" onClick={() => table.catchUp()}>
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

const GLYPHS = {
  first: "M4 4v12M16 4 7 10l9 6z",
  previous: "M14 4 5 10l9 6z",
  next: "M6 4l9 6-9 6z",
  last: "M16 4v12M4 4l9 6-9 6z",
} as const;

function Glyph({ path }: { path: string }) {
  return (
    <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
