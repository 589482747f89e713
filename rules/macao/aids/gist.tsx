/** What a card does, in signs and numbers, where its words have no room. */

import { colour, Icon, type Point } from "lonja";
import { Emblem, type Kind, Timing } from "./emblems.tsx";
import { COLOURS, Cube } from "./symbols.tsx";

type Amounts = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** An effect of a card, as the published tables have it. */
export interface Effect {
  readonly type: string;
  readonly limit?: string;
  readonly pay?: Amounts;
  readonly gain?: Amounts;
  readonly event?: string;
  readonly filter?: { readonly kind?: string };
  readonly metric?: string;
  readonly divisor?: number;
  readonly prestige?: number;
  readonly max_prestige?: number | null;
  readonly rule?: string;
  readonly value?: number;
  readonly good?: string;
}

/** A sign by its name, or what is written. */
type Part = { readonly sign: string } | string;

const sign = (name: string): Part => ({ sign: name });
const ICONS: Readonly<Record<string, string>> = {
  coins: "coin",
  cubes_any: "cube",
  ship_steps: "ship",
  wall: "disc",
};
const CARDS = [sign("office"), sign("building"), sign("person")];
const QUARTER = sign("quarter");
const CUBE = sign("cube");
const TRIBUTE = [sign("coin"), "→", sign("prestige")];

/** What happens when a trigger gains something. */
const EVENTS: Readonly<Record<string, readonly Part[]>> = {
  card_activated: [sign("card")],
  disc_overtaken: [sign("disc")],
  goods_delivered: [sign("delivered")],
  quarter_claimed: [QUARTER],
  ship_step: [sign("ship")],
  tribute_paid: TRIBUTE,
};

/** What points are for at the end. */
const METRICS: Readonly<Record<string, readonly Part[]>> = {
  activated_offices: [sign("office")],
  activated_buildings: [sign("building")],
  activated_persons: [sign("person")],
  activated_cards: [sign("card")],
  card_sets: CARDS,
  quarters_owned: [QUARTER],
  dark_quarters_owned: [sign("dark")],
  longest_chain: [QUARTER, "–", QUARTER],
  coins: [sign("coin")],
  goods_delivered: [sign("delivered")],
  distinct_goods_delivered: ["≠", sign("delivered")],
  wall_spaces: [sign("disc")],
  punishments: [sign("punishment")],
  tableau_cards: [sign("discard")],
  jokers_held: [sign("joker")],
};

/** What a rule becomes. */
const RULES: Readonly<Record<string, readonly Part[]>> = {
  claim_discount: [QUARTER, "−1", CUBE],
  claim_wild: [QUARTER, "1", CUBE],
  claims_per_round: [QUARTER, "×2"],
  dark_quarter_any_cube: [sign("dark"), "=1", CUBE],
  joker_multiplier: [sign("joker"), "×2"],
  optional_draft: ["0/1", sign("card")],
  remote_delivery: [sign("ship"), "+1", sign("delivered")],
  stack_top: [sign("disc"), "↑"],
  steps_per_cube: ["1", CUBE, "→2", sign("ship")],
  tribute_discount: ["−1", ...TRIBUTE],
  tributes_per_round: [...TRIBUTE, "×2"],
  wall_extra_cost: [sign("disc"), "+1=1", CUBE],
};

function amounts(of: Amounts = {}): Part[] {
  return Object.entries(of).flatMap(([what, many]) =>
    typeof many === "number"
      ? [String(many), sign(ICONS[what] ?? what)]
      : COLOURS.flatMap((id) => Array<Part>(many[id] ?? 0).fill(sign(`cube_${id}`))),
  );
}

function partsOf(effect: Effect): Part[] {
  const gain = amounts(effect.gain);
  switch (effect.type) {
    case "convert": {
      const pay = amounts(effect.pay);
      return pay.length > 0 ? [...pay, "→", ...gain] : ["+", ...gain];
    }
    case "gain_now":
      return ["+", ...gain];
    case "trigger": {
      const { kind = "any" } = effect.filter ?? {};
      const event = kind === "any" ? (EVENTS[effect.event ?? ""] ?? []) : [sign(kind)];
      return [...event, "→", ...gain];
    }
    case "end_game": {
      const { divisor = 1, metric = "", max_prestige: most } = effect;
      const each = divisor > 1 ? [`/${divisor}`] : ["/"];
      const bound = most ? [`≤${most}`] : [];
      const points = [String(effect.prestige ?? 0), sign("prestige")];
      return [...points, ...each, ...(METRICS[metric] ?? []), ...bound];
    }
    default:
      return effect.good
        ? [sign(effect.good), `×${effect.value}`]
        : [...(RULES[effect.rule ?? ""] ?? ["…"])];
  }
}

/** What is written beside each other is one text. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part === "string" && typeof last === "string") all[all.length - 1] = last + part;
    else all.push(part);
  }
  return all;
}

/** The width of a letter, relative to its height. */
const LETTER = 0.68;
const GAP = 0.14;

/** The effects of a card within a box around the origin, with letters of a size. */
export function Gist({
  of: effects,
  when = null,
  box: [width, height],
  size,
}: {
  of: readonly Effect[];
  /** The sign of `Timing` that stands first. */
  when?: string | null;
  box: Point;
  size: number;
}) {
  const parts = joined([...(when ? [sign(`when ${when}`)] : []), ...effects.flatMap(partsOf)]);
  const wide = (part: Part) =>
    (typeof part === "string" ? part.length * LETTER : 1.15) * size + GAP * size;
  const rows: Part[][] = [[]];
  let left = width;
  for (const part of parts) {
    left -= wide(part);
    if (left < 0) {
      rows.push([]);
      left = width - wide(part);
    }
    rows.at(-1)?.push(part);
  }
  const high = Math.min(size * 1.3, height / rows.length);
  return (
    <>
      {rows.map((row, nth) => {
        let x = -row.reduce((sum, part) => sum + wide(part), 0) / 2;
        const y = (nth - (rows.length - 1) / 2) * high;
        return row.map((part) => {
          const at = x + wide(part) / 2;
          x += wide(part);
          return (
            <g key={at} transform={`translate(${at} ${y})`}>
              {typeof part === "string" ? (
                <text class="macao-number" font-size={size} dy="0.35em">
                  {part}
                </text>
              ) : (
                <Sign name={part.sign} radius={Math.min(size * 0.58, high / 2)} />
              )}
            </g>
          );
        });
      })}
    </>
  );
}

function Sign({ name, radius }: { name: string; radius: number }) {
  const [kind = "", what = ""] = name.split(/[ _]/);
  if (kind === "when") return <Timing sign={what} size={radius / 12} />;
  if (kind === "cube" && what) return <Cube of={what} size={radius * 1.6} />;
  if (["office", "building", "person"].includes(name))
    return (
      <g transform={`scale(${radius / 16})`}>
        <Emblem kind={name as Kind} />
      </g>
    );
  const edge = { class: "macao-edge", transform: `scale(${radius / 12})` };
  if (name === "card")
    return <rect {...edge} x="-7.5" y="-10" width="15" height="20" rx="2" fill={colour("paper")} />;
  if (name === "quarter" || name === "dark")
    return <path {...edge} d="M-8 10V0L0-10 8 0V10z" fill={colour(name)} />;
  return <Icon name={name} radius={radius} />;
}
