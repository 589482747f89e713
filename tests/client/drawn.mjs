// Says what a renderer draws, without a browser: reads {renderer, board, scenes: [{view, viewer}]}
// from standard input, and writes the keys of places and pieces of each scene, sheet by sheet.

import { join } from "node:path";
import { createRequire } from "node:module";

const CLIENT = join(import.meta.dirname, "..", "..", "service", "web", "client");
const { build } = createRequire(join(CLIENT, "package.json"))("esbuild");

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const asked = JSON.parse(Buffer.concat(chunks).toString());

const made = await build({
  stdin: {
    contents: `
      export { default as renderer } from ${JSON.stringify(asked.renderer)};
      export { Icon, Piece, Place, SeatSign, Text } from "./board/kit.ts";
      export { drawBoard, drawMat } from "./board/generic.tsx";
      export { sceneOf } from "./board/scene.ts";`,
    resolveDir: CLIENT,
  },
  bundle: true,
  write: false,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { lonja: join(CLIENT, "board", "kit.ts") },
  nodePaths: [join(CLIENT, "node_modules")],
  loader: { ".css": "text" },
});
const code = Buffer.from(made.outputFiles[0].text).toString("base64");
const kit = await import(`data:text/javascript;base64,${code}`);

const LEAVES = new Set([kit.Icon, kit.SeatSign, kit.Text]);

/** Go through what is drawn: components are called until they give places and pieces. */
function* found(node) {
  if (Array.isArray(node)) for (const part of node) yield* found(part);
  else if (node?.type === kit.Place) yield ["place", node.props.at];
  else if (node?.type === kit.Piece) yield ["piece", node.props.of.key];
  else if (typeof node?.type === "function") {
    if (!LEAVES.has(node.type)) yield* found(node.type(node.props));
  } else if (node?.props) yield* found(node.props.children);
}

function told(drawn, sheet, pieces) {
  const all = [...found(drawn)];
  const of = (kind) => all.filter(([is]) => is === kind).map(([, key]) => key);
  return {
    drawn: { places: of("place"), pieces: of("piece") },
    there: { places: Object.keys(sheet.places), pieces: pieces.map(({ key }) => key) },
  };
}

const { board, tables, words } = asked;
const draw = kit.renderer.draw ?? kit.drawBoard;
const mat = kit.renderer.mat ?? kit.drawMat;
const sheets = asked.scenes.flatMap(({ view, viewer }) => {
  const scene = kit.sceneOf({ board, tables, words, language: "en", names: [] }, view, viewer);
  return [
    told(draw(scene), board, scene.pieces),
    ...scene.mats.map((own) => told(mat(scene, own), board.mat, own.pieces)),
  ];
});
process.stdout.write(JSON.stringify(sheets));
