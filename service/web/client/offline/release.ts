/** The files of this release, which are stored together before the worker of the release begins. */

/** The versions of the page's parts, by name: build.mjs writes them into the worker. */
declare const VERSIONS: Readonly<Record<string, string>>;
/** A digest of all files that are stored. */
declare const RELEASE: string;
/** The SHA-256 of the page that checks records, which is one file and has no version, in hex. */
declare const CHECK_DIGEST: string;

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

/** Stores all files of this release, or none. Throws if one of them is not to be had, or stored. */
export async function storeRelease(): Promise<void> {
  const parts = Object.entries(VERSIONS).map(
    ([name, version]) => [APP + name, `?v=${version}`] as const,
  );
  const answers = await Promise.all([...parts.map(asked), asked([ROOM]), asked([CHECK])]);
  const [room, check] = answers.slice(-2) as [Answer, Answer];
  const isRoom = (await room.answer.clone().text()).includes(
    `${APP}app.js?v=${VERSIONS["app.js"]}"`,
  );
  if (!isRoom || (await digestOf(check.answer)) !== CHECK_DIGEST) throw new OtherRelease();
  const release = await caches.open(NAME);
  try {
    await Promise.all(answers.map(({ key, answer }) => release.put(key, answer)));
  } catch (error) {
    await caches.delete(NAME); // the browser has no room
    throw error;
  }
}

interface Answer {
  /** The address at which the answer is stored. */
  readonly key: string;
  readonly answer: Response;
}

async function asked([file, version = ""]: readonly [string, string?]): Promise<Answer> {
  const answer = await fetch(file + version, { cache: "no-cache" });
  if (!answer.ok) throw new OtherRelease();
  return { key: file === APP + KIT ? file : file + version, answer };
}

async function digestOf(answer: Response): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
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
