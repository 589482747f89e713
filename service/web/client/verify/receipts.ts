// Receipts: the service's signature of a head, and of a request (docs/format.md, "Receipts").

import { FORMAT, H, hex, J, unhex } from "./digests.ts";
import type { Event, Line } from "./events.ts";
import type { Findings, Place } from "./findings.ts";
import { type Json, type JsonObject, read, write } from "./json.ts";
import { MAX_SEATS } from "./kinds.ts";
import { readOpen } from "./newer.ts";
import {
  digest,
  fields,
  instant,
  integer,
  Misfit,
  type Of,
  orNull,
  pattern,
  text,
} from "./shapes.ts";
import { isSigned } from "./signatures.ts";

export const RECEIPT = fields(
  {
    game_id: text,
    seq: integer(1),
    hash: digest,
    at: instant,
    request: orNull(digest),
    idempotency_key: orNull(text),
    key_id: pattern(/^[0-9a-f]{16}$/),
    sig: pattern(/^[0-9a-f]{128}$/),
  },
  { pseudonym_key: digest },
);
export type Receipt = Of<typeof RECEIPT>;

export const keyId = (publicKey: string): string => hex(H(unhex(publicKey))).slice(0, 16);

/** The bytes of a receipt that are signed. */
export function signed(receipt: Receipt): Uint8Array {
  const { sig: _, ...fields } = receipt;
  return J([FORMAT, "receipt", fields]);
}

/** Whether the holder of a key (hex) signed exactly this receipt. */
export function signedBy(receipt: Receipt, publicKey: string): boolean {
  try {
    return isSigned(signed(receipt), unhex(receipt.sig), unhex(publicKey));
  } catch {
    return false; // the key is not a point of the curve
  }
}

/**
 * Checks the receipt in a record's header, which signs the newest event and belongs to no request.
 */
export function checkHead(
  receipt: Receipt,
  publicKey: string,
  id: string,
  newest: Line | undefined,
  row: number,
  told: Findings,
): void {
  const header = { row };
  checkSignature(receipt, publicKey, header, told);
  if (receipt.game_id !== id) told.add("receipt_id", header, { found: receipt.game_id });
  if (receipt.request !== null || receipt.idempotency_key !== null)
    told.add("receipt_head", header);
  if (newest !== undefined) checkPlace(receipt, newest, header, told);
}

/** Receipts that players have kept: of this record, or of one of the games in it. */
export class Kept {
  private readonly unmet = new Set<Receipt>();
  private readonly found = new Set<Receipt>();
  private readonly told: Findings;

  /**
   * Parses receipts as strictly as a record; a bad one is a finding. `others` are receipts of any
   * games; if one belongs to another game, or is no receipt, it is ignored.
   */
  constructor(given: readonly unknown[], others: readonly unknown[], told: Findings) {
    this.told = told;
    for (const one of others) {
      try {
        const receipt = this.read(one);
        this.found.add(receipt);
        this.unmet.add(receipt);
      } catch {
        // not a receipt, because another program wrote it
      }
    }
    for (const one of given) {
      try {
        this.unmet.add(this.read(one));
      } catch (error) {
        const { path, found } =
          error instanceof Misfit ? error : { path: "$", found: String(error) };
        told.add("receipt_shape", {}, { path, found });
      }
    }
  }

  /** Throws if the text is not a receipt. */
  private read(one: unknown): Receipt {
    const value = read(write(one as Json));
    return readOpen(RECEIPT, value, "$.receipt", (path, name) => this.told.unknown({}, path, name));
  }

  /** Checks the receipts of a game or a tournament; there are no `events` for a tournament. */
  check(
    id: string,
    publicKey: string,
    lines: readonly Line[],
    events: readonly (Event | null)[] | null,
  ): void {
    for (const receipt of this.unmet) {
      if (receipt.game_id !== id) continue;
      this.unmet.delete(receipt);
      this.hold(receipt, publicKey, lines, events ?? []);
    }
  }

  /** A receipt of another game is ignored. */
  others(): void {
    for (const receipt of this.unmet)
      if (!this.found.has(receipt)) this.told.add("receipt_id", {}, { found: receipt.game_id });
  }

