/** A view in words: what stands where, and all that the schema of the view describes. */

import type { Ruleset } from "../app/rulesets.ts";
import { nodes, root } from "./paths.ts";
import type { Scene, View } from "./scene.ts";
import type { Owner, Piece } from "./standing.ts";

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
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
  const schema = ruleset.summary.view as Schema;
  return (
    <>
      {scene && <Standing scene={scene} />}
      <Value schema={schema} whole={schema} value={view} />
    </>
  );
}

/** Every place on which something stands or is shown, by name. */
function Standing({ scene }: { scene: Scene }) {
  return (
    <>
      <Places scene={scene} owner={null} />
      {scene.mats.map((mat) => (
        <section key={mat.owner}>
          <h4>{scene.says.owner(mat.owner)}</h4>
          <Places scene={scene} owner={mat.owner} />
        </section>
      ))}
    </>
  );
}

function Places({ scene, owner }: { scene: Scene; owner: Owner | null }) {
  const mat = scene.mats.find((found) => found.owner === owner);
  const sheet = mat ? scene.board.mat : scene.board;
  const pieces = Map.groupBy((mat ?? scene).pieces, ({ place }) => place);
  const said = Object.entries(sheet?.places ?? {}).flatMap(([key, place]) => {
    const shown =
      place.shows === undefined ? [] : [...nodes(root(mat?.view ?? scene.view), place.shows)];
    const texts = [
      ...shown.map(({ value }) =>
        place.of && typeof value === "string" ? scene.says.name(place.of, value) : String(value),
      ),
      ...(pieces.get(key) ?? []).map((piece) => pieceInWords(scene, piece)),
    ];
    return texts.length > 0 ? [{ key, name: scene.says.place(key, mat !== undefined), texts }] : [];
  });
  return (
    <dl class="standing">
      {said.map(({ key, name, texts }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{texts.join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a piece is called, whose it is, and how many it stands for. */
export function pieceInWords({ board, says }: Scene, piece: Piece): string {
  const table = (piece.mat === null ? board : board.mat)?.pieces[piece.type]?.table;
  const name =
    table && piece.id !== null && board.catalogue[table] ? says.name(table, piece.id) : null;
  const owner = piece.owner === null ? null : says.owner(piece.owner);
  const parts = [piece.count, name, owner].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(" ") : "✓";
}

function Value({ schema, whole, value }: { schema: Schema; whole: Schema; value: unknown }) {
  const known = resolved(schema, whole, value);
  if (value === null || value === undefined) return <>–</>;
  if (typeof value === "boolean") return <>{value ? "✓" : "–"}</>;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null))
      return <>{value.map((item) => item ?? "–").join(", ") || "–"}</>;
    return (
      <ol>
        {value.map((item, index) => (
          <li key={`${index + 1}`}>
            <Value schema={known.items ?? {}} whole={whole} value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value === "object")
    return (
      <dl class="view">
        {Object.entries(value).map(([name, member]) => {
          const part = known.properties?.[name] ?? (known.additionalProperties || {});
          return (
            <div key={name}>
              <dt title={part.description}>{name.replaceAll("_", " ")}</dt>
              <dd>
                <Value schema={part} whole={whole} value={member} />
              </dd>
            </div>
          );
        })}
      </dl>
    );
  return <>{String(value)}</>;
}

/** The schema behind references and alternatives: the one with properties or items. */
function resolved(schema: Schema, whole: Schema, value: unknown): Schema {
  if (schema.$ref)
    return resolved(whole.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {}, whole, value);
  const wanted = Array.isArray(value) ? "items" : "properties";
  const fitting = schema.anyOf
    ?.map((one) => resolved(one, whole, value))
    .find((one) => wanted in one);
  return fitting ?? schema;
}
