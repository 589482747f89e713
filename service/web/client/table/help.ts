/** What explains a table: the rules beside it, and names and meanings; loaded after the board. */

export { RulesDrawer } from "./drawer.tsx";
export { Meanings } from "./meanings.tsx";
