// The verifier in a web worker, so that the page stays responsive: it receives a record, and sends
// its progress and then its report. To stop it, end the worker.

import { type Progress, type Report, verify } from "./verify.ts";

export interface Asked {
  readonly record: Blob;
  /** Receipts of any games. Those of this record are checked, others are ignored. */
  readonly receipts: readonly unknown[];
}

export type Told = { readonly progress: Progress } | { readonly report: Report };

const tell = (told: Told) => postMessage(told);

addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
  const report = await verify(data.record, {
    otherReceipts: data.receipts,
    onProgress: (progress) => tell({ progress }),
  });
  tell({ report });
});