  private hold(
    receipt: Receipt,
    publicKey: string,
    lines: readonly Line[],
    events: readonly (Event | null)[],
  ): void {
    const { told } = this;
    const place = { seq: receipt.seq };
    const before = told.failures;
    checkSignature(receipt, publicKey, place, told);
    const line = lines.find(({ number }) => number === receipt.seq);
    const version = lines.at(-1)?.number ?? 0;
    if (line === undefined)
      return told.add(receipt.seq < version ? "receipt_damaged" : "receipt_later", place, {
        version,
      });
    checkPlace(receipt, line, place, told);
    if (line.last !== line.seq) told.add("receipt_inside", place);
    const batch = events.filter((_, index) => lines[index]?.last === line.last);
    const known = batch.filter((event) => event !== null);
    const request = requestOf(known, receipt.idempotency_key);
    if (receipt.request === null && receipt.idempotency_key !== null)
      told.add("receipt_request", place);
    // For unknown names in the request there is another finding.
    if (receipt.request !== null && request !== receipt.request && known.length === batch.length)
      told.add(request === null ? "receipt_hidden" : "receipt_request", place);
    if (told.failures === before) told.add("receipt_fits", place, { seq: receipt.seq });
  }
}

function checkSignature(receipt: Receipt, publicKey: string, place: Place, told: Findings): void {
  if (receipt.key_id !== keyId(publicKey))
    told.add("receipt_key", place, { found: receipt.key_id });
  if (!signedBy(receipt, publicKey)) told.add("receipt_signature", place);
  told.counts.signatures += 1;
}

function checkPlace(receipt: Receipt, event: Line, place: Place, told: Findings): void {
  if (receipt.seq !== event.seq)
    told.add("receipt_seq", place, { found: receipt.seq, expected: event.seq });
  if (receipt.hash !== event.hash) told.add("receipt_hash", place);
  if (receipt.at !== event.at) told.add("receipt_at", place, { found: receipt.at });
}

/** Returns the digest of the request that a batch records; null if parts of it are hidden. */
export function requestOf(batch: readonly Event[], idempotencyKey: string | null): string | null {
  const asked = batch[0] === undefined ? null : fieldsOf(batch[0], batch);
  return asked === null ? null : hex(H(J({ ...asked, idempotency_key: idempotencyKey })));
}

function fieldsOf(first: Event, batch: readonly Event[]): JsonObject | null {
  switch (first.kind) {
    case "created":
      return creation(first, batch);
    case "seated":
      return first.body.seat === undefined ? null : { kind: "sit", ...asked(first.body.seat) };
    case "left":
      return first.body.seat === undefined ? null : { kind: "stand", ...plain(first.body.seat) };
    case "entropy_revealed":
      return first.body.entropy === undefined
        ? null
        : { kind: "reveal", ...plain(first.body.entropy) };
    case "moved": {
      const { move, client, signature } = first.body;
      if (move === undefined) return null;
      return {
        kind: "move",
        seat: first.by.seat,
        move,
        expected_head: client?.expected_head ?? null,
        ...(signature === undefined ? {} : { signature }),
      };
    }
    case "resigned":
      return { kind: "resign", seat: first.by.seat };
    case "undone":
      return first.body.undo === undefined
        ? null
        : { kind: "undo", seat: first.by.seat, to: first.body.undo.to };
    case "hinted":
      return first.body.hint === undefined
        ? null
        : { kind: "hint", seat: first.by.seat, decision: first.body.hint.decision };
    case "key_changed":
      return first.body.key === undefined ? null : { kind: "change_key", ...plain(first.body.key) };
    case "aborted":
      return { kind: "cancel" };
    default:
      return {};
  }
}

function creation(first: Event & { kind: "created" }, batch: readonly Event[]): JsonObject | null {
  const game = first.body.game;
  if (game === undefined || game.seats > MAX_SEATS) return null;
  const taken = new Map<number, Json>();
  for (const event of batch) {
    if (event.kind !== "seated" || event.body.seat === undefined) continue;
    const { seat, holder, entropy_commitment, key } = event.body.seat;
    const signs = key === undefined ? {} : { key };
    taken.set(seat, { holder: holder as JsonObject, entropy_commitment, ...signs });
  }
  const { ruleset, options, clock } = game;
  const mode = game.entropy.mode === "reveal" ? {} : { entropy: { ...game.entropy } };
  const back = game.take_back === undefined ? {} : { take_back: game.take_back };
  const hints = game.hints === undefined ? {} : { hints: game.hints };
  const signed = game.signatures === undefined ? {} : { signatures: game.signatures };
  const seats = Array.from({ length: game.seats }, (_, seat) => taken.get(seat) ?? null);
  return {
    kind: "create",
    ruleset,
    options,
    clock: clock as Json,
    seats,
    ...mode,
    ...back,
    ...hints,
    ...signed,
  };
}

/** What somebody asks for who sits down: the service decides how the moves of a bot are recorded. */
function asked(seat: object): JsonObject {
  const { short: _, ...fields } = plain(seat);
  return fields;
}

const plain = (fields: object): JsonObject => fields as JsonObject;
