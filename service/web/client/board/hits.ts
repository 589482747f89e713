/**
 * The area of a drawing in which a click means a button. A small button has a larger area than its
 * drawing, so that a mouse or a finger meets it. Neighbours share the gap between them.
 */

import type { Area } from "./room.ts";

/** The least width and height of a button's area in pixels, for a mouse and for a finger. */
const LEAST = { fine: 24, coarse: 44 };

/** Marks what stands on a button and is none itself: a pointer goes through it, to the button. */
export const THROUGH = "data-through";
const ELEMENTS = ":is(.place, .piece)";
const HALO = ":scope > .halo, :scope > .moving > .halo";

/**
 * Measures the buttons on a sheet; the returned function gives each of them its area, and lets
 * pointers through to it.
 */
export function measureHits(sheet: SVGSVGElement): () => void {
  const least = matchMedia("(pointer: coarse)").matches ? LEAST.coarse : LEAST.fine;
  const buttons = [...sheet.querySelectorAll<SVGGElement>("[data-target]")].flatMap((button) => {
    const hit = button.querySelector<SVGRectElement>(":scope > .hit");
    const matrix = button.getScreenCTM();
    const drawn = outlineOf(button);
    return hit && drawn && matrix?.a ? [{ button, hit, matrix, drawn }] : [];
  });
  const through = new Set<Element>();
  const [first] = buttons;
  if (first)
    for (const element of sheet.querySelectorAll<SVGGElement>(`${ELEMENTS}:not([data-target])`)) {
      if (!isAbove(element, first.button)) continue;
      const own = outlineOf(element);
      if (own && buttons.some(({ button, drawn }) => holds(drawn, own) && isAbove(element, button)))
        through.add(element);
    }
  const areas = hitAreas(
    buttons.map(({ drawn }) => drawn),
    least,
    sheet.getBoundingClientRect(),
  );
  return () => {
    for (const element of sheet.querySelectorAll(`[${THROUGH}]`))
      if (!through.has(element)) element.removeAttribute(THROUGH);
    for (const element of through) element.toggleAttribute(THROUGH, true);
    for (const [nth, { hit, matrix }] of buttons.entries()) {
      const { left, right, top, bottom } = areas[nth] ?? NOWHERE;
      hit.setAttribute("x", `${(left - matrix.e) / matrix.a}`);
      hit.setAttribute("y", `${(top - matrix.f) / matrix.d}`);
      hit.setAttribute("width", `${(right - left) / matrix.a}`);
      hit.setAttribute("height", `${(bottom - top) / matrix.d}`);
    }
  };
}

/**
 * The outline of a place or piece on the screen. In the coordinates of the sheet, a piece is where it
 * stands, even while it still moves there.
 */
function outlineOf(element: SVGGElement): Area | null {
  const halo = element.querySelector<SVGGraphicsElement>(HALO);
  const matrix = element.getScreenCTM();
  return halo && matrix?.a ? shown(halo.getBBox(), matrix) : null;
}

