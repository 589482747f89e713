/** The field of a form in which people choose the clock of a game. */

import { CLOCKS, clockInWords } from "./clocks.ts";
import { openWords } from "./open_words.ts";

export function ClockChoice({
  value,
  onChange,
  unlimited,
}: {
  value: string;
  onChange: (value: string) => void;
  /** Whether nobody has to be hurried. */
  unlimited: boolean;
}) {
  return (
    <label>
      {openWords.value.clock}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(CLOCKS).map(([name, clock]) => (
          <option key={name} value={name} disabled={clock === null && !unlimited}>
            {clockInWords(clock)}
          </option>
        ))}
      </select>
    </label>
  );
}
