// The verifier beside a page, which stays quick: it is sent a record, and sends how far it is, then
// its report. Whoever wants it no more ends the worker.

import { type Progress, type Report, verify } from "./verify.ts";

export interface Asked {
  readonly record: Blob;
  /** Receipts of whatever games: those of this record are held against it. */
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
