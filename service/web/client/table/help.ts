/**
 * What explains a table: the rules beside it, the steps of a first game, names and meanings; loaded
 * after the board.
 */

export { Besides } from "./besides.tsx";
export { RulesDrawer } from "./drawer.tsx";
export { Lesson } from "./lesson.tsx";
