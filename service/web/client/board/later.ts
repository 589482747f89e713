/** What is loaded after the first drawing of a board, because the drawing does not need it. */

export { finishSoon } from "./finish.ts";
export { ToldWords } from "./told.tsx";
