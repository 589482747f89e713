// Draws positions of a game without a browser, for wide screens and for narrow ones: tells which
// places and pieces each drawing has, how large they are and how small its letters, and which
// elements its legal moves point to; and the layout for narrow screens, if it has one. `node drawn.mjs CLIENT RENDERER < positions.json`.

import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const [client, renderer] = process.argv.slice(2).map((path) => resolve(path));
const { imported } = await import(join(client, "imported.mjs"));

const ENTRY = `
  export * as kit from "lonja";
  export { options } from "preact";
  export { Around } from "./board/elements.tsx";
  export { LEAST } from "./board/text.tsx";
  export { laidOut, sceneOf } from "./board/scene.ts";
  export { pieceRef, placeRef, refsOf } from "./board/targets.ts";
  export { default as renderer } from "${renderer}";
`;
const {
  Around,
  kit,
  laidOut,
  LEAST,
  options,
  sceneOf,
  pieceRef,
  placeRef,
  refsOf,
  renderer: drawing,
} = await imported(ENTRY);

/** The places and pieces of a drawing; of these, none stands within another. */
function* elements(node, within = null) {
  if (Array.isArray(node)) for (const child of node) yield* elements(child, within);
  if (node === null || typeof node !== "object" || Array.isArray(node)) return;
  const { type, props } = node;
  if (type === kit.Place || type === kit.Piece) {
    if (within) throw new Error(`${JSON.stringify(props.at)} is drawn within ${within}`);
    yield type === kit.Place
      ? { place: props.at }
      : { piece: props.of, extent: kit.extentOf(props.shape ?? { circle: 22 }) };
    yield* elements(props.children, String(props.at ?? props.of.key));
  } else if (type === kit.Icon) return;
  else if (typeof type === "function") yield* elements(drawnBy(type, props), within);
  else yield* elements(props?.children, within);
}

const said = (node) =>
  typeof node === "object" ? [node?.props?.children ?? []].flat(9).map(said).join("") : node;

/** The texts of a drawing, and how high their letters are in units of its sheet. */
function* letters(node, scale = 1) {
  if (Array.isArray(node)) for (const child of node) yield* letters(child, scale);
  if (node === null || typeof node !== "object" || Array.isArray(node)) return;
  const { type, props } = node;
  if (type === kit.Icon) return; // what an icon has of letters is a part of its picture
  const own = scale * Number(/scale\((-?[\d.]+)/.exec(props?.transform)?.[1] ?? 1);
  if (type === "text")
    yield { height: Math.abs(own) * Number(props["font-size"]), text: said(node) };
  const inside = type === kit.Place || type === kit.Piece || typeof type !== "function";
  yield* letters(inside ? props?.children : drawnBy(type, props), own);
}

/** All of a drawing, so that two can be compared. */
function whole(node) {
  if (Array.isArray(node)) return node.map(whole);
  if (node === null || typeof node !== "object") return node;
  const { type, props } = node;
  if (typeof type === "function" && ![kit.Place, kit.Piece, kit.Icon].includes(type))
    return whole(drawnBy(type, props));
  return [type.name ?? type, { ...props, children: whole(props?.children) }];
}

/** Checks that a mat shows nothing of the view but its own part and what is `beside` it. */
function checkBeside(scene, mat, other) {
  const [here, there] = [scene.view, other].map((view) => {
    const beside = JSON.stringify(drawing.beside?.(view, mat.owner));
    return { beside, drawn: JSON.stringify(whole(drawing.mat?.({ ...scene, view }, mat))) };
  });
  if (drawing.beside && here.beside === there.beside && here.drawn !== there.drawn)
    throw new Error(`the mat of ${mat.owner} shows more than ${here.beside}`);
}

/** The size of the least letters that can be read on the screen, as the page tells it to drawings. */
let least = 0;

/** What a component draws. */
function drawnBy(type, props) {
  const around = { props: { value: { least } }, sub() {} };
  options.__r({ __c: { context: { [Around.__c]: around } } }); // what Preact does before a component
  return type(props);
}

const { board, tables, words, positions, phone } = JSON.parse(await text(process.stdin));
const answers = positions.flatMap(({ view, seat, moves, language }, nth) =>
  (drawing.narrow ? [false, true] : [false]).map((narrow) => {
    const setting = {
      ...laidOut(drawing, board, narrow),
      tables,
      words: words[language],
      language,
    };
    const scene = sceneOf({ ...setting, names: [] }, view, seat);
    const other = positions[(nth + 1) % positions.length].view;
    for (const mat of scene.mats) checkBeside(scene, mat, other);
    const sheets = [
      { owner: null, sheet: scene.board, pieces: scene.pieces, drawn: drawing.draw?.(scene) },
      ...scene.mats.map((mat) => ({
        owner: mat.owner,
        sheet: scene.board.mat,
        pieces: mat.pieces,
        drawn: drawing.mat?.(scene, mat),
      })),
    ];
    const told = sheets.map(({ owner, sheet, pieces, drawn }) => {
      least = narrow ? (LEAST * sheet.size[0]) / phone : 0;
      const found = [...elements(drawn)].map(({ place, piece, extent }) => ({
        place,
        key: piece?.key,
        ref: piece ? pieceRef(piece) : placeRef(place, owner),
        extent: extent ?? kit.extentOf(kit.shapeOf(sheet, sheet.places[place])),
      }));
      return {
        owner,
        size: sheet.size,
        found,
        pieces: pieces.map(({ key }) => key),
        letters: [...letters(drawn)],
      };
    });
    const refs = moves.flatMap((move) => refsOf(board, view, seat, move));
    return { narrow, moves, sheets: told, refs };
  }),
);
console.log(JSON.stringify({ narrow: drawing.narrow?.(board) ?? null, answers }));
