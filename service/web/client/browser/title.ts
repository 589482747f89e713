/** The title of the page, for tabs, histories and screen readers. */

import { useEffect } from "preact/hooks";

/** Sets the title to the name of a room, or without a name to that of the first page. */
export function useTitle(room?: string): void {
  useEffect(() => {
    document.title = room ? `${room} – Lonja` : "Lonja";
  }, [room]);
}
