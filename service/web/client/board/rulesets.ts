/**
 * What a service publishes for each game. It is read once; documents are requested by their
 * digests.
 */

import { type Schemas, type Service, told } from "../api/client.ts";
import type { Words } from "../words/labels.ts";
import type { Language } from "../words/languages.ts";
import type { Board } from "./geometry.ts";
import { type Renderer, type Says, saysOf } from "./scene.ts";
import type { Tables } from "./tables.ts";
import { type Elements, elementsOf } from "./targets.ts";

export interface Ruleset {
  readonly id: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly summary: Schemas["Ruleset"];
  readonly words: Readonly<Record<Language, Words>>;
  /** Null if the ruleset has no geometry, so that its views are shown in words. */
  readonly board: Board | null;
  readonly renderer: Renderer;
  readonly tables: Tables;
  readonly elements: Elements;
}

/** The SHA-256 of a ruleset's documents, in hexadecimal; null for a missing document. */
export interface Digests {
  readonly board: string | null;
  readonly labels: string;
  readonly renderer: string | null;
}

/** Load the renderer of a ruleset with these documents; `{}` if it has none. */
export type Renderers = (id: string, digests: Digests) => Promise<Renderer>;

/**
 * Reads the rulesets of a service. The sentences in their schemas are in the language of the
 * requests.
 */
export class Rulesets {
  readonly #service: Service;
  readonly #renderers: Renderers;
  readonly #known = new Map<string, Promise<Ruleset>>();
  readonly #summaries = new Map<string, Promise<Schemas["RulesetSummary"][]>>();

  constructor(service: Service, renderers: Renderers) {
    this.#service = service;
    this.#renderers = renderers;
  }

  /** A ruleset with everything that is needed to draw its boards. */
  read(id: string): Promise<Ruleset> {
    return kept(this.#known, `${id} ${this.#service.language}`, () => this.#read(id));
  }

  /** The rulesets, sorted by title. */
  list(): Promise<Schemas["RulesetSummary"][]> {
    const { api, language } = this.#service;
    return kept(this.#summaries, language, async () => {
      const { rulesets } = await told(api.GET("/v1/rulesets"));
      return rulesets.toSorted((one, other) => one.title.localeCompare(other.title, language));
    });
  }

  async #read(id: string): Promise<Ruleset> {
    const path = { ruleset_id: id };
    const summary = await told(
      this.#service.api.GET("/v1/rulesets/{ruleset_id}", { params: { path } }),
    );
    const digests = summary.documents as unknown as Digests;
    const [board, words, renderer] = await Promise.all([
      digests.board === null ? null : this.#document<Board>(id, "board", digests.board),
      this.#document<Record<Language, Words>>(id, "labels", digests.labels),
      this.#renderers(id, digests),
    ]);
    const tables = (summary.data as { tables: Tables }).tables;
    return {
      id,
      titles: summary.titles as Record<string, string>,
      summary,
      words,
      board,
      renderer,
      tables,
      elements: board ? elementsOf(board, tables) : new Map(),
    };
  }

  async #document<T>(id: string, name: "board" | "labels", digest: string): Promise<T> {
    const params = { path: { ruleset_id: id, document: name }, query: { digest } };
    const asked = this.#service.api.GET("/v1/rulesets/{ruleset_id}/{document}", { params });
    return (await told(asked)) as unknown as T;
  }
}

/** The cached promise of a key, or a new one; a failure is forgotten. */
function kept<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

/** The labels of a ruleset in a language; null if it has no board. */
export function speaker(
  { board, tables, words }: Pick<Ruleset, "board" | "tables" | "words">,
  language: Language,
): Says | null {
  return board && saysOf({ board, tables, words: words[language], language, names: [] });
}
