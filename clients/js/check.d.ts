/** What a verifier found in a record; docs/api/verify.md says what it can prove. */
export interface Report {
  readonly verdict: "failed" | "unreadable" | "newer" | "open" | "sound";
  readonly kind: "game" | "tournament" | null;
  readonly id: string | null;
  readonly version: number | null;
  readonly status: string | null;
  readonly publicKey: string | null;
  readonly findings: readonly { readonly severity: string }[];
  readonly failures: number;
}

/**
 * Check the record of a game or of a tournament, plain or gzipped. The promise rejects only if
 * `signal` stops the check.
 */
export function verify(
  record: Blob,
  options?: {
    readonly receipts?: readonly unknown[];
    /** The service's public key, in hex, from a trusted source. */
    readonly publicKey?: string;
    readonly signal?: AbortSignal;
  },
): Promise<Report>;
