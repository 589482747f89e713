// Imports modules of the page, and renderers, where there is no browser: they are bundled first.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { art } from "./art.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const preact = createRequire(import.meta.url).resolve("preact");

/** Imports a module with this source, whose paths are relative to this folder. */
export async function imported(contents) {
  const bundled = await build({
    stdin: { contents, resolveDir: HERE, loader: "tsx" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: { lonja: join(HERE, "board/kit.ts"), preact: dirname(dirname(preact)) },
    loader: { ".css": "text" },
    plugins: [art],
  });
  const source = Buffer.from(bundled.outputFiles[0].text).toString("base64");
  return import(`data:text/javascript;base64,${source}`);
}
