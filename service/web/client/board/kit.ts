/**
 * The module that renderers import as "lonja". Its exports are a public interface, which is as
 * stable as the API.
 */

// The JSX compiler imports these.
export { Fragment, jsx, jsxs } from "preact/jsx-runtime";
export type { components } from "../api/schema.d.ts";
export { Icon, ofType, Piece, Place, spread } from "./elements.tsx";
export { Lines, Pieces, Places, Scenery } from "./generic.tsx";
export {
  type Board,
  extentOf,
  type Point,
  type Shape,
  type Sheet,
  type Sign,
  shapeOf,
} from "./geometry.ts";
export type { Fixed, Icons, Renderer, Says, Scene, View } from "./scene.ts";
export { colour, Outline, SeatSign, signPath } from "./shapes.tsx";
export type { Mat, Owner, Piece as PieceOf } from "./standing.ts";
export { rowOf, rowsOf } from "./tables.ts";
export { Text, useLeast, wrapped } from "./text.tsx";
