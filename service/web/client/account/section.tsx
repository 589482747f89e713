/**
 * A section of the account's page: a heading, a message about what was done last, and the contents.
 */

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

/** Says what was done, and moves focus to the section, because the focused element may be gone. */
export type Report = (done: string) => void;

export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: (report: Report) => ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [done, setDone] = useState("");
  const report = (text: string) => {
    setDone(text);
    heading.current?.focus();
  };
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p role="status" class="done">
        {done}
      </p>
      {children(report)}
    </section>
  );
}
