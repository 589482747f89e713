// The floors of the page, from the ground: a folder imports what stands below it, and its own files;
// folders of one floor do not know each other. Types count. `build.mjs --check` holds it.

import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const FLOORS = [
  // The kit, which pages of others have, too: it knows no page, only the service that it is given.
  ["api"], // requests and streams
  ["words"], // labels and languages
  ["board"], // drawings
  ["play"], // following a table and choosing a move
  ["embed"], // the elements of the package (clients/js)
  // The page of a service.
  ["browser"], // what this browser keeps and shows: settings, identity, language, address
  ["phrases"], // the words of the page, and its numbers
  ["charts", "identity"], // what is done for the player of this browser
  ["parts"], // what all rooms are made of
  ["table", "tournaments", "checking"],
  ["analysis"], // beside a table's replay
  ["rooms"],
  ["main.tsx"],
];
/** What is written from docs/format.md alone: anything may use it, and it uses nothing of the page. */
const ALONE = ["verify"];

/** The imports that lead up, of modules by their paths: each with what it imports. */
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

/** What renderers import, but for "lonja", types of Preact, and what lies beside them. */
export function strays(modules) {
  const own = (name) => /^(lonja|preact|\.\/[^.].*)$/.test(name);
  return Object.entries(modules).flatMap(([path, imports]) =>
    imports.filter((name) => !own(name)).map((name) => `${path} imports ${name}`),
  );
}

/** The modules of a folder, with those that they import of it, for their types or when needed too. */
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

/** What the modules of a folder that match a pattern import, as they say it. */
export async function importsIn(root, pattern) {
  const exclude = (name) => name === "node_modules";
  const paths = await Array.fromAsync(glob(pattern, { cwd: root, exclude }));
  const read = async (path) => {
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), "utf8"));
    return [path, importedFiles.map(({ fileName }) => fileName)];
  };
  return Object.fromEntries(await Promise.all(paths.map(read)));
}
