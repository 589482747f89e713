/** A view in words: everything that the schema of the view describes. */

import { type Words, wordOf } from "../words/labels.ts";
import { useLanguage } from "../words/languages.ts";
import { counted, plain } from "../words/values.ts";
import type { Ruleset } from "./rulesets.ts";
import type { Scene, View } from "./scene.ts";
import type { Owner } from "./standing.ts";
import { type BoardWords, useBoardWords } from "./words.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  /** The name of the table to which the ids belong, or "phases" or "end_reasons". */
  readonly "x-table"?: string;
  /** "seat" if the list has one item for each seat. */
  readonly "x-each"?: "seat";
}

/** A view to be shown in words; `scene` is null if the ruleset has no board. */
export interface ViewShown {
  readonly ruleset: Ruleset;
  readonly view: View;
  readonly scene: Scene | null;
}

/** The whole view. If the ruleset has no board, it is laid out as in a terminal. */
export function ViewInWords({ ruleset, view, scene }: ViewShown) {
  const words = useBoardWords();
  const language = useLanguage();
  const schema = ruleset.summary.view as Schema;
  const naming = new Naming(schema, ruleset.words[language], words, scene);
  if (scene === null) return <Members schema={schema} naming={naming} view={view} />;
  return <Value schema={schema} naming={naming} value={view} />;
}

/** Members that are left out, because a heading or the page around the view shows them. */
const AROUND = ["viewer", "phase", "ruleset"];

/**
 * A view without a board, laid out as in a terminal: first what only the viewer has, then a table
 * of what each seat has, then the rest, with options last. Empty values are left out.
 */
