/** Which texts have room on a sheet. */

/** Selects what does not show all of its words. */
export const FOLDED = "[data-folded], .unfit, .cut, [data-cut]";

/** In pixels of the screen. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The area of a line that got narrower by so much; `anchor` is its `text-anchor`. */
export function narrowed(area: Area, by: number, anchor: string): Area {
  const before = by * ({ middle: 0.5, end: 1 }[anchor] ?? 0);
  return { ...area, left: area.left + before, right: area.right - (by - before) };
}

export interface Written {
  readonly said: string;
  /** What such texts have in common, as the names of all cards; null for a text of its own. */
  readonly kind: string | null;
  /** The text's lines, with the space above and below their letters. */
  readonly area: Area;
  /** What it stays within, or as far as it reached when drawn; null if it has its room already. */
  readonly room: Area | null;
  /** The pieces that are drawn above it: they do not cover words. */
  readonly above: readonly Area[];
  /** It is not wider. */
  readonly within: number;
  /** How many times as large as drawn. */
  readonly grown: number;
  /** Whether its letters are the least that can be read; else it is never left out. */
  readonly isLeast: boolean;
  /** Whether it is on a large card, which is shown above all others. */
  readonly isLarge: boolean;
}

/** Above and below letters, and between two texts. */
const LEADING = 2;
const BETWEEN = 1;
/** A text may leave its room by so much. */
const BEYOND = 3;

/**
 * The texts that are left out, so that none of the least letters covers another text or leaves its
 * room, and no piece covers a word. Numbers come before words, and what has grown little before what
 * has grown much. A kind of which half of the words have no room, or lie below pieces, loses all of them; `lacking` are
 * the kinds of words that have no room from the start.
 */
export function folded(
  texts: readonly Written[],
  lacking: readonly (string | null)[] = [],
): ReadonlySet<number> {
  const order = [...texts.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
  const without = new Set<number>();
  const kept: Area[] = [];
  for (const [nth, text] of order) {
    const letters = lettersOf(text.area);
    if (letters.right <= letters.left) continue;
    const covers = !text.isLarge && kept.some(over(letters));
    if (text.isLeast && (covers || !fits(letters, text))) without.add(nth);
    else if (!text.isLarge) kept.push(letters);
  }
  for (const [nth, text] of texts.entries())
    if (text.isLeast && isCovered(lettersOf(text.area), text)) without.add(nth);
  const words = [...texts.entries()].filter(([, text]) => isOfKind(text));
  for (const [kind, all] of Map.groupBy(words, ([, text]) => text.kind)) {
    const none = lacking.filter((other) => other === kind).length;
    const lost = all.filter(([nth]) => without.has(nth)).length + none;
    if (2 * lost >= all.length + none) for (const [nth] of all) without.add(nth);
  }
  return without;
}

function isOfKind({ said, kind, isLarge }: Written): boolean {
  return kind !== null && !isLarge && isWord(said);
}

export function isWord(said: string): boolean {
  return /\p{L}{2}/u.test(said);
}

/** The lower, the earlier a text gets its room. */
function rank({ said, grown, isLeast }: Written): number {
  if (!isLeast) return 0;
  return (isWord(said) ? 1000 : 1) * grown + said.length / 100;
}

function lettersOf({ left, top, right, bottom }: Area): Area {
  return {
    left: left - BETWEEN / 2,
    right: right + (right > left ? BETWEEN / 2 : -BETWEEN / 2),
    top: top + LEADING,
    bottom: bottom - LEADING,
  };
}

function fits(letters: Area, { room, within, grown }: Written): boolean {
  const [across, down] = [letters.right - letters.left, letters.bottom - letters.top];
  if (across > within + BEYOND) return false;
  if (room === null) return true;
  // Where it was drawn, it has room, too.
  const [more, higher] = [(across - across / grown) / 2, (down - down / grown) / 2];
  return (
    letters.left + BEYOND >= Math.min(room.left, letters.left + more) &&
    letters.right - BEYOND <= Math.max(room.right, letters.right - more) &&
    letters.top + BEYOND >= Math.min(room.top, letters.top + higher) &&
    letters.bottom - BEYOND <= Math.max(room.bottom, letters.bottom - higher)
  );
}

function isCovered(letters: Area, { said, above }: Written): boolean {
  return isWord(said) && above.some(over(inner(letters, BEYOND)));
}

function inner({ left, top, right, bottom }: Area, by: number): Area {
  return { left: left + by, right: right - by, top: top + by, bottom: bottom - by };
}

function over(one: Area): (other: Area) => boolean {
  return (other) =>
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom;
}
