/** What the page is called in tabs, histories and by screen readers. */

import { useEffect } from "preact/hooks";

/** Call the page by the room that it shows; without a name it is the first page. */
export function useTitle(room?: string): void {
  useEffect(() => {
    document.title = room ? `${room} – Lonja` : "Lonja";
  }, [room]);
}
