/** Small components that all rooms use. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Unreached } from "../api/client.ts";
import { codeOf, Refusal, sentence } from "../api/problem.ts";
import { lost } from "../browser/connection.ts";
import { Outdated, renew } from "../browser/release.ts";
import { phrases } from "../phrases/phrases.ts";
import { Nothing } from "./nothing.tsx";

/** Codes of problems with which the address of a room names nothing. */
const MISSING = [
  "not_found",
  "unknown_game",
  "unknown_player",
  "unknown_ruleset",
  "unknown_tournament",
];

/** The state of a request. */
export type Asked<T> =
  | { state: "asking" }
  | { state: "here"; value: T }
  | { state: "failed"; error: unknown };

/** Sends a request when the room opens, and whenever `about` changes; `again` repeats it. */
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

/** Shows the result of a request as soon as it has come. */
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
  const isUnreached = error instanceof Unreached;
  const isBack = isUnreached && !lost.value;
  const wasLost = useRef(false);
  useEffect(() => {
    if (isBack && wasLost.current) again?.();
    wasLost.current = !isBack;
  }, [isBack]);
  if (error instanceof Outdated)
    return (
      <div class="failed" role="alert">
        <p>{phrases.value.outdated}</p>
        <button type="button" onClick={renew}>
          {phrases.value.renew}
        </button>
      </div>
    );
  if (again && error instanceof Refusal && MISSING.includes(error.problem.code)) {
    const { title = error.message } = error.problem;
    return (
      <div role="alert">
        <Nothing {...{ title, why: error.message === title ? null : error.message }} />
      </div>
    );
  }
  return (
    <div class="failed" role="alert">
      <p>
        {isUnreached ? phrases.value.unreached : sentence(error)}{" "}
        {code && <a href={`/docs/problems/${code}`}>{code}</a>}
      </p>
      {again && (
        <button type="button" onClick={again}>
          {phrases.value.retry}
        </button>
      )}
    </div>
  );
}

/** An action that takes time: whether it is running, and the error if it has failed. */
export function useActing(does: () => Promise<unknown>) {
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
  return { busy, error, act };
}

/** A button whose work takes time: it shows that it is working, and an error beside it. */
export function Doing({
  does,
  children,
  class: own,
  name,
}: {
  does: () => Promise<unknown>;
  children: ComponentChildren;
  class?: string;
  /** The accessible name, if several buttons have the same text. */
  name?: string;
}) {
  const { busy, error, act } = useActing(does);
  return (
    <>
      <button
        type="button"
        class={own}
        aria-label={name}
        disabled={busy}
        aria-busy={busy}
        onClick={act}
      >
        {children}
      </button>
      {error !== null && <Failed error={error} />}
    </>
  );
}

/** Text to copy, with a button for it. */
export function Copyable({
  text,
  label,
  secret = false,
}: {
  text: string;
  label: string;
  /** Whether the text is masked, so that people who look at the screen cannot read it. */
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

/** Text to read and copy, such as a command, with a button. */
export function CopyableCode({ text }: { text: string }) {
  return (
    <p class="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </p>
  );
}

/** Browsers allow copying only in a secure context. */
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

/** A time, formatted for the reader's language. */
export function Time({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return <time dateTime={at}>{timeText(at, seconds)}</time>;
}

export function timeText(at: string, seconds = false): string {
  const style = { dateStyle: "medium", timeStyle: seconds ? "medium" : "short" } as const;
  return new Date(at).toLocaleString(document.documentElement.lang, style);
}
