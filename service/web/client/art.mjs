// Art: drawings in .svg files, which any drawing program opens. `import icons from "./art/icons/*.svg"`
// gives the drawings of a folder by their names. A file is centred on the origin and has plain
// shapes. A fill or stroke of `url(#wood)` stands for the board's colour "wood", which differs
// between themes. So that a drawing program can show the file, it has a swatch, a gradient of one
// stop, with the tone of that colour in the light theme.

import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const SHAPES = ["g", "path", "circle", "ellipse", "line", "polygon", "polyline", "rect", "text"];
const ATTRIBUTES =
  /^(cx|cy|d|fill|fill-(opacity|rule)|font-size|height|opacity|points|r|rx|ry|stroke|stroke-[a-z]+|style|text-anchor|transform|width|x|x1|x2|y|y1|y2)$/;
/**
 * Elements that drawing programs add for themselves. `OWN_NOTES` are attributes that do not change
 * the drawing.
 */
const THEIRS = ["metadata", "title", "desc"];
const OWN_NOTES = /^(id|version|xmlns|.+:.+)$/;

/** The plugin of esbuild by which modules import art. */
export const art = {
  name: "art",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/\*\.svg$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, dirname(path)),
      namespace: "art",
    }));
    onLoad({ filter: /.*/, namespace: "art" }, async ({ path: folder }) => ({
      contents: await moduleOf(folder),
      loader: "jsx",
      resolveDir: folder,
    }));
  },
};

/**
 * The source of a module with all drawings of a folder, which is two levels below the folder of the
 * board.
 */
async function moduleOf(folder) {
  const { colours } = JSON.parse(await readFile(join(folder, "../../board.json"), "utf8"));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".svg")).sort();
  const members = files.map(async (file) => {
    const text = await readFile(join(folder, file), "utf8");
    try {
      return `${JSON.stringify(basename(file, ".svg"))}: ${drawingOf(text, colours)},`;
    } catch (error) {
      throw new Error(`${join(folder, file)}: ${error.message}`);
    }
  });
  return `export default {\n${(await Promise.all(members)).join("\n")}\n};\n`;
}

/** The JSX of a drawing; `colours` are the board's colours by name. */
export function drawingOf(text, colours) {
  const svg = parsed(text);
  const [x, y, width, height] = (svg.attributes.viewBox ?? "").split(/[\s,]+/).map(Number);
  if (svg.name !== "svg" || x !== -width / 2 || y !== -height / 2)
    throw new Error('the middle of its <svg> is not at 0 0: say viewBox="-12 -12 24 24"');
  const parts = svg.children.filter(({ name }) => !isTheirs(name));
  const swatches = parts
    .flatMap(({ name, children }) => (name === "defs" ? children : []))
    .filter(({ name }) => !isTheirs(name));
  for (const swatch of swatches) checkSwatch(swatch, colours);
  const ids = new Set(swatches.map(({ attributes }) => attributes.id));
  const drawn = parts.filter(({ name }) => name !== "defs");
  return `<>${drawn.map((shape) => jsxOf(shape, ids)).join("")}</>`;
}

const isTheirs = (name) => THEIRS.includes(name) || name?.includes(":");

/** Refuse a swatch that differs from the board's colour of that name. */
function checkSwatch({ name, attributes: { id }, children: [stop, ...more] }, colours) {
  if (name !== "linearGradient" || stop?.name !== "stop" || more.length > 0)
    throw new Error(`<${name} id="${id}"> is no swatch: it has one <stop>, or is not drawn`);
  const said =
    stop.attributes["stop-color"] ?? /stop-color:([^;]+)/.exec(stop.attributes.style)?.[1];
  if (said !== colours[id]?.light)
    throw new Error(`the swatch "${id}" is ${said}, in board.json ${colours[id]?.light}`);
}

function jsxOf({ name, attributes, children, text }, swatches) {
  if (text !== undefined) return `{${JSON.stringify(text)}}`;
  if (isTheirs(name)) return "";
  if (!SHAPES.includes(name)) throw new Error(`<${name}> is not drawn, but ${SHAPES.join(", ")}`);
  const own = Object.entries(attributes).filter(([key]) => !OWN_NOTES.test(key));
  const said = own.map(([key, value]) => {
    if (!ATTRIBUTES.test(key)) throw new Error(`<${name} ${key}> is not drawn`);
    const painted = value.replace(/url\(["']?#([^)"']+)["']?\)/g, (_, id) => {
      if (!swatches.has(id)) throw new Error(`${key}="${value}" is no swatch that it has`);
      return `var(--board-${id})`;
    });
    return ` ${key}={${JSON.stringify(painted)}}`;
  });
  return `<${name}${said.join("")}>${children.map((child) => jsxOf(child, swatches)).join("")}</${name}>`;
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Parse an XML text into its root element. Text is kept only within a `<text>`. */
function parsed(text) {
  const root = { children: [] };
  const open = [root];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null) throw new Error(`line ${text.slice(0, at).split("\n").length} is no XML`);
    const [, closes, name, attributes, empty, said] = token;
    const within = open.at(-1);
    if (said !== undefined && within.name === "text") within.children.push({ text: plain(said) });
    if (name === undefined) continue;
    if (closes) {
      if (open.pop().name !== name) throw new Error(`</${name}> closes what is not open`);
      continue;
    }
    const found = [...attributes.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [
      key,
      plain(double ?? single),
    ]);
    const element = { name, attributes: Object.fromEntries(found), children: [] };
    within.children.push(element);
    if (!empty) open.push(element);
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error("it is not one element");
  return root.children[0];
}

function plain(text) {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}
