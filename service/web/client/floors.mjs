// The floors of the page, from the ground: a folder imports what stands below it, and its own files;
// folders of one floor do not know each other. Types count. `build.mjs --check` holds it.

import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const FLOORS = [
  ["browser"], // what this browser keeps and shows: settings, identity, language, address
  ["api"], // requests and streams
  ["words"], // labels and phrases
  ["board", "charts", "identity"], // what is drawn; what is done for the player of this browser
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

/** The modules of a folder, with those that they import of it, for their types or when needed too. */
export async function modulesIn(root) {
  const paths = await Array.fromAsync(
    glob("**/*.{ts,tsx}", { cwd: root, exclude: (name) => name === "node_modules" }),
  );
  const read = async (path) => {
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), "utf8"));
    const own = importedFiles
      .map(({ fileName }) => fileName)
      .filter((name) => /^\..*\.tsx?$/.test(name));
    return [path, own.map((name) => normalize(join(dirname(path), name)))];
  };
  return Object.fromEntries(await Promise.all(paths.map(read)));
}
