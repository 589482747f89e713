// Draws a position of a game as an SVG file, with the game's own renderer: `node picture.mjs RENDERER
// < position.json`. The file has no words, so that it suits every language; it has the colours for a
// light and for a dark page.

import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { imported } from "./imported.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const renderer = resolve(process.argv[2]);

const ENTRY = `
  import { render } from "preact-render-to-string";
  import { Around, UNMARKED } from "./board/elements.tsx";
  import { drawBoard } from "./board/generic.tsx";
  import { sceneOf } from "./board/scene.ts";
  import { coloursOf, Patterns } from "./board/shapes.tsx";
  import renderer from "${renderer}";

  const { draw = drawBoard, icons = {}, style = "" } = renderer;
  export { coloursOf, style };
  export function drawn({ board, tables, words, view }) {
    const scene = sceneOf({ board, tables, words, language: "", names: [] }, view, null);
    const around =
      { sheet: board, board, says: scene.says, owner: null, marks: UNMARKED, icons };
    return render(<Around.Provider value={around}><Patterns />{draw(scene)}</Around.Provider>);
  }
`;

const { coloursOf, drawn, style } = await imported(ENTRY);

/** What only words, buttons and animation need of a drawing; numbers in a thousandth of a unit. */
const NEEDLESS = [
  /<title>.*?<\/title>/gs,
  /<text\b.*?<\/text>/gs,
  /<(\w+) class="halo"[^>]*><\/\1>/g,
  / (?:data-[\w-]+|aria-\w+|role)="[^"]*"/g,
];

function slim(drawing) {
  const bare = NEEDLESS.reduce((rest, pattern) => rest.replace(pattern, ""), drawing);
  return bare
    .replace(/ class(?=[\s>])/g, "")
    .replace(/(class="[^"]*?)\s+"/g, '$1"')
    .replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
    .replace(/<(\w+)([^>]*)><\/\1>/g, "<$1$2/>")
    .replace(/<g(?: class="[^"]*")?\/>/g, "");
}

const declared = (colours) =>
  Object.entries(colours)
    .map(([name, tone]) => `${name}:${tone}`)
    .join(";");

const position = JSON.parse(await text(process.stdin));
const { board } = position;
const own = await Promise.all(
  ["colours", "board"].map((name) => readFile(join(HERE, `style/${name}.css`), "utf8")),
);
const sheet = `${own.join("")}${style}
  :root { ${declared(coloursOf(board, false))} }
  @media (prefers-color-scheme: dark) { :root { ${declared(coloursOf(board, true))} } }`;
const { code } = await transform(sheet, { loader: "css", minify: true });
const [width, height] = board.size;
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}"><style>${code.trim().replaceAll("<", "&lt;")}</style>` +
    `${slim(drawn(position))}</svg>\n`,
);
