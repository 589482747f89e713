// Draws positions of a game without a browser: tells which places and pieces each drawing has, and
// which elements its legal moves point to. `node drawn.mjs CLIENT RENDERER < positions.json`.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const [client, renderer] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(client, "package.json"))("esbuild");

const ENTRY = `
  export * as kit from "lonja";
  export { sceneOf } from "${client}/board/scene.ts";
  export { pieceRef, placeRef, refsOf } from "${client}/board/targets.ts";
  export { default as renderer } from "${renderer}";
`;
const bundled = await build({
  stdin: { contents: ENTRY, resolveDir: client },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { lonja: join(client, "board/kit.ts"), preact: join(client, "node_modules/preact") },
  loader: { ".css": "text" },
});
const source = Buffer.from(bundled.outputFiles[0].text).toString("base64");
const { kit, sceneOf, pieceRef, placeRef, refsOf, renderer: drawing } = await import(
  `data:text/javascript;base64,${source}`
);

/** The places and pieces of a drawing; of these, none stands within another. */
function* elements(node, within = null) {
  if (Array.isArray(node)) for (const child of node) yield* elements(child, within);
  if (node === null || typeof node !== "object" || Array.isArray(node)) return;
  const { type, props } = node;
  if (type === kit.Place || type === kit.Piece) {
    if (within) throw new Error(`${JSON.stringify(props.at)} is drawn within ${within}`);
    yield type === kit.Place ? { place: props.at } : { piece: props.of };
    yield* elements(props.children, String(props.at ?? props.of.key));
  } else if (type === kit.Icon) return;
  else if (typeof type === "function") yield* elements(type(props), within);
  else yield* elements(props?.children, within);
}

const { board, tables, words, positions } = JSON.parse(await text(process.stdin));
const answers = positions.map(({ view, seat, moves, language }) => {
  const scene = sceneOf({ board, tables, words: words[language], language, names: [] }, view, seat);
  const sheets = [{ owner: null, pieces: scene.pieces, drawn: drawing.draw?.(scene) }];
  for (const mat of scene.mats)
    sheets.push({ owner: mat.owner, pieces: mat.pieces, drawn: drawing.mat?.(scene, mat) });
  const told = sheets.map(({ owner, pieces, drawn }) => {
    const found = [...elements(drawn)];
    return {
      owner,
      places: found.flatMap(({ place }) => place ?? []),
      drawn: found.flatMap(({ piece }) => piece?.key ?? []),
      pieces: pieces.map(({ key }) => key),
      refs: found.map(({ place, piece }) => (piece ? pieceRef(piece) : placeRef(place, owner))),
    };
  });
  return { sheets: told, refs: moves.flatMap((move) => refsOf(board, view, seat, move)) };
});
console.log(JSON.stringify(answers));
