import type { SigningKey } from "./sign.d.ts";

/** A move in the API's JSON: a type, and the fields that the ruleset defines for this type. */
export type Move = Readonly<{ type: string } & Record<string, unknown>>;

/** An error of an element; `problem` is the service's answer, or null if it sent none. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly problem: Readonly<Record<string, unknown>> | null;
}

/** A seat has a new decision, with these moves. */
export interface Turn {
  readonly seat: number | null;
  readonly decision: Readonly<Record<string, unknown>>;
  readonly moves: readonly { readonly move: Move; readonly label: string }[];
}

/** An event of the game, with its effects; `seat` is the seat that caused it, or null. */
export interface Happened {
  readonly seq: number;
  readonly seat: number | null;
  readonly effects: readonly { readonly text: string; readonly type: string }[];
}

/** The end of a game. */
export interface Ended {
  readonly status: string;
  readonly result: unknown;
  readonly standings: readonly unknown[];
}

export interface LonjaGameEvents {
  turn: CustomEvent<Turn>;
  move: CustomEvent<Happened>;
  /** The signed receipt of a move that was played in this element. */
  receipt: CustomEvent<Readonly<Record<string, unknown>>>;
  over: CustomEvent<Ended>;
  /** The key for the seat has ended, and the element does not know how the game ends. */
  left: CustomEvent<{ readonly reason: "resigned" | "closed" }>;
  error: CustomEvent<Failure>;
}

/** `<lonja-game service="https://…" game="…">`: a game, live; with a `key`, a person can play. */
export class LonjaGame extends HTMLElement {
  addEventListener<K extends keyof LonjaGameEvents>(
    type: K,
    listener: (event: LonjaGameEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /** The key of the seat; better set here than as an attribute. */
  key: string | null;
  /**
   * The key with which the seat signs, at tables where players sign their moves. Null: one that this
   * browser keeps for the page's origin.
   */
  signingKey: SigningKey | null;
  /** The shown position, as `GET /v1/games/{game_id}/state` answers it; null at first. */
  readonly state: object | null;
  readonly moves: Turn["moves"];
  /** Play one of `moves`; rejects with a `RangeError` or a `Refusal`. */
  play(move: Move): Promise<void>;
}

/** `<lonja-board ruleset="macao" state="{…}">`: a position as a picture. */
export class LonjaBoard extends HTMLElement {
  /** A view, or an answer of the API that contains one. */
  state: object | null;
  /** The players' names, by seat. */
  names: readonly string[];
}

/** A refusal of the service (RFC 9457). */
export class Refusal extends Error {
  constructor(status: number, problem: { readonly code: string; readonly detail: string });
  readonly status: number;
  readonly problem: { readonly code: string; readonly detail: string };
}

export interface Access {
  /** The address of the service, such as `https://lonja.example`. */
  readonly url: string;
  /** Called before each request for the caller's credentials. */
  readonly credentials?: () => { readonly key?: string; readonly invitation?: string };
  /** Called before each request for the language of the service's sentences, `en` or `es`. */
  readonly language?: () => string;
}

/**
 * A client of a service. If a read, or a request with an Idempotency-Key, gets no answer, the
 * client sends it again.
 */
export class Service {
  constructor(access: Access);
  readonly url: string;
  /** The client of `openapi-fetch`: `api.GET("/v1/games/{game_id}", { params: … })`. */
  readonly api: Readonly<
    Record<
      "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      (path: any, ...options: any[]) => Promise<{ data?: any; error?: any; response: Response }>
    >
  >;
  headers(): Record<string, string>;
  /**
   * Whether the refusal `code` says that the key is for one seat whose game is over. If so, later
   * requests omit the key.
   */
  letsGo(code: string | undefined): boolean;
}

/**
 * Follow a stream of a service until it ends or `signal` aborts it. An interrupted stream is
 * resumed.
 */
export function follow(
  service: Service,
  stream: {
    readonly path: string;
    readonly after: number;
    readonly signal: AbortSignal;
    readonly onEvent: (data: string) => void;
    readonly onLast: (kind: "end" | "rewound" | "revoked") => void;
  },
): Promise<void>;

/** Fill a label of a ruleset with values (docs/api/table.md, "Words"). */
export function say(
  words: Readonly<Record<string, string>>,
  key: string,
  values?: Readonly<Record<string, unknown>>,
): string;

declare global {
  interface HTMLElementTagNameMap {
    "lonja-game": LonjaGame;
    "lonja-board": LonjaBoard;
  }
}
