/** Says in a table's head that it was opened as rated, and why its game does not count. */

import { tableWords } from "./words.ts";

/** It is seen only where the panel of players is below the window; elsewhere that panel says it. */
export function NotRated() {
  return <span class="not-rated"> · {tableWords.value.notRated}</span>;
}
