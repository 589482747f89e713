/** The names of what a step of a first game speaks of, which the rings show only to the eye. */

import type { Scene } from "../board/scene.ts";
import { nameOf, pieceRef } from "../board/targets.ts";

/** The greatest number of elements that are named, and have rings. */
export const MOST = 12;

/**
 * Names of the elements `at` (see `Step`): of the viewer's mat, of pieces with their places, and of
 * `panels`. Without a scene, only panels have names.
 */
export function spokenOf(
  at: readonly string[],
  scene: Scene | null,
  panels: Readonly<Record<string, string>>,
): readonly string[] {
  const names = at.flatMap((ref) => {
    const [kind = "", name = ""] = ref.split(":");
    const panel = panels[kind];
    if (panel !== undefined) return panel;
    if (!scene) return [];
    if (kind === "piece") return piecesOf(scene, name);
    return scene.says.place(name, kind === "mat");
  });
  return [...new Set(names)].slice(0, MOST);
}

function piecesOf({ board, mats, pieces, says, viewer }: Scene, type: string): string[] {
  const { pieces: own = [] } = mats.find(({ owner }) => owner === (viewer ?? 0)) ?? {};
  return [...pieces, ...own].flatMap((piece) => {
    if (piece.type !== type) return [];
    const place = says.place(piece.place, piece.mat !== null);
    const isNamed = piece.id !== null || piece.owner !== null;
    const name = isNamed ? nameOf(board, says, pieceRef(piece)) : "";
    return [place, says.piece(type, { count: piece.count }), name].filter(Boolean).join(": ");
  });
}
