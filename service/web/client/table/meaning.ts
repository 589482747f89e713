/** What the places, pieces and numbers of a board are called, and what they mean. */

import { fill, nodes, root } from "../board/paths.ts";
import type { Scene } from "../board/scene.ts";
import type { Owner } from "../board/standing.ts";
import { idsOf } from "../board/tables.ts";
import { pieceRef } from "../board/targets.ts";

/** The marks of an element of a board: `data-place` with `data-mat`, or `data-piece`. */
export interface Marks {
  readonly place?: string | undefined;
  readonly mat?: string | undefined;
  readonly piece?: string | undefined;
}

/** A sentence for an element: its name, the number on it, and what it does; "" if it has no name. */
export function meaningOf(scene: Scene, { place, mat, piece }: Marks): string {
  const mats = scene.mats.map(({ owner }) => owner);
  const owner = mats.find((one) => String(one) === mat) ?? null;
  if (place !== undefined) return ofPlace(scene, place, owner);
  const [type = "", id = ""] = piece?.split(":") ?? [];
  return ofPiece(scene, type, id);
}

function ofPlace({ board, tables, mats, view, says }: Scene, key: string, owner: Owner | null) {
  const sheet = owner === null ? board : board.mat;
  const place = sheet?.places[key];
  if (!sheet || !place) return "";
  const seen = owner === null ? view : mats.find((mat) => mat.owner === owner)?.view;
  const shown = place.shows === undefined ? [] : [...nodes(root(seen), place.shows)];
  const numbers = shown.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  const { table, key: template = "{.}" } = sheet.kinds[place.kind] ?? {};
  const row = table && idsOf(tables, table).find((id) => String(fill(template, root(id))) === key);
  return sentences(
    [owner === null ? "" : says.owner(owner), says.place(key, owner !== null), numbers.join(", ")],
    table && row ? says.text(table, row) : "",
  );
}

function ofPiece(scene: Scene, type: string, id: string): string {
  const { board, says } = scene;
  const all = [...scene.pieces, ...scene.mats.flatMap(({ pieces }) => pieces)];
  const ref = `piece:${type}:${id}`;
  const sort = says.piece(type, { count: all.find((one) => pieceRef(one) === ref)?.count ?? "" });
  const { table } = board.pieces[type] ?? board.mat?.pieces[type] ?? {};
  if (table && board.catalogue[table])
    return sentences([sort, says.name(table, id)], says.text(table, id));
  const owner = id === "" ? "" : says.owner(/^\d+$/.test(id) ? Number(id) : id);
  return sentences([sort, owner], "");
}

/** Names, joined by colons, and what they mean, unless that only repeats a name. */
function sentences(names: readonly string[], text: string): string {
  const name = names.filter(Boolean).join(": ");
  if (text === "" || name.toLocaleLowerCase().includes(text.toLocaleLowerCase())) return name;
  return `${name}. ${text}`;
}
