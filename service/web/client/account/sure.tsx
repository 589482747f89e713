/** Questions before an action that cannot be undone, and secrets that are shown only once. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Copyable, Doing } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { accountWords } from "./words.ts";

/** A button that asks before it acts. Focus moves to the question, and back if the answer is no. */
export function Sure({
  label,
  name,
  question,
  yes,
  does,
}: {
  label: string;
  /** The accessible name, where several buttons have one label. */
  name?: string;
  question: string;
  yes: string;
  does: () => Promise<unknown>;
}) {
  const [asking, setAsking] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const refused = useRef(false);
  useEffect(() => {
    if (asking) box.current?.focus();
    else if (refused.current) button.current?.focus();
    refused.current = false;
  }, [asking]);
  const no = () => {
    refused.current = true;
    setAsking(false);
  };
  if (!asking)
    return (
      <button type="button" ref={button} aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  return (
    <div
      class="banner sure"
      role="group"
      aria-label={question}
      tabIndex={-1}
      ref={box}
      onKeyDown={(event) => event.key === "Escape" && no()}
    >
      <p>{question}</p>
      <Doing class="main" does={() => does().then(() => setAsking(false))}>
        {yes}
      </Doing>{" "}
      <button type="button" onClick={no}>
        {phrases.value.no}
      </button>
    </div>
  );
}

/** A secret that the service shows only once. Focus moves to it. */
export function ToldOnce({
  text,
  label,
  children,
  onKept,
}: {
  text: string;
  label: string;
  children: ComponentChildren;
  onKept: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="banner" role="group" aria-label={label} tabIndex={-1} ref={box}>
      <p>{children}</p>
      <Copyable text={text} label={label} />
      <button type="button" onClick={onKept}>
        {accountWords.value.kept}
      </button>
    </div>
  );
}
