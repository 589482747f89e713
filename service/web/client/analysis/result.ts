/** The result of an analysis. */

import type { Schemas } from "../api/client.ts";

export type Result = Schemas["AnalysisResult"];

/** Number of moves of each seat that are listed, and marked in the graph. */
export const LISTED = 5;
