/** What the page says at a table with a beacon; it is loaded only there. */

import type { ComponentChild } from "preact";
import { loading } from "../browser/release.ts";
import { useAsked } from "../parts/parts.tsx";

type Show = (parts: typeof import("./beacon.tsx")) => ComponentChild;

/** Shows parts that tables with a beacon have besides, as soon as they are loaded. */
export function Beacons({ children }: { children: Show }) {
  const [asked] = useAsked(() => loading(() => import("./beacon.tsx")), []);
  return asked.state === "here" ? children(asked.value) : null;
}
