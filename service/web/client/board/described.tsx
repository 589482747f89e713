/** A view in words: what stands where, and everything that the schema of the view describes. */

import { say, type Words, wordOf } from "../words/labels.ts";
import { useLanguage } from "../words/languages.ts";
import type { Place } from "./geometry.ts";
import { fill, nodes, root } from "./paths.ts";
import type { Ruleset } from "./rulesets.ts";
import type { Scene, View } from "./scene.ts";
import type { Owner, Piece } from "./standing.ts";
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
  /** The table, phases or end reasons whose ids these are. */
  readonly "x-table"?: string;
  /** The owners of a list's items, one by one. */
  readonly "x-each"?: "seat";
}

export function Described({
  ruleset,
  view,
  scene,
}: {
  ruleset: Ruleset;
  view: View;
  scene?: Scene;
}) {
  const words = useBoardWords();
  const language = useLanguage();
  const schema = ruleset.summary.view as Schema;
  const naming = new Naming(schema, ruleset.words[language], words, scene ?? null);
  const whole = <Value schema={schema} naming={naming} value={view} />;
  if (!scene) return whole;
  return (
    <>
      <Standing scene={scene} />
      <details class="whole">
        <summary>{words.wholeView}</summary>
        {whole}
      </details>
    </>
  );
}

/** Every place on which something stands or is shown, by name. */
function Standing({ scene }: { scene: Scene }) {
  const words = useBoardWords();
  return (
    <>
      <section aria-label={words.board}>
        <h3>{words.board}</h3>
        <PlacesInWords scene={scene} owner={null} />
      </section>
      {scene.mats.map((mat) => (
        <section key={mat.owner} aria-label={scene.says.owner(mat.owner)}>
          <h3>{scene.says.owner(mat.owner)}</h3>
          <PlacesInWords scene={scene} owner={mat.owner} />
        </section>
      ))}
    </>
  );
}

/** The pieces and values on the board (`owner` null) or on a mat, place by place. */
export function PlacesInWords({ scene, owner }: { scene: Scene; owner: Owner | null }) {
  const words = useBoardWords();
  const mat = scene.mats.find((found) => found.owner === owner);
  const sheet = mat ? scene.board.mat : scene.board;
  const pieces = Map.groupBy((mat ?? scene).pieces, ({ place }) => place);
  const said = Object.entries(sheet?.places ?? {}).flatMap(([key, place]) => {
    const name = scene.says.place(key, mat !== undefined);
    const shown =
      place.shows === undefined ? [] : [...nodes(root(mat?.view ?? scene.view), place.shows)];
    const texts = [
      ...shown.map(({ value }) =>
        place.of && typeof value === "string"
          ? scene.says.name(place.of, value)
          : plain(value, words),
      ),
      ...(pieces.get(key) ?? []).map((piece) => pieceInWords(scene, piece, name, words)),
      ...(mat && isHidden(mat.view, place) ? [words.notShown] : []),
    ];
    return texts.length > 0 ? [{ key, name, texts }] : [];
  });
  return (
    <dl class="standing">
      {said.map(({ key, name, texts }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{counted(texts).join("; ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether a place's value is hidden from the viewer: an empty list is not. */
function isHidden(view: unknown, { shows }: Place): boolean {
  return shows !== undefined && fill(`{${shows.split("/*", 1)[0]}}`, root(view)) === null;
}

/** Equal texts in a row become one with a count. */
function counted(texts: readonly string[]): string[] {
  const runs: [text: string, times: number][] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.[0] === text) last[1] += 1;
    else runs.push([text, 1]);
  }
  return runs.map(([text, times]) => (times === 1 ? text : `${times} × ${text}`));
}

/** The name of a piece on such a place, its owner, and its count. */
function pieceInWords(
  { board, says }: Scene,
  piece: Piece,
  place: string,
  { yes }: BoardWords,
): string {
  const table = (piece.mat === null ? board : board.mat)?.pieces[piece.type]?.table;
  const name =
    table && piece.id !== null && board.catalogue[table] ? says.name(table, piece.id) : "";
  const sort = says.piece(piece.type, { count: piece.count });
  const count = piece.count !== null && !sort ? piece.count : "";
  const owner = piece.owner === null ? "" : says.owner(piece.owner);
  const known = count !== "" && place.toLocaleLowerCase().includes(name.toLocaleLowerCase());
  const named = [count, known ? "" : name].filter((part) => part !== "").join(" ");
  return [named, sort, owner].filter(Boolean).join(", ") || yes;
}

function plain(value: unknown, { yes, no }: BoardWords): string {
  if (typeof value === "boolean") return value ? yes : no;
  return value === null || value === undefined ? "–" : String(value);
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

  /** A number, a text or a boolean, in words. */
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

  owner(owner: Owner): string {
    return this.#scene?.says.owner(owner) ?? say(this.#words, `seat.${owner}`);
  }

  /** The schema, behind references and alternatives, that fits the value; and its name. */
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

/** The members that the schema knows: not the ruleset's id, which the API adds to a view. */
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
      return <>{said.join(", ") || "–"}</>;
    }
    return (
      <ol>
        {value.map((item, index) => (
          <li key={`${index + 1}`}>
            {whose && `${whose(index)}: `}
            <Value schema={items} naming={naming} value={item} />
          </li>
        ))}
      </ol>
    );
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
