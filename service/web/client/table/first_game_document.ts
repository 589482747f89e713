/** Reads the steps of a ruleset's first game. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import type { FirstGame } from "./steps.ts";

export async function readFirstGame(id: string): Promise<FirstGame> {
  const path = { ruleset_id: id, document: "first_game" } as const;
  const found = told(api.GET("/v1/rulesets/{ruleset_id}/{document}", { params: { path } }));
  return (await found) as unknown as FirstGame;
}
