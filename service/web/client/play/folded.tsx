/** Content that is folded at first. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** Folded content, which is rendered when somebody unfolds it. */
export function Folded({
  summary,
  class: own,
  children,
}: {
  summary: ComponentChildren;
  class?: string;
  children: () => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details class={own} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children()}
    </details>
  );
}