function Members({ schema, naming, view }: { schema: Schema; naming: Naming; view: View }) {
  const members = described(schema, view).map(([key, value]) => {
    const part = schema.properties?.[key] ?? {};
    return { key, value, part, kind: naming.resolved(part, value).kind };
  });
  const said = members.filter(({ key, value }) => !AROUND.includes(key) && !isNothing(value));
  const seats = said.flatMap(({ key, part, value, kind }) => {
    if (!Array.isArray(value) || (kind["x-each"] !== "seat" && key !== "players")) return [];
    if (key !== "players") return [{ key, part, items: kind.items ?? {}, values: value }];
    const of = naming.resolved(kind.items ?? {}, value[0]).kind.properties ?? {};
    return Object.entries(of).map(([name, items]) => ({
      key: name,
      part: items,
      items,
      values: value.map((player: Record<string, unknown>) => player[name]),
    }));
  });
  const held = new Set(["players", ...seats.map(({ key }) => key)]);
  const rank = (key: string) => (key.startsWith("own_") ? 0 : naming.isOption(key) ? 2 : 1);
  const others = said
    .filter(({ key }) => !held.has(key))
    .toSorted((one, other) => rank(one.key) - rank(other.key));
  const own = others.filter(({ key }) => rank(key) === 0);
  const rest = others.filter(({ key }) => rank(key) > 0);
  const columns = seats.filter(({ values }) => !values.every(isNothing));
  const row = ({ key, value, part }: (typeof others)[number]) => (
    <div key={key}>
      <dt title={part.description}>{naming.member(key)}</dt>
      <dd>
        <Value schema={part} naming={naming} value={value} />
      </dd>
    </div>
  );
  return (
    <div class="members">
      {own.length > 0 && <dl class="view">{own.map(row)}</dl>}
      {columns.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                <td />
                {columns.map(({ key, part }) => (
                  <th key={key} scope="col" title={part.description}>
                    {naming.member(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns[0]?.values.map((_, seat) => (
                <tr key={`${seat + 1}`}>
                  <th scope="row">{naming.owner(seat)}</th>
                  {columns.map(({ key, items, values }) => (
                    <td key={key}>
                      {isNothing(values[seat]) ? (
                        "–"
                      ) : (
                        <Value schema={items} naming={naming} value={values[seat]} />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rest.length > 0 && <dl class="view">{rest.map(row)}</dl>}
    </div>
  );
}

function isMapOfAmounts(value: unknown): value is Record<string, number> {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((amount) => typeof amount === "number");
}

/** Whether a value is left out because it is null, false or empty. 0 is an amount, and is shown. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The names of a view's ids and seats. */
class Naming {
  readonly #whole: Schema;
  readonly #words: Words;
  readonly #own: BoardWords;
  readonly #scene: Scene | null;

  constructor(whole: Schema, words: Words, own: BoardWords, scene: Scene | null) {
    this.#whole = whole;
    this.#words = words;
    this.#own = own;
    this.#scene = scene;
  }

  /** The text for a number, a text or a boolean. */
  name(schema: Schema, value: unknown): string {
    const { kind, ref } = this.resolved(schema, value);
    if (typeof value === "number") return ref === "seat" ? this.owner(value) : String(value);
    if (typeof value !== "string") return plain(value, this.#own);
    const table = kind["x-table"];
    if (table === undefined) return this.#scene?.board.sides?.[value] ? this.owner(value) : value;
    const vocabulary =
      { phases: "decision", end_reasons: "reason", player_colors: "color" }[table] ??
      this.#scene?.board.catalogue[table]?.name;
    return wordOf(this.#words, value, vocabulary ?? ref, ref) ?? value.replaceAll("_", " ");
  }

  /**
   * The name of a member of the view: the label of a place, of a part of the score or of an option,
   * or else its key.
   */
  member(key: string): string {
    const kind = ["where", "breakdown", "option"].find((sort) => `${sort}.${key}` in this.#words);
    const name = this.#words[`${kind}.${key}`] ?? key.replaceAll("_", " ");
    return name.charAt(0).toLocaleUpperCase() + name.slice(1);
  }

  isOption(key: string): boolean {
    return `option.${key}` in this.#words;
  }

  owner(owner: Owner): string {
    if (this.#scene) return this.#scene.says.owner(owner);
    const named = this.#words[`seat.${owner}`];
    return named ?? (typeof owner === "number" ? this.#own.seat(owner) : owner);
  }

  /**
   * The schema that fits the value, without references and alternatives, and the schema's name.
   */
  resolved(schema: Schema, value: unknown): { kind: Schema; ref: string } {
    if (schema.$ref) {
      const ref = schema.$ref.replace("#/$defs/", "");
      const found = this.resolved(this.#whole.$defs?.[ref] ?? {}, value);
      return { kind: found.kind, ref: found.ref || ref };
    }
    const fitting = schema.anyOf
      ?.map((one) => this.resolved(one, value))
      .find(({ kind }) => kind.type === typeOf(value));
    return fitting ?? { kind: schema, ref: "" };
  }
}

/** The JSON Schema type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? "integer" : typeof value;
}

/**
 * The members that the schema describes, without the ruleset's id, which the API adds to a view.
 */
function described({ properties }: Schema, value: object): [string, unknown][] {
  return Object.entries(value).filter(([key]) => !properties || key in properties);
}

function Value({ schema, naming, value }: { schema: Schema; naming: Naming; value: unknown }) {
  const { kind } = naming.resolved(schema, value);
  if (Array.isArray(value)) {
    const items = kind.items ?? {};
    const whose = kind["x-each"] === "seat" ? (index: number) => naming.owner(index) : null;
    if (value.every((item) => typeof item !== "object" || item === null)) {
      const said = value.map((item, index) =>
        [whose?.(index), naming.name(items, item)].filter(Boolean).join(": "),
      );
      const numbers = value.some((item) => typeof item === "number");
      return <>{(numbers ? said : counted(said)).join(", ") || "–"}</>;
    }
    return (
      <ul>
        {value.map((item, index) => (
          <li key={`${index + 1}`}>
            {whose && `${whose(index)}: `}
            <Value schema={items} naming={naming} value={item} />
          </li>
        ))}
      </ul>
    );
  }
  const amounts = kind.additionalProperties;
  if (kind.propertyNames && amounts && isMapOfAmounts(value)) {
    const names = kind.propertyNames;
    const said = Object.entries(value).map(
      ([id, amount]) => `${naming.name(names, id)} ${naming.name(amounts, amount)}`,
    );
    return <>{said.join(", ") || "–"}</>;
  }
  if (typeof value === "object" && value !== null)
    return (
      <dl class="view">
        {described(kind, value).map(([key, member]) => {
          const part = kind.properties?.[key] ?? (kind.additionalProperties || {});
          const name = part.description ?? naming.name(kind.propertyNames ?? {}, key);
          return (
            <div key={key}>
              <dt>{name.replace(/\.$/, "")}</dt>
              <dd>
                <Value schema={part} naming={naming} value={member} />
              </dd>
            </div>
          );
        })}
      </dl>
    );
  return <>{naming.name(schema, value)}</>;
}
