/** The network of the browser, as the browser tells it. */

/** Whether the browser says that it has no network. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Calls `cut` when the browser loses its network, until `stop` is aborted. */
export function onCut(cut: () => void, stop: AbortSignal): void {
  globalThis.addEventListener?.("offline", cut, { signal: stop });
}

/** Waits before the next try, and no longer than until the browser has its network back. */
export function untilNextTry(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", goOn);
      resolve();
    };
    const timer = setTimeout(goOn, milliseconds);
    globalThis.addEventListener?.("online", goOn);
  });
}
