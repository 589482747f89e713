/**
 * The drawings in the kit. For other games, the service's renderer is loaded, if the page allows
 * its code.
 */

import { games } from "lonja:games";
import type { Service } from "../api/client.ts";
import type { Board } from "../board/geometry.ts";
import { type Renderers, Rulesets } from "../board/rulesets.ts";
import type { Renderer } from "../board/scene.ts";
import type { Tables } from "../board/tables.ts";
import type { Words } from "../words/labels.ts";
import type { Language } from "../words/languages.ts";
import { fetched } from "./fetched.ts";

/** The data that a board is drawn from. */
export interface Drawable {
  readonly board: Board;
  readonly words: Readonly<Record<Language, Words>>;
  readonly tables: Tables;
  readonly renderer: Renderer;
}

/** A ruleset whose drawing is in the kit; null for any other. */
export async function carried(id: string): Promise<Drawable | null> {
  const game = games[id];
  if (!game) return null;
  const [{ default: renderer }, { default: documents }] = await Promise.all([
    game.drawing(),
    game.documents(),
  ]);
  return { ...documents, renderer };
}

/**
 * The rulesets of a service. If the kit has a ruleset with the same geometry, the kit's drawing is
 * used. Otherwise, if `runsCode`, the service's code draws the board; if not, the generic board is
 * used.
 */
export function rulesetsOf(service: Service, runsCode: boolean): Rulesets {
  const drawing: Renderers = async (id, digests) => {
    const own = games[id];
    if (own && own.board === digests.board) return (await own.drawing()).default;
    return runsCode ? await fetched(service, id, digests) : {};
  };
  return new Rulesets(service, drawing);
}
