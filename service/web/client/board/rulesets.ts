/** The service's publications for each game: read once, documents by their digests. */

import { api, type Schemas, told } from "../api/client.ts";
import { type Language, language } from "../browser/language.ts";
import type { Words } from "../words/labels.ts";
import type { Board } from "./geometry.ts";
import { renderer } from "./load.ts";
import { type Renderer, type Says, saysOf } from "./scene.ts";
import type { Tables } from "./tables.ts";
import { type Elements, elementsOf } from "./targets.ts";

export interface Ruleset {
  readonly id: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly summary: Schemas["Ruleset"];
  readonly words: Readonly<Record<Language, Words>>;
  /** Null for a ruleset without a geometry: its views are shown in words. */
  readonly board: Board | null;
  readonly renderer: Renderer;
  readonly tables: Tables;
  readonly elements: Elements;
}

interface Digests {
  readonly board: string | null;
  readonly labels: string;
  readonly renderer: string | null;
}

const known = new Map<string, Promise<Ruleset>>();

/** A ruleset with everything for drawing; `edition` has the tables of a game's edition. */
export function ruleset(id: string): Promise<Ruleset> {
  const key = `${id} ${language.peek()}`; // sentences of its schemas are in one language
  const found = known.get(key) ?? read(id);
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

async function read(id: string): Promise<Ruleset> {
  const path = { ruleset_id: id };
  const summary = await told(api.GET("/v1/rulesets/{ruleset_id}", { params: { path } }));
  const digests = summary.documents as unknown as Digests;
  const [board, words, drawn] = await Promise.all([
    digests.board === null ? null : document<Board>(id, "board", digests.board),
    document<Record<Language, Words>>(id, "labels", digests.labels),
    digests.renderer === null ? {} : renderer(id, digests.renderer),
  ]);
  const tables = (summary.data as { tables: Tables }).tables;
  return {
    id,
    titles: summary.titles as Record<string, string>,
    summary,
    words,
    board,
    renderer: drawn,
    tables,
    elements: board ? elementsOf(board, tables) : new Map(),
  };
}

/** The words of a ruleset in the language of the page; null without a board. */
export function speaker({ board, tables, words }: Ruleset): Says | null {
  const tongue = language.value;
  return board && saysOf({ board, tables, words: words[tongue], language: tongue, names: [] });
}

async function document<T>(id: string, name: "board" | "labels", digest: string): Promise<T> {
  const params = { path: { ruleset_id: id, document: name }, query: { digest } };
  return (await told(api.GET("/v1/rulesets/{ruleset_id}/{document}", { params }))) as unknown as T;
}

const summaries = new Map<Language, Promise<Schemas["RulesetSummary"][]>>();

/** The rulesets, by title. */
export function rulesets(): Promise<Schemas["RulesetSummary"][]> {
  const tongue = language.peek();
  const found =
    summaries.get(tongue) ??
    told(api.GET("/v1/rulesets")).then(({ rulesets: all }) =>
      all.toSorted((one, other) => one.title.localeCompare(other.title, tongue)),
    );
  summaries.set(tongue, found);
  found.catch(() => summaries.delete(tongue));
  return found;
}
