// Builds service/web/static/ from the sources beside this file, the HTML that loads the shell, and
// each game's renderer beside its source. The built files are committed, so that nobody needs Node
// to run the service. `--check` writes nothing, and fails if a built file differs from its sources,
// or if a module imports from a higher floor (floors.mjs).

import { createHash } from "node:crypto";
import { glob, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { art } from "./art.mjs";
import { linked, PLACE } from "./links.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "..", "static");
const APP = join(STATIC, "app");
const ROOT = join(HERE, "..", "..", "..");
const RULES = join(ROOT, "rules");
const TEMPLATES = join(HERE, "..", "templates");
const WORKER = "offline/worker.ts";
const CHECK = process.argv.includes("--check");

// The built files of static/, each with the function that makes it.
const BUILT = {
  "guides.js": () => script("docs/guides.ts", { format: "iife" }),
  "guides.css": () => script("docs/guides.css", {}),
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

/**
 * Put a script and a style into a page. The page's policy allows exactly these, by their digests,
 * and nothing else.
 */
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

/**
 * The import map's entry for renderers: the name "lonja", and the stable address of the shell's
 * part that exports it.
 */
const KIT = { name: "lonja", part: "kit.js" };
const MODULES = {
  bundle: true,
  minify: true,
  write: false,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "css" },
  logLevel: "warning",
};

/** Makes style sheets that a module imports as text as small as those of the shell. */
const smallStyles = {
  name: "small styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path, with: { type } }) => {
      if (type !== "text") return undefined;
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "css",
        minify: true,
        target: MODULES.target,
      });
      return { contents: code, loader: "text" };
    });
  },
};

/** The shell: the page, and the exports for renderers. Both share modules. */
async function shell() {
  const made = await build({
    ...MODULES,
    entryPoints: {
      app: join(HERE, "main.tsx"),
      kit: join(HERE, "board/kit.ts"),
      verifier: join(HERE, "verify/worker.ts"),
    },
    absWorkingDir: HERE,
    outdir: APP,
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    plugins: [smallStyles],
  });
  const { texts, versions } = linked(made, [KIT.part]);
  const kept = `${JSON.stringify(Object.fromEntries(versions), null, 2)}\n`;
  return [
    ...[...texts].map(([name, text]) => ({ path: join(APP, name), text })),
    { path: join(APP, "versions.json"), text: kept },
    { path: join(TEMPLATES, "shell.html"), text: headOf(texts, versions) },
  ];
}

/** The service worker, with the list of the parts that it stores. */
async function worker(files) {
  const [versions, , checkPage] = files;
  const templates = ["base.html", "client.html"].map((name) => join(TEMPLATES, name));
  const made = [...files, ...(await Promise.all(templates.map((file) => readFile(file, "utf8"))))];
  const release = createHash("sha256").update(made.join("\n")).digest("hex").slice(0, 12);
  const check = createHash("sha256").update(checkPage).digest("hex");
  const define = {
    VERSIONS: versions,
    RELEASE: JSON.stringify(release),
    CHECK_DIGEST: JSON.stringify(check),
  };
  return {
    path: join(STATIC, "worker.js"),
    text: await script(WORKER, { format: "iife", define }),
  };
}

/**
 * The tags in a page's head that load the shell: the browser loads all modules at the same time,
 * not one after the other.
 */
function headOf(texts, versions) {
  const modules = new Set([KIT.part, "app.js"]);
  for (const name of modules)
    for (const [, imported] of texts.get(name).matchAll(/(?:from|import)"\.\/([^"?]+)/g))
      modules.add(imported);
  const at = (name) => PLACE + name + (name === KIT.part ? "" : `?v=${versions.get(name)}`);
  return [
    `<link rel="stylesheet" href="${at("app.css")}">`,
    ...[...modules].map((name) => `<link rel="modulepreload" href="${at(name)}">`),
    `<script src="${at("app.js")}" type="module"></script>`,
    '<link rel="manifest" href="/static/lonja.webmanifest">',
    "",
  ].join("\n");
}

/** The renderer of each game, which lies beside its source. */
async function renderers() {
  const entries = await Array.fromAsync(glob("*/aids/board.tsx", { cwd: RULES }));
  const made = await build({
    ...MODULES,
    entryPoints: entries.map((name) => join(RULES, name)),
    absWorkingDir: RULES,
    outbase: RULES,
    outdir: RULES,
    loader: { ".css": "text" },
    plugins: [
      art,
      {
        name: "lent by the shell",
        setup({ onResolve }) {
          const lent = new RegExp(`^(${KIT.name}|preact/jsx-runtime)$`);
          onResolve({ filter: lent }, () => ({ path: PLACE + KIT.part, external: true }));
        },
      },
    ],
  });
  return made.outputFiles;
}

const built = new Map(
  await Promise.all(
    Object.entries(BUILT).map(async ([name, make]) => [join(STATIC, name), await make()]),
  ),
);
for (const { path, text } of [...(await shell()), ...(await renderers())]) built.set(path, text);
const stored = [
  join(APP, "versions.json"),
  join(TEMPLATES, "shell.html"),
  join(STATIC, "verify.html"),
];
const { path, text } = await worker(stored.map((file) => built.get(file)));
built.set(path, text);

const stale = [];
for (const [file, made] of built) {
  const kept = await readFile(file, "utf8").catch(() => null);
  if (made === kept) continue;
  stale.push(file);
  if (CHECK) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, made);
}
for (const name of await readdir(APP).catch(() => [])) {
  const file = join(APP, name);
  if (built.has(file)) continue;
  stale.push(file); // an older build made this file
  if (!CHECK) await rm(file);
}
if (CHECK) {
  // Only a check loads floors.mjs, because it loads the TypeScript compiler.
  const { importsIn, modulesIn, strays, upward } = await import("./floors.mjs");
  const faults = [
    ...upward(await modulesIn(HERE)),
    ...strays(await importsIn(RULES, "*/aids/*.{ts,tsx}")),
  ];
  const names = stale.map((file) => relative(ROOT, file));
  if (names.length > 0) faults.push(`Out of date: ${names.join(", ")}. Run \`make client\`.`);
  for (const fault of faults) console.error(fault);
  process.exit(faults.length > 0 ? 1 : 0);
}
