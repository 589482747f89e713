/** Shows the folded words of what is pointed to, by pointer, finger or focus. */

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { TEXTS } from "./elements.tsx";
import { FOLDED } from "./room.ts";
import type { Scene } from "./scene.ts";

interface Told {
  readonly said: string;
  readonly style: Record<string, string>;
}

const GAP = 6;
const WIDTH = 260;
const SHOWS = ["pointerover", "focusin"];
const HIDES = ["pointerleave", "focusout", "keydown"];

export function ToldWords({
  within,
  scene,
}: {
  within: RefObject<HTMLElement | null>;
  scene: Pick<Scene, "board" | "says">;
}) {
  const [told, setTold] = useState<Told | null>(null);
  useEffect(() => {
    const { current: frame } = within;
    if (!frame) return;
    const ended = new AbortController();
    const on = (names: string[], does: (event: Event) => void) => {
      for (const name of names) frame.addEventListener(name, does, ended);
    };
    on(SHOWS, ({ target }) => setTold(toldOf(target as Element, scene)));
    on(HIDES, () => setTold(null));
    return () => ended.abort();
  }, [scene]);
  // Buttons have the words in their names already.
  return (
    told && (
      <p class="told" style={told.style} aria-hidden="true">
        {told.said}
      </p>
    )
  );
}

/** The words of the place or piece at an element, unless they are all seen. */
function toldOf(element: Element, scene: Pick<Scene, "board" | "says">): Told | null {
  const at = element.closest<SVGGElement>(".board svg :is(.place, .piece)");
  const isLarge =
    element.closest("[data-looks]") && !at?.ownerSVGElement?.querySelector(`.large :is(${FOLDED})`);
  if (!at?.querySelector(FOLDED) || isLarge) return null;
  const { left, right, top, bottom } = at.getBoundingClientRect();
  const middle = Math.min(Math.max((left + right) / 2, WIDTH / 2), innerWidth - WIDTH / 2);
  const above = top > innerHeight / 2;
  return {
    said: nameOf(at, scene) ?? writtenOn(at),
    style: {
      left: `${middle}px`,
      [above ? "bottom" : "top"]: `${(above ? innerHeight - top : bottom) + GAP}px`,
    },
  };
}

/** The name of a card or tile, and what it does; null for others. */
function nameOf({ dataset }: SVGGElement, { board, says }: Pick<Scene, "board" | "says">) {
  const [type = "", id = ""] = (dataset.piece ?? "").split(":");
  const { table } = board.pieces[type] ?? board.mat?.pieces[type] ?? {};
  if (!table || !board.catalogue[table]) return null;
  return [says.name(table, id), says.text(table, id)].filter(Boolean).join(": ");
}

function writtenOn(at: Element): string {
  return [...at.querySelectorAll<SVGElement>(TEXTS)].map(wordsOf).join(" ");
}

/** All words of a text, of which only the beginning may be shown. */
function wordsOf({ dataset, childNodes }: SVGElement): string {
  const lines = [...childNodes].map(
    (line) => (line as Partial<SVGElement>).dataset?.cut ?? line.textContent ?? "",
  );
  return (dataset.whole ?? lines.join("")).trim();
}
