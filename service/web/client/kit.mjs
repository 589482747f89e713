// Builds the package `@lonja/kit` (clients/js) from the floors that know no page. `node kit.mjs
// GAMES OUT`: GAMES has a file for each game in the kit, written by `tools/kit.py`: the game's
// geometry, its SHA-256 as a service publishes it, its words and its tables.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { art } from "./art.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const RULES = join(HERE, "..", "..", "..", "rules");
const KIT = join(HERE, "embed/index.ts");
/** Parts that are loaded later. */
const LATER = {
  why: join(HERE, "play/why.tsx"),
  later: join(HERE, "board/later.ts"),
  members: join(HERE, "board/members.tsx"),
  pace: join(HERE, "play/pace.ts"),
  signing: join(HERE, "embed/signing.tsx"),
};
const [games, out] = process.argv.slice(2).map((path) => resolve(path));

const ids = (await readdir(games)).map((name) => basename(name, ".json")).sort();
const drawingOf = (id) => join(RULES, id, "aids/board.tsx");
const documentsOf = (id) => join(games, `${id}.json`);

/**
 * The module that lists the kit's games. The data and the drawing of a game are loaded when it is
 * first drawn.
 */
async function listed() {
  const members = ids.map(async (id) => {
    const { digest } = JSON.parse(await readFile(documentsOf(id), "utf8"));
    const [drawing, documents] = [drawingOf(id), documentsOf(id)].map((path) =>
      JSON.stringify(path),
    );
    return `${id}: { board: "${digest}", drawing: () => import(${drawing}), documents: () => import(${documents}) },`;
  });
  return `export const games = {\n${(await Promise.all(members)).join("\n")}\n};\n`;
}

const carried = {
  name: "what the kit carries",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lonja:games$/ }, ({ path }) => ({ path, namespace: "games" }));
    onLoad({ filter: /.*/, namespace: "games" }, async () => ({
      contents: await listed(),
      resolveDir: HERE,
    }));
    // What is loaded later imports the whole kit here, because esbuild would split it for a part that
    // shares only some of its modules.
    onLoad(
      {
        filter: /(play\/(why\.tsx|pace\.ts)|board\/(later\.ts|members\.tsx)|embed\/signing\.tsx)$/,
      },
      async ({ path }) => ({
        contents: `${await readFile(path, "utf8")}\nimport ${JSON.stringify(KIT)};\n`,
        loader: "tsx",
      }),
    );
    // The kit's own style sheet is made from several files; each renderer has one file.
    onLoad({ filter: /embed\.css$/ }, async ({ path }) => {
      const made = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      return { contents: made.outputFiles[0].text, loader: "text" };
    });
  },
};

await rm(out, { recursive: true, force: true });
const made = await build({
  bundle: true,
  minify: true,
  metafile: true,
  splitting: true,
  format: "esm",
  charset: "utf8",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  absWorkingDir: HERE,
  outdir: out,
  entryPoints: {
    "lonja-kit": KIT,
    check: join(HERE, "verify/verify.ts"),
    sign: join(HERE, "signing/sign.ts"),
    ...LATER,
    ...Object.fromEntries(
      ids.flatMap((id) => [
        [`games/${id}`, drawingOf(id)],
        [`games/${id}.documents`, documentsOf(id)],
      ]),
    ),
  },
  chunkNames: "shared-[hash]",
  alias: {
    lonja: join(HERE, "board/kit.ts"),
    "preact/jsx-runtime": join(HERE, "node_modules/preact/jsx-runtime"),
    preact: join(HERE, "node_modules/preact"),
  },
  loader: { ".css": "text" },
  plugins: [art, carried],
  logLevel: "warning",
});

// The licences of bundled packages are kept.
const packages = new Set(
  Object.keys(made.metafile.inputs).flatMap((path) => {
    const [, name] = /node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path) ?? [];
    return name ? [name] : [];
  }),
);
const licences = [...packages].sort().map(async (name) => {
  const text = await readFile(join(HERE, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
await writeFile(join(out, "licences.txt"), (await Promise.all(licences)).join("\n\n"));
