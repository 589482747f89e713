/**
 * Chooses a number from many: people type it, change it in steps, or take one of a few frequent
 * ones.
 */

import { useState } from "preact/hooks";
import type { Choosing } from "./choice.ts";
import type { Option } from "./choosing.ts";
import { usePlayWords } from "./words.ts";

/** If there are not more numbers than this, each has a button. */
const MANY = 12;
const ROUND = [1, 2, 5, 10, 20, 50, 100];

/**
 * The options of a question for a number, in order, if there are too many for buttons; otherwise
 * null.
 */
export function manyNumbers(options: readonly Option[]): ReadonlyMap<number, Option> | null {
  if (options.length <= MANY) return null;
  const found = new Map<number, Option>();
  for (const option of options) {
    if (option.pick.kind !== "field" || typeof option.pick.value !== "number") return null;
    found.set(option.pick.value, option);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}

/** A field that accepts only the legal `numbers`. */
export function NumberField({
  choice,
  numbers,
  label,
}: {
  choice: Choosing;
  numbers: ReadonlyMap<number, Option>;
  label: string;
}) {
  const words = usePlayWords();
  const legal = [...numbers.keys()];
  const [least = 0, most = 0] = [legal[0], legal.at(-1)];
  const [typed, setTyped] = useState(String(least));
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  const chosen = numbers.get(value);
  const take = (option: Option | undefined) => {
    if (option) choice.choose(option);
  };
  const step = (by: 1 | -1) => {
    const next = by > 0 ? legal.find((one) => one > value) : legal.findLast((one) => one < value);
    setTyped(String(next ?? (by > 0 ? most : least)));
  };
  return (
    <form
      class="numbers"
      onSubmit={(event) => {
        event.preventDefault();
        take(chosen);
      }}
    >
      <div class="stepper">
        <button type="button" onClick={() => step(-1)} aria-label={words.less} title={words.less}>
          −
        </button>
        <input
          data-first
          data-number
          inputMode="numeric"
          role="spinbutton"
          aria-label={label || words.number}
          aria-valuemin={least}
          aria-valuemax={most}
          aria-valuenow={Number.isNaN(value) ? undefined : value}
          aria-invalid={chosen === undefined}
          aria-describedby="numbers"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
            event.preventDefault();
            step(event.key === "ArrowUp" ? 1 : -1);
          }}
        />
        <button type="button" onClick={() => step(1)} aria-label={words.more1} title={words.more1}>
          +
        </button>
        <button
          type="submit"
          class="main"
          data-option={chosen?.key}
          aria-disabled={chosen === undefined}
        >
          {chosen ? words.take(chosen.label) : words.notLegal}
        </button>
      </div>
      <p id="numbers" class="quiet">
        {words.numbersFrom(least, most)}
      </p>
      <ul class="options">
        {often(legal).map((one) => (
          <li key={one}>
            <button type="button" data-option={one} onClick={() => take(numbers.get(one))}>
              {numbers.get(one)?.label}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}

/** The smallest and the largest number, the one after the smallest, and round numbers between. */
function often(legal: readonly number[]): number[] {
  const ends = [legal[0], legal[1], legal.at(-1)];
  return legal.filter((one) => ends.includes(one) || ROUND.includes(one));
}
