/**
 * One check of a record: it fetches the record and verifies it in a worker, with the receipts of
 * this browser.
 */

import { signal } from "@preact/signals";
import { loading } from "../browser/release.ts";
import { receipts } from "../identity/receipts.ts";
import type { Report } from "../verify/verify.ts";
import type { Asked, Told } from "../verify/worker.ts";
import { fetchRecord, type Kind } from "./fetching.ts";

/** The progress of a check. */
export type Stage =
  | { readonly at: "fetching"; readonly bytes: number }
  | { readonly at: "checking"; readonly events: number; readonly share: number }
  | { readonly at: "done"; readonly report: Report }
  | { readonly at: "broken"; readonly error: unknown };

const WORKER = "/static/app/verifier.js";

export class Check {
  readonly stage = signal<Stage>({ at: "fetching", bytes: 0 });
  readonly #stopped = new AbortController();

  constructor(kind: Kind, id: string) {
    void this.#run(kind, id);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(kind: Kind, id: string): Promise<void> {
    const stop = this.#stopped.signal;
    try {
      const record = await fetchRecord(kind, id, stop, (bytes) => {
        this.stage.value = { at: "fetching", bytes };
      });
      const report = await loading(() => this.#verified(record));
      this.stage.value = { at: "done", report };
    } catch (error) {
      if (!stop.aborted) this.stage.value = { at: "broken", error };
    }
  }

  #verified(record: Blob): Promise<Report> {
    const worker = new Worker(WORKER, { type: "module" });
    const stop = this.#stopped.signal;
    return new Promise<Report>((resolve, reject) => {
      stop.addEventListener("abort", () => reject(stop.reason));
      worker.addEventListener("error", ({ message }) =>
        reject(new Error(message || `${WORKER} is not there`)),
      );
      worker.addEventListener("message", ({ data }: MessageEvent<Told>) => {
        if ("report" in data) return resolve(data.report);
        const { bytes, size, events } = data.progress;
        this.stage.value = { at: "checking", events, share: size === 0 ? 1 : bytes / size };
      });
      const asked: Asked = { record, receipts: Object.values(receipts()) };
      worker.postMessage(asked);
      this.stage.value = { at: "checking", events: 0, share: 0 };
    }).finally(() => worker.terminate());
  }
}
