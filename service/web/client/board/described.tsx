/** A board in words: which pieces stand on which places. */

import type { ComponentChildren } from "preact";
import { counted, plain } from "../words/values.ts";
import type { Place } from "./geometry.ts";
import { fill, nodes, root } from "./paths.ts";
import type { Scene } from "./scene.ts";
import type { Owner, Piece } from "./standing.ts";
import { type BoardWords, useBoardWords } from "./words.ts";

/**
 * The pieces and their places in words. `children` is the whole view in words, which is folded at
 * first.
 */
export function Described({ scene, children }: { scene: Scene; children: ComponentChildren }) {
  const words = useBoardWords();
  return (
    <>
      <Standing scene={scene} />
      <details class="whole">
        <summary>{words.wholeView}</summary>
        {children}
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

/**
 * The pieces and values, place by place, on the mat of `owner`, or on the board if `owner` is null.
 */
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

/** Whether a place's value is hidden from the viewer. An empty list is a visible value. */
function isHidden(view: unknown, { shows }: Place): boolean {
  return shows !== undefined && fill(`{${shows.split("/*", 1)[0]}}`, root(view)) === null;
}

/** The text for a piece on a place: its name, its owner, and its count. */
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
