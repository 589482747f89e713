/** The title of the page in tabs, histories and for screen readers. */

import { useEffect } from "preact/hooks";

/** Set the title to the room's name; without a name it is the first page's. */
export function useTitle(room?: string): void {
  useEffect(() => {
    document.title = room ? `${room} – Lonja` : "Lonja";
  }, [room]);
}
