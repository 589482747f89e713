/**
 * Whether the service has another release of the page: parts are requested by version, and an
 * older release's parts are gone.
 */

/** A part that is not loaded yet belongs to a release that the service no longer has. */
export class Outdated extends Error {}

/** Load a part of the page; throws `Outdated` if it is gone for good. */
export async function loading<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw (await isOutdated()) ? new Outdated() : error;
  }
}

/** Whether the part of the page with this module has a newer version. */
async function isOutdated(): Promise<boolean> {
  const here = new URL(import.meta.url);
  const response = await fetch(new URL("versions.json", here), { cache: "no-store" }).catch(
    () => null,
  );
  if (!response?.ok) return false; // without an answer of the service, nobody knows
  const versions = (await response.json()) as Record<string, string>;
  return versions[here.pathname.split("/").at(-1) ?? ""] !== here.searchParams.get("v");
}

/** Reload the page, at its current address. */
export function renew(): void {
  location.reload();
}

/**
 * Reload automatically, unless a reload brought this page: then it would bring the same one again.
 */
export function renewOnce(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type !== "reload") renew();
}
