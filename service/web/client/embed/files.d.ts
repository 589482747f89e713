/** The games whose drawings are in the kit; its build lists them (`kit.mjs`). */
declare module "lonja:games" {
  import type { Board } from "../board/geometry.ts";
  import type { Renderer } from "../board/scene.ts";
  import type { Tables } from "../board/tables.ts";
  import type { Words } from "../words/labels.ts";
  import type { Language } from "../words/languages.ts";

  interface Carried {
    /** The SHA-256 of the geometry for which the drawing was made, in hexadecimal. */
    readonly board: string;
    readonly drawing: () => Promise<{ readonly default: Renderer }>;
    readonly documents: () => Promise<{
      readonly default: {
        readonly board: Board;
        readonly words: Readonly<Record<Language, Words>>;
        readonly tables: Tables;
      };
    }>;
  }
  export const games: Readonly<Record<string, Carried>>;
}
