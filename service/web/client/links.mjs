// Names and links of the page's parts. A part is named after the module that it is for, so that its
// name stays. Links to it end with `?v=` and a digest of the part and of all that it loads. So
// browsers may cache that address for ever, and the address changes when anything in the part
// changes.

import { createHash } from "node:crypto";
import { basename } from "node:path";

/** The path of the parts on the service. */
export const PLACE = "/static/app/";

/**
 * Name the parts that esbuild made, and put versions into their links. Links to the parts in
 * `unversioned` get none. Returns texts and versions by name.
 */
export function linked(made, unversioned) {
  const texts = named(made);
  const versions = versionsOf(texts);
  const linkTo = (place, name) =>
    unversioned.includes(name) ? place + name : `${place}${name}?v=${versions.get(name)}`;
  const relinked = [...texts].map(([name, text]) => [name, eachLink(text, texts.keys(), linkTo)]);
  return { texts: new Map(relinked), versions };
}

/** The texts of all parts, by their stable names. */
function named({ outputFiles, metafile }) {
  const names = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => {
      const own = basename(path);
      return [own, /-[A-Z0-9]{8}\./.test(own) ? `${nameOf(output)}.js` : own];
    }),
  );
  if (new Set(names.values()).size < names.size) throw new Error("two parts have one name");
  const linkTo = (place, name) => place + names.get(name);
  return new Map(
    outputFiles.map(({ path, text }) => [
      names.get(basename(path)),
      eachLink(text, names.keys(), linkTo),
    ]),
  );
}

/**
 * The stable name of a part: its entry point, or else its largest module, without the characters of
 * a path.
 */
function nameOf({ entryPoint, inputs }) {
  const modules = Object.keys(inputs).filter((path) => !path.endsWith(".css"));
  const [largest] = modules.sort(
    (one, other) => inputs[other].bytesInOutput - inputs[one].bytesInOutput,
  );
  const path = entryPoint ?? largest;
  const [, scoped] = /node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path) ?? [];
  return (scoped ?? path.replace(/\.tsx?$/, "")).replace("@", "").replaceAll("/", "-");
}

/** The version of each part, which changes when the part or anything that it loads changes. */
function versionsOf(texts) {
  const links = new Map();
  for (const [name, text] of texts) {
    const to = new Set();
    eachLink(text, texts.keys(), (_, found) => to.add(found));
    links.set(name, to);
  }
  const digests = new Map([...texts].map(([name, text]) => [name, `${name} ${digest(text)}`]));
  const version = (name) => {
    const loaded = [...reachable(name, links)].sort();
    return digest(loaded.map((part) => digests.get(part)).join("\n"));
  };
  return new Map([...texts.keys()].sort().map((name) => [name, version(name)]));
}

/** A part with all that it loads, now or later; parts may load each other. */
function reachable(name, links, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const to of links.get(name)) reachable(to, links, found);
  return found;
}

/** A text in which each link to one of these parts is replaced by `into(place, name)`. */
function eachLink(text, names, into) {
  const known = [...names].map((name) => RegExp.escape(name)).join("|");
  const link = new RegExp(`"(\\./|${PLACE})(${known})"`, "g");
  return text.replace(link, (_, place, name) => `"${into(place, name)}"`);
}

function digest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
