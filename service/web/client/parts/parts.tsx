/** Small parts that all rooms share. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { codeOf, sentence } from "../api/problem.ts";
import { Outdated, renew } from "../browser/release.ts";
import { phrases } from "../words/phrases.ts";

/** What something that is asked for has come to. */
export type Asked<T> =
  | { state: "asking" }
  | { state: "here"; value: T }
  | { state: "failed"; error: unknown };

/** Ask for something when the room opens, and again when `about` changes; `again` asks once more. */
export function useAsked<T>(
  ask: () => Promise<T>,
  about: readonly unknown[],
): [Asked<T>, () => void] {
  const [asked, setAsked] = useState<Asked<T>>({ state: "asking" });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => current && setAsked({ state: "here", value }),
      (error) => current && setAsked({ state: "failed", error }),
    );
    return () => {
      current = false;
    };
  }, [...about, times]);
  return [asked, () => setTimes((count) => count + 1)];
}

/** Show what was asked for when it is here. */
export function Wait<T>({
  for: asked,
  again,
  children,
}: {
  for: Asked<T>;
  again: () => void;
  children: (value: T) => ComponentChildren;
}) {
  if (asked.state === "here") return <>{children(asked.value)}</>;
  if (asked.state === "failed") return <Failed error={asked.error} again={again} />;
  return <p class="quiet">{phrases.value.loading}</p>;
}

export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const code = codeOf(error);
  if (error instanceof Outdated)
    return (
      <div class="failed" role="alert">
        <p>{phrases.value.outdated}</p>
        <button type="button" onClick={renew}>
          {phrases.value.renew}
        </button>
      </div>
    );
  return (
    <div class="failed" role="alert">
      <p>
        {sentence(error)} {code && <a href={`/docs/problems/${code}`}>{code}</a>}
      </p>
      {again && (
        <button type="button" onClick={again}>
          {phrases.value.retry}
        </button>
      )}
    </div>
  );
}

/** A button whose work takes time: it says so, and what went wrong stands beside it. */
export function Doing({
  does,
  children,
  class: own,
}: {
  does: () => Promise<unknown>;
  children: ComponentChildren;
  class?: string;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async () => {
    setBusy(true);
    setError(null);
    try {
      await does();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class={own} disabled={busy} aria-busy={busy} onClick={act}>
        {children}
      </button>
      {error !== null && <Failed error={error} />}
    </>
  );
}

/** Text to take along, with a button that copies it. */
export function Copyable({
  text,
  label,
  secret = false,
}: {
  text: string;
  label: string;
  /** Whether it stays unreadable for who looks over one's shoulder. */
  secret?: boolean;
}) {
  return (
    <p class="copyable">
      <input
        readOnly
        {...(secret ? ({ type: "password" } as const) : {})}
        autocomplete="off"
        value={text}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={text} />
    </p>
  );
}

/** Text that is read whole, such as a command, with a button that copies it. */
export function CopyableCode({ text }: { text: string }) {
  return (
    <p class="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </p>
  );
}

/** A browser lets pages copy in a secure context alone. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  if (!("clipboard" in navigator)) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" onClick={copy}>
      {copied ? phrases.value.copied : phrases.value.copy}
    </button>
  );
}

/** A time as the reader writes times. */
export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at}>
      {date.toLocaleString(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "short",
      })}
    </time>
  );
}

/** What is folded away is made when somebody opens it. */
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
