// The floors of the page, from the lowest to the highest. A folder may import its own files and
// folders of lower floors, but no other folder of its floor; imports of types count, too.
// `build.mjs --check` checks this.

import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const FLOORS = [
  // The kit, which other people's pages load, too. It does not depend on the page, and gets its
  // service as an argument.
  ["api"], // requests and streams
  ["words"], // labels and languages
  ["board"], // drawings
  ["play"], // following a table and choosing a move
  ["signing"], // keys of seats, at tables where players sign their moves
  ["embed"], // the elements of the package (clients/js)
  // The page of a service.
  ["browser"], // what this browser keeps and shows: settings, identity, language, address
  ["docs"], // the script and the styles of the guides
  ["phrases"], // the words of the page, and its numbers
  ["charts", "identity"], // charts; the player of this browser: keys, entropy, receipts
  ["parts"], // parts that several rooms use
  ["table", "tournaments", "checking"],
  ["analysis", "account"], // panels beside a table's replay, and of a player's account
  ["rooms"],
  ["main.tsx"],
];
/**
 * The verifier, which is written from docs/format.md alone, and the service worker. Every folder may
 * import them, and they import no other.
 */
const ALONE = ["verify", "offline"];

/** The forbidden imports, as sentences; `modules` has the imports of each module by its path. */
export function upward(modules) {
  const found = [];
  for (const [path, imports] of Object.entries(modules))
    for (const imported of imports) {
      const [from, to] = [folderOf(path), folderOf(imported)];
      if (from !== to && !(floorOf(to) < floorOf(from))) found.push(`${path} imports ${imported}`);
    }
  return found;
}

const folderOf = (path) => path.split("/", 1)[0];

function floorOf(folder) {
  if (ALONE.includes(folder)) return -1;
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  if (floor < 0) throw new Error(`${folder} is on no floor: name it in floors.mjs`);
  return floor;
}

/**
 * The forbidden imports of renderers, as sentences. Allowed are "lonja", "preact" for types, and
 * files beside a renderer.
 */
export function strays(modules) {
  const own = (name) => /^(lonja|preact|\.\/[^.].*)$/.test(name);
  return Object.entries(modules).flatMap(([path, imports]) =>
    imports.filter((name) => !own(name)).map((name) => `${path} imports ${name}`),
  );
}

/**
 * The modules of a folder, each with the modules of the folder that it imports, also for types or
 * dynamically.
 */
export async function modulesIn(root) {
  const read = await importsIn(root, "**/*.{ts,tsx}");
  const within = (path, names) =>
    names.flatMap((name) => {
      if (name === "lonja") return ["board/kit.ts"];
      const found = normalize(join(dirname(path), name));
      return /^\..*\.tsx?$/.test(name) && !found.startsWith("..") ? [found] : [];
    });
  return Object.fromEntries(
    Object.entries(read).map(([path, names]) => [path, within(path, names)]),
  );
}

/** The import specifiers in the modules of a folder that match a pattern. */
export async function importsIn(root, pattern) {
  const exclude = (name) => name === "node_modules";
  const paths = await Array.fromAsync(glob(pattern, { cwd: root, exclude }));
  const read = async (path) => {
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), "utf8"));
    return [path, importedFiles.map(({ fileName }) => fileName)];
  };
  return Object.fromEntries(await Promise.all(paths.map(read)));
}
