/**
 * Whether the service has another release of the page. Parts of the page are requested by version,
 * and the parts of an older release are gone.
 */

import { Unreached } from "../api/client.ts";

/** Thrown for a part of the page whose release the service no longer has. */
export class Outdated extends Error {}

/** Load a part of the page; throws `Outdated` if it is gone for good, `Unreached` if nothing answers. */
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
  if (!response?.ok) throw new Unreached();
  const versions = (await response.json()) as Record<string, string>;
  return versions[here.pathname.split("/").at(-1) ?? ""] !== here.searchParams.get("v");
}

/** Reload the page, at its current address. */
export function renew(): void {
  location.reload();
}

/**
 * Reloads the page, unless it was reloaded just before: then another reload would bring the same
 * page.
 */
export function renewOnce(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type !== "reload") renew();
}
