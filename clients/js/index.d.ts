/** A move, as the API tells it: a type, and the fields that its ruleset gives to it. */
export type Move = Readonly<{ type: string } & Record<string, unknown>>;

/** What an element could not do; `problem` is the service's own answer, if it was one. */
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

/** An event of the game, and what it did; `seat` is who made it, null for the game itself. */
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
  /** The signed receipt of a move that was played here. */
  receipt: CustomEvent<Readonly<Record<string, unknown>>>;
  over: CustomEvent<Ended>;
  error: CustomEvent<Failure>;
}

/** `<lonja-game service="https://…" game="…">`: a game, live; with `key` one plays in it. */
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
  /** The shown position, as `GET /v1/games/{game_id}/state` answers it; null until it has come. */
  readonly state: object | null;
  readonly moves: Turn["moves"];
  /** Play one of `moves`; rejects with a `RangeError` or a `Refusal`. */
  play(move: Move): Promise<void>;
}

/** `<lonja-board ruleset="macao" state="{…}">`: a position as a picture. */
export class LonjaBoard extends HTMLElement {
  /** A view, or an answer of the API that has it. */
  state: object | null;
  /** Who plays, by seat. */
  names: readonly string[];
}

/** A refusal of the service (RFC 9457). */
export class Refusal extends Error {
  constructor(status: number, problem: { readonly code: string; readonly detail: string });
  readonly status: number;
  readonly problem: { readonly code: string; readonly detail: string };
}

export interface Access {
  /** Where the service is: `https://lonja.example`. */
  readonly url: string;
  /** Asked before each request. */
  readonly credentials?: () => { readonly key?: string; readonly invitation?: string };
  /** The language of the service's sentences, `en` or `es`; asked before each request. */
  readonly language?: () => string;
}

/** A service, as somebody reaches it; reads, and requests with an Idempotency-Key, are repeated. */
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
  /** Whether a refusal says that a key for one seat is over; it is not sent again then. */
  letsGo(code: string | undefined): boolean;
}

/** Follow a stream of a service until it ends or `signal` aborts it; what is cut goes on. */
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

/** Fill a label of a ruleset with values (docs/api/board.md, "Words"). */
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
