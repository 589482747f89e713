/**
 * What is left to do when sheets are drawn, before the browser paints. All sheets that are drawn at
 * once are measured at once, before any is changed, so that the browser computes styles and layout
 * only once.
 */

import { measureHits } from "./hits.ts";
import { hush } from "./hush.ts";
import { isLegible, makeLegible, nameAsSeen } from "./legible.ts";
import { forPointers } from "./pointing.ts";

/** The sheets that are drawn, with the size of the least letters of each. */
const drawn = new Map<SVGSVGElement, number>();

/** Hides drawings from screen readers, makes letters legible, and buttons large enough. */
export function finishSoon(sheet: SVGSVGElement, least: number): void {
  if (drawn.size === 0) queueMicrotask(finish);
  drawn.set(sheet, least);
}

function finish(): void {
  const sheets = [...drawn.keys()].filter(({ isConnected }) => isConnected);
  for (const sheet of sheets) {
    forPointers(sheet.getRootNode() as Document);
    hush(sheet);
  }
  const fold = makeLegible(sheets.filter((sheet) => !isLegible(sheet, drawn.get(sheet) ?? 0)));
  drawn.clear();
  const enlarge = sheets.map(measureHits);
  fold();
  for (const [nth, sheet] of sheets.entries()) {
    enlarge[nth]?.();
    nameAsSeen(sheet);
  }
}
