// Names and links of the page's parts. A part is called by the module that it is for, so that its name
// stays; whoever links to it says `?v=` and a digest of all that it loads, so that it may be kept for
// good under that address, and is another one as soon as anything in it changes.

import { createHash } from "node:crypto";
import { basename } from "node:path";

/** Where the service has the parts. */
export const PLACE = "/static/app/";

/**
 * Name what esbuild made, and put versions into its links. `unversioned` are the names of parts that
 * others link to as they are. Returns texts and versions by name.
 */
export function linked(made, unversioned) {
  const texts = named(made);
  const versions = versionsOf(texts);
  const linkTo = (place, name) =>
    unversioned.includes(name) ? place + name : `${place}${name}?v=${versions.get(name)}`;
  const relinked = [...texts].map(([name, text]) => [name, eachLink(text, texts.keys(), linkTo)]);
  return { texts: new Map(relinked), versions };
}

/** The texts of all parts, by names that stay. */
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

/** The largest module of a part, or that which it was made for, without the characters of a path. */
function nameOf({ entryPoint, inputs }) {
  const [largest] = Object.keys(inputs).sort(
    (one, other) => inputs[other].bytesInOutput - inputs[one].bytesInOutput,
  );
  const path = entryPoint ?? largest;
  const [, scoped] = /node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path) ?? [];
  return (scoped ?? path.replace(/\.tsx?$/, "")).replace("@", "").replaceAll("/", "-");
}

/** The version of each part: it is another one when the part is, or anything that it loads. */
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

/** A text with `into` of place and name for each of its links to some of the parts. */
function eachLink(text, names, into) {
  const known = [...names].map((name) => RegExp.escape(name)).join("|");
  const link = new RegExp(`"(\\./|${PLACE})(${known})"`, "g");
  return text.replace(link, (_, place, name) => `"${into(place, name)}"`);
}

function digest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
