// Builds service/web/static/ from the sources beside this file. `--check` writes nothing, and fails
// if what is there is not what the sources make: the built files are committed, so that nobody
// needs Node to run the service.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "..", "static");

// What is built: a file of static/, and how it comes about.
const BUILT = {
  "verify.mjs": () => script("verify/node.ts", { format: "esm" }),
  "verify.html": () =>
    page("verify/page/verify.html", "verify/page/page.ts", "verify/page/page.css"),
};

/** Bundle a module, with all that it imports, into one script. */
async function script(entry, options) {
  const made = await build({
    entryPoints: [join(HERE, entry)],
    absWorkingDir: HERE,
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    target: "es2022",
    external: ["node:*"],
    legalComments: "inline",
    logLevel: "warning",
    ...options,
  });
  return made.outputFiles[0].text;
}

/** Put a script and a style into a page, which may then load nothing else: not even these again. */
async function page(template, entry, style) {
  const html = await readFile(join(HERE, template), "utf8");
  const parts = {
    script: (await script(entry, { format: "iife" })).trim(),
    style: (await script(style, {})).trim(),
  };
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(parts.script)}`,
    `style-src ${hash(parts.style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const filled = { policy, ...parts };
  return Object.entries(filled).reduce((page, [name, text]) => {
    const slot = `{{${name}}}`;
    if (!page.includes(slot)) throw new Error(`${template} has no ${slot}`);
    return page.replace(slot, () => text);
  }, html);
}

const stale = [];
for (const [name, make] of Object.entries(BUILT)) {
  const made = await make();
  const file = join(STATIC, name);
  const kept = await readFile(file, "utf8").catch(() => null);
  if (made === kept) continue;
  if (process.argv.includes("--check")) stale.push(name);
  else await writeFile(file, made);
}
if (stale.length > 0) {
  console.error(`Out of date in service/web/static: ${stale.join(", ")}. Run \`make client\`.`);
  process.exit(1);
}
