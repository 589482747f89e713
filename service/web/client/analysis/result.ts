/** What an analysis comes to. */

import type { Schemas } from "../api/client.ts";

export type Result = Schemas["AnalysisResult"];

/** So many moves of each seat are listed, and marked in the graph. */
export const LISTED = 5;
