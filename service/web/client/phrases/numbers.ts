/** Numbers, formatted for the reader's language. */

import { language } from "../browser/language.ts";

/** A whole number, formatted for the reader's language. */
export function whole(number: number): string {
  return number.toLocaleString(language.peek());
}

/** A number with this many digits after the point or comma. */
export function fixed(number: number, digits: number): string {
  return number.toLocaleString(language.peek(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A band as text, from its lower to its upper end; "" if there is none. */
export function spanOf(band: readonly [number, number] | null, digits: number): string {
  return band ? `${fixed(band[0], digits)} – ${fixed(band[1], digits)}` : "";
}
