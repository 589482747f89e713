/**
 * Services of other projects, which need only have what the standard requires (docs/api/table.md).
 * For paths that such a service lacks, this module gives an answer, such as an empty preview.
 */

import type { Middleware } from "openapi-fetch";
import { type Access, type Schemas, Service, told } from "../api/client.ts";
import { LANGUAGES } from "../words/languages.ts";

/** The version of the standard that the kit reads. */
const TABLE_VERSION = 1;

type Substitute = (service: Service, game: string) => object | Promise<object>;

/** The answers for paths that a service need not have, by their names in openapi.yaml. */
const WITHOUT: Readonly<Record<string, Substitute>> = {
  "/v1/players/me": () => ({ id: "", key: { scope: "player" } }),
  "/v1/games/{game_id}/log": logOf,
  "/v1/games/{game_id}/preview": () => ({ effects: [], state: null, stops_at: null, next: null }),
};
/** Number of events in one page. */
const PAGE = 50;
/** The statuses with which a server answers if it does not know a path or a method. */
const MISSING: readonly number[] = [404, 405, 501];

/** A client of a service, which may be one of another project. */
export function serviceAt(access: Access): Service {
  const service = new Service(access);
  service.api.use(completed(service));
  return service;
}

function completed(service: Service): Middleware {
  return {
    onResponse: async ({ response, schemaPath, params }) => {
      const without = WITHOUT[schemaPath];
      if (without && MISSING.includes(response.status)) {
        if ((await codeIn(response)) === "unknown_game") return;
        return Response.json(await without(service, String(params.path?.game_id)));
      }
      if (!response.ok) return;
      if (schemaPath === "/v1/rulesets/{ruleset_id}") {
        const { table_version: version = TABLE_VERSION } = await response.clone().json();
        if (version !== TABLE_VERSION) throw new Error(unknown(service.language, version));
      }
      if (params.path?.document === "labels") return Response.json(spoken(await response.json()));
      return;
    },
  };
}

/** The log of a game, made from the effects of its events. */
async function logOf({ api }: Service, game: string): Promise<object> {
  const effects: Schemas["Effect"][] = [];
  let version = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: Schemas["EventPage"] | string = await told(
      api.GET("/v1/games/{game_id}/events", {
        params: { path: { game_id: game }, query: { after, limit: PAGE, include: ["effects"] } },
      }),
    );
    if (typeof page === "string") break;
    effects.push(...page.events.flatMap((event) => event.effects ?? []));
    version = page.events.at(-1)?.seq ?? version;
    after = page.next_after;
  }
  return { effects, version, next_after: null };
}

async function codeIn(response: Response): Promise<unknown> {
  try {
    return (await response.clone().json()).code;
  } catch {
    return undefined; // a server that does not know the path may answer with a page
  }
}

/** The words in every language of the kit; for a missing language, English or the first one. */
function spoken(words: Readonly<Record<string, object>>): Record<string, object> {
  const [first] = Object.values(words);
  const found = Object.keys(LANGUAGES).map((tag) => [tag, words[tag] ?? words.en ?? first]);
  return { ...words, ...Object.fromEntries(found) };
}

function unknown(language: string, version: unknown): string {
  return language === "es"
    ? `Este juego es de la versión ${version} del estándar; aquí se conoce la ${TABLE_VERSION}.`
    : `This game is of version ${version} of the standard; only version ${TABLE_VERSION} is known here.`;
}
