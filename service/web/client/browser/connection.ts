/** Whether the service answers: it is told soon when it does not, and forgotten when it does again. */

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOffline, untilNextTry } from "../api/network.ts";

/** Together with the second that a request may take, less than three seconds until it is told. */
const TOLD_AFTER_MS = 1500;
const PROBED_EACH_MS = 2000;

/** Whether no request is answered. */
export const lost = signal(isOffline());
/** Whether the stream of what is shown is interrupted. */
const cut = signal(false);
export const disturbed = computed(() => lost.value || cut.value);

let doubted = false;

/** Called when a request was answered, and when one was not, or is not for some time. */
export function reached(answered: boolean): void {
  if (answered) {
    doubted = false;
    lost.value = false;
  } else if (!doubted) {
    doubted = true;
    setTimeout(() => {
      if (doubted) lost.value = true;
    }, TOLD_AFTER_MS);
    void probe();
  }
}

/** A single request may be slow; a small one tells whether any is answered. */
async function probe(): Promise<void> {
  while (doubted) {
    const signal = AbortSignal.timeout(PROBED_EACH_MS);
    const answered = await fetch("/healthz", { cache: "no-store", signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) reached(true);
    else await untilNextTry(PROBED_EACH_MS);
  }
}

function left(): void {
  reached(false);
  lost.value = true;
}

if (isOffline()) left();
addEventListener("offline", left);

/** Tells that the stream of what a room shows is interrupted. */
export function useCut(isCut: boolean): void {
  useEffect(() => {
    cut.value = isCut;
    return () => {
      cut.value = false;
    };
  }, [isCut]);
}
