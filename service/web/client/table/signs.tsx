/** What the page says at a table where players sign their moves; it is loaded only there. */

import type { ComponentChild } from "preact";
import { loading } from "../browser/release.ts";
import { useAsked } from "../parts/parts.tsx";
import type { Game } from "../play/table.ts";

type Show = (parts: typeof import("./signing.tsx")) => ComponentChild;

/** Shows parts that such a table has besides, as soon as they are loaded. */
export function Signing({ children }: { children: Show }) {
  const [asked] = useAsked(() => loading(() => import("./signing.tsx")), []);
  return asked.state === "here" ? children(asked.value) : null;
}

/** The same for a game, if its players sign. */
export function Signed({ game, children }: { game: Game; children: Show }) {
  return game.signatures && <Signing>{children}</Signing>;
}
