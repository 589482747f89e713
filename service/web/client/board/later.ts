/** What is loaded after the first drawing of a board, because the drawing does not need it. */

export { enlargeHits } from "./hits.ts";
export { makeLegibleSoon, nameAsSeen } from "./legible.ts";
export { ToldWords } from "./told.tsx";