/** Whether an element is drawn later than another one. */
function isAbove(element: Element, other: Element): boolean {
  return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

const NOWHERE: Area = { left: 0, right: 0, top: 0, bottom: 0 };
const AXES = [
  ["left", "right"],
  ["top", "bottom"],
] as const;

/** A circle that is so many times as large has room for a square of the least size. */
const ROUND = Math.SQRT2;

/**
 * The areas of buttons that are drawn in these areas: each is at least so wide and high, as far as
 * its neighbours, and the edge of the sheet, leave room. What is drawn large enough, even if it is
 * round, gets none.
 */
export function hitAreas(drawn: readonly Area[], least: number, sheet: Area): (Area | null)[] {
  const areas = grown(drawn, least).map((area) => area && cut(area, sheet));
  for (const [nth, area] of areas.entries()) {
    const own = drawn[nth];
    if (!area || !own) continue;
    const others = drawn.flatMap((other, place) =>
      place === nth || holds(own, other) || holds(other, own) ? [] : [areas[place] ?? other],
    );
    for (const axis of AXES) makeUp(area, axis, least, others, sheet);
  }
  return areas;
}

/** What of an area is on the sheet: nothing beside it can be clicked. */
function cut(area: Area, sheet: Area): Grown {
  return {
    left: Math.max(area.left, sheet.left),
    right: Math.min(area.right, sheet.right),
    top: Math.max(area.top, sheet.top),
    bottom: Math.min(area.bottom, sheet.bottom),
  };
}

/** Lets an area have on one side what it left on the other, if nobody is there. */
function makeUp(
  area: Grown,
  [low, high]: Axis,
  least: number,
  others: readonly Area[],
  sheet: Area,
): void {
  const lack = least - (area[high] - area[low]);
  if (lack <= 0) return;
  for (const more of [{ [high]: area[high] + lack }, { [low]: area[low] - lack }]) {
    const wider = cut({ ...area, ...more }, sheet);
    if (wider[high] - wider[low] >= least && !others.some((other) => overlap(wider, other))) {
      Object.assign(area, more);
      return;
    }
  }
}

/** The areas before any has made up for what it left to others. */
function grown(drawn: readonly Area[], least: number): (Grown | null)[] {
  return drawn.map((own) => {
    if (AXES.every((axis) => needOf(own, axis, least * ROUND) === 0)) return null;
    const area = enlarged(own, least);
    for (const other of drawn) {
      // A piece may stand on a place, which is a button, too: then the piece is above the place.
      const apart = other !== own && !holds(own, other) && !holds(other, own);
      if (apart && overlap(enlarged(own, least), enlarged(other, least)))
        yieldTo(other, own, area, least);
    }
    return area;
  });
}

type Axis = (typeof AXES)[number];
/** An area that is still changed. */
type Grown = Record<keyof Area, number>;

/** Leaves a neighbour its part of the gap, on the axis on which there is more of it. */
function yieldTo(other: Area, own: Area, area: Grown, least: number): void {
  const [across, down] = AXES;
  const axis = gapOn(across, own, other) >= gapOn(down, own, other) ? across : down;
  const [need, needed] = [needOf(own, axis, least), needOf(other, axis, least)];
  const part = gapOn(axis, own, other) * (need + needed > 0 ? need / (need + needed) : 1 / 2);
  const [low, high] = axis;
  if (middleOn(axis, other) > middleOn(axis, own))
    area[high] = Math.min(area[high], own[high] + part);
  else area[low] = Math.max(area[low], own[low] - part);
}

/** By how much it has to grow on each side. */
function needOf(area: Area, [low, high]: Axis, least: number): number {
  return Math.max(0, (least - (area[high] - area[low])) / 2);
}

function gapOn([low, high]: Axis, one: Area, other: Area): number {
  return Math.max(other[low] - one[high], one[low] - other[high]);
}

function middleOn([low, high]: Axis, area: Area): number {
  return (area[low] + area[high]) / 2;
}

function enlarged(area: Area, least: number): Grown {
  const [across, down] = [needOf(area, AXES[0], least), needOf(area, AXES[1], least)];
  return {
    left: area.left - across,
    right: area.right + across,
    top: area.top - down,
    bottom: area.bottom + down,
  };
}

/** Whether the middle of an area is within another one. */
function holds(one: Area, other: Area): boolean {
  return AXES.every((axis) => {
    const middle = middleOn(axis, other);
    return one[axis[0]] <= middle && middle <= one[axis[1]];
  });
}

function overlap(one: Area, other: Area): boolean {
  return AXES.every((axis) => gapOn(axis, one, other) < 0);
}

function shown({ x, y, width, height }: DOMRect, { a, d, e, f }: DOMMatrix): Area {
  return {
    left: e + x * a,
    right: e + (x + width) * a,
    top: f + y * d,
    bottom: f + (y + height) * d,
  };
}
