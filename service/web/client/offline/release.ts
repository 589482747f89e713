/** The files of this release, which are stored together before the worker of the release begins. */

/** The versions of the page's parts, by name: build.mjs writes them into the worker. */
declare const VERSIONS: Readonly<Record<string, string>>;
/** A digest of all files that are stored. */
declare const RELEASE: string;

const PREFIX = "release ";
const NAME = PREFIX + RELEASE;
const APP = "/static/app/";
/** What the service has now is asked of the service alone. */
const LIST = `${APP}versions.json`;
/** Any room: their pages are the same, and the page shows the room that its address names. */
const ROOM = "/lobby";
const CHECK = "/verify.html";
const ROOMS = /^\/($|(lobby|games|players|tournaments|rules|you|settings)(\/|$))/;
/** The part that the games' boards import by an address without a version. */
const KIT = "kit.js";

/** Thrown if the service has another release than this worker; the browser tries again later. */
class OtherRelease extends Error {}

/** The stored page for an address, null if there is none. */
export function page({ pathname }: URL): string | null {
  if (pathname === CHECK) return CHECK;
  return ROOMS.test(pathname) ? ROOM : null;
}

export function isOfRelease({ pathname }: URL): boolean {
  return pathname.startsWith(APP) && pathname !== LIST;
}

/** Stores all files of this release, or none. Throws if one of them is not to be had. */
export async function storeRelease(): Promise<void> {
  const parts = Object.entries(VERSIONS).map(
    ([name, version]) => APP + name + (name === KIT ? "" : `?v=${version}`),
  );
  const files = [...parts, ROOM, CHECK];
  const answers = await Promise.all(files.map((file) => fetch(file, { cache: "no-cache" })));
  if (!answers.every(({ ok }) => ok)) throw new OtherRelease();
  const html = await answers[files.indexOf(ROOM)]?.clone().text();
  if (!html?.includes(`${APP}app.js?v=${VERSIONS["app.js"]}"`)) throw new OtherRelease();
  const release = await caches.open(NAME);
  await Promise.all(answers.map((answer, nth) => release.put(files[nth] ?? "", answer)));
}

/** Deletes the files of other releases. */
export async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** A file of this release; undefined if it has no such file, or another version of it. */
export async function storedFile({ pathname, search }: URL): Promise<Response | undefined> {
  const release = await caches.open(NAME);
  return release.match(pathname + search, { ignoreVary: true });
}
