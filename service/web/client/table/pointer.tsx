/** Rings around what a step speaks of. They follow the board, and take no clicks. */

import { useEffect, useState } from "preact/hooks";
import { glideMs } from "../browser/theme.ts";
import { MOST } from "./spoken_of.ts";

/** How often the places of the rings are looked up, because boards glide and panels scroll. */
const LOOK_MS = 250;
const MARGIN = 4;
const PANELS: Readonly<Record<string, string>> = {
  question: ".chooser",
  numbers: ".glance tbody",
  log: ".log",
};

/** A box in the window, in CSS. */
type Box = Readonly<Record<"left" | "top" | "width" | "height", string>>;

export function Pointer({ at, viewer }: { at: readonly string[]; viewer: number | null }) {
  const [boxes, setBoxes] = useState<readonly Box[]>([]);
  useEffect(() => {
    toView(elementsOf(at, viewer)[0]);
    let last = "";
    const look = () => {
      const found = elementsOf(at, viewer).flatMap(boxOf);
      const text = JSON.stringify(found);
      if (text !== last) setBoxes(found);
      last = text;
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    addEventListener("scroll", look, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      removeEventListener("scroll", look, { capture: true });
    };
  }, [at, viewer]);
  return (
    <div class="rings" aria-hidden="true" data-still={glideMs.value === 0 || undefined}>
      {boxes.map((box, index) => (
        <span key={index} class="ring" style={box} />
      ))}
    </div>
  );
}

/** The elements that a step speaks of; of mats, those of the viewer. */
function elementsOf(at: readonly string[], viewer: number | null): Element[] {
  const mat = `.mat[data-owner="${viewer ?? 0}"]`;
  const selectors = at.map((ref) => {
    const [kind = "", name = ""] = ref.split(":");
    if (kind === "place") return `.board-sheet [data-place="${name}"]`;
    if (kind === "mat") return `${mat} [data-place="${name}"]`;
    if (kind === "piece") return `:is(.board-sheet, ${mat}) [data-piece^="${name}:"]`;
    return PANELS[kind] ?? ".chooser";
  });
  return [...document.querySelectorAll(selectors.join())].slice(0, MOST);
}

/** The box of a ring; none around what is not seen. */
function boxOf(element: Element): Box[] {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return [];
  const first = document.querySelector(".side.first");
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  const isWithin = first?.contains(element);
  if (!over || (first?.contains(over) && !isWithin)) return [];
  // A panel that scrolls shows only a part of what is in it.
  const pane = isWithin ? first?.getBoundingClientRect() : undefined;
  const start = Math.max(top, pane?.top ?? top);
  const end = Math.min(top + height, pane?.bottom ?? Number.POSITIVE_INFINITY);
  const px = (value: number) => `${Math.round(value)}px`;
  return [
    {
      left: px(left - MARGIN),
      top: px(start - MARGIN),
      width: px(width + 2 * MARGIN),
      height: px(end - start + 2 * MARGIN),
    },
  ];
}

/** Scrolls to what is not in sight. */
function toView(element: Element | undefined): void {
  if (element && boxOf(element).length === 0) element.scrollIntoView({ block: "center" });
}
