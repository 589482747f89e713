/**
 * Whether the service has another release of the page than this one: its parts are asked for in
 * versions, and those of an older release are not there any more.
 */

/** What is not loaded yet is of a release that the service has no more. */
export class Outdated extends Error {}

/** Do what loads a part of the page; throws `Outdated` if it is gone for good. */
export async function loading<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw (await isOutdated()) ? new Outdated() : error;
  }
}

/** Whether the part of the page that this module is in has another version by now. */
async function isOutdated(): Promise<boolean> {
  const here = new URL(import.meta.url);
  const response = await fetch(new URL("versions.json", here), { cache: "no-store" }).catch(
    () => null,
  );
  if (!response?.ok) return false; // nobody knows: the service is away
  const versions = (await response.json()) as Record<string, string>;
  return versions[here.pathname.split("/").at(-1) ?? ""] !== here.searchParams.get("v");
}

/** Load the page again, at the address it shows. */
export function renew(): void {
  location.reload();
}

/** The same by itself, unless that is what brought this page: then it would bring the same one again. */
export function renewOnce(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type !== "reload") renew();
}
