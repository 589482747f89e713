/**
 * Why not: a tip that says which rule refuses what the player points to on the board. The service
 * is asked, and judges by what the player's seat knows. Where a service cannot tell, or nothing is
 * heard from it, there is no tip.
 *
 * A mouse asks by resting, a finger by a tap. With the keyboard, Shift and an arrow key lead from a
 * button to everything that is drawn, without moving the focus. Escape closes the tip.
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { nextStop } from "../board/keys.ts";
import { speaker } from "../board/rulesets.ts";
import { useSheet } from "../board/sheets.ts";
import { nameOf, placeRef, type Ref, refsOf } from "../board/targets.ts";
import { type Language, useLanguage } from "../words/languages.ts";
import type { Choosing } from "./choice.ts";
import type { AskingTable } from "./table.ts";

/** The time in milliseconds for which a mouse rests before it asks. */
const REST_MS = 400;
/** The most elements under one point that are asked for; pieces stand on places. */
const DEPTH = 3;
const GAP = 8;
const ELEMENT = "[data-place], [data-piece]";
const MISSING: readonly (string | null)[] = ["not_found", "unreadable", "not_allowed"];
const STYLE = `
.why { position: fixed; z-index: 9; max-width: min(22rem, 92vw); padding: 0.4rem 0.7rem;
  border: 1px solid var(--line); border-radius: 0.6rem; background: var(--paper);
  color: var(--ink); font-size: 0.9rem; pointer-events: none; }
.why:empty { opacity: 0; }
.board [data-asked] > .halo, .board [data-asked] > .moving > .halo {
  stroke: var(--ink); stroke-width: 5; stroke-dasharray: 1 7; stroke-linecap: round; }
`;
const OTHERWISE: Readonly<Record<Language, string>> = {
  en: "Not with what you have chosen so far.",
  es: "No con lo que has elegido hasta ahora.",
};

interface Tip {
  readonly text: string;
  readonly at: Element;
}

/** Stands within a board; it shows something only while somebody points to what is not lit. */
export function Why({ table, choice }: { table: AskingTable; choice: Choosing }) {
  const language = useLanguage();
  const [tip, setTip] = useState<Tip | null>(null);
  const [asked, setAsked] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const open = useRef(false);
  open.current = tip !== null;
  useSheet(place, STYLE);
  useEffect(() => {
    const board = place.current?.closest(".board");
    if (!board) return;
    const reasons = new Reasons(table, choice, language);
    return watch(board, reasons, open, {
      show: setTip,
      // A live region has to be there before its text.
      begin: () => setAsked(true),
    });
  }, [table, choice, language]);
  useEffect(() => setTip(null), [table.legal.value, choice.steps.value]);
  useLayoutEffect(() => {
    if (place.current && tip) put(place.current, tip.at);
  }, [tip]);
  return (
    <span ref={place} class="why" hidden={!asked} role={asked ? "status" : undefined}>
      {tip?.text}
    </span>
  );
}

/** The reasons why a seat cannot choose elements of the board, kept as long as its question. */
class Reasons {
  readonly #table: AskingTable;
  readonly #choice: Choosing;
  readonly #language: Language;
  readonly #known = new Map<string, Promise<string>>();
  #lacking = false;

  constructor(table: AskingTable, choice: Choosing, language: Language) {
    this.#table = table;
    this.#choice = choice;
    this.#language = language;
  }

  /** Whether the player has a question that can be asked about. */
  get open(): boolean {
    const busy = this.#choice.supposing || this.#choice.sending.peek();
    return !this.#lacking && !busy && this.#table.legal.peek() !== null;
  }

  /** The name of an element and the reason; "" if there is nothing to say. */
  of(ref: Ref): Promise<string> {
    const key = `${this.#table.legal.peek()?.version} ${ref}`;
    const known = this.#known.get(key) ?? this.#ask(ref);
    this.#known.set(key, known);
    return known;
  }

  async #ask(ref: Ref): Promise<string> {
    const { board } = this.#table.ruleset.peek() ?? {};
    const legal = this.#table.legal.peek();
    const state = this.#table.frame.peek()?.state;
    const seat = state?.seat ?? null;
    if (!board || !legal || seat === null) return "";
    const may = legal.moves.some((move) => refsOf(board, state?.state, seat, move).includes(ref));
    const reason = may ? OTHERWISE[this.#language] : await this.#refusal(ref, seat);
    const says = speaker(this.#table.ruleset.peek() as never, this.#language);
    return reason && says ? `${nameOf(board, says, ref)}: ${reason}` : reason;
  }

  async #refusal(element: Ref, seat: number): Promise<string> {
    if (this.#lacking) return "";
    try {
      const found: Schemas["WhyNot"] = await told(
        this.#table.viewer.service.api.GET("/v1/games/{game_id}/refusal", {
          params: { path: { game_id: this.#table.id }, query: { seat, element } },
        }),
      );
      if (found.answer === "unknown") return found.label;
      if (found.answer !== "refused") return "";
      return found.what ? `${found.what}. ${found.label}` : found.label;
    } catch (error) {
      this.#lacking ||= MISSING.includes(codeOf(error));
      return "";
    }
  }
}

/** Asks for what somebody points to on a board; returns what stops it. */
function watch(
  board: Element,
  reasons: Reasons,
  open: { readonly current: boolean },
  { show, begin }: { readonly show: (tip: Tip | null) => void; readonly begin: () => void },
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  let looked: Element | null = null;
  const look = (element: Element | null) => {
    looked?.removeAttribute("data-asked");
    looked = element;
    looked?.setAttribute("data-asked", "");
  };
  const close = () => {
    clearTimeout(timer);
    latest += 1;
    if (open.current) show(null);
  };
  const tell = async (elements: readonly Element[]) => {
    begin();
    latest += 1;
    const asking = latest;
    for (const element of elements.slice(0, DEPTH)) {
      const text = reasons.open ? await reasons.of(refOf(element)) : "";
      if (asking !== latest) return;
      if (text) {
        show({ text, at: element });
        return;
      }
    }
  };
  const point = (event: PointerEvent | MouseEvent, wait: number) => {
    close();
    if (!reasons.open || (event.target as Element).closest("button")) return;
    const under = elementsAt(board, event.clientX, event.clientY);
    if (under.length === 0 || under.some(isLit)) return;
    timer = setTimeout(() => void tell(under), wait);
  };
  const step = (event: KeyboardEvent) => {
    if (!event.shiftKey || !event.key.startsWith("Arrow") || !reasons.open) return;
    const here = looked ?? (event.target as Element).closest(ELEMENT);
    if (here === null) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nextStop(board, event, ELEMENT, here);
    if (next === null) return;
    close();
    look(next);
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isLit(next)) show({ text: next.getAttribute("aria-label") ?? "", at: next });
    else void tell([next, ...elementsAt(board, ...middle(next)).filter((one) => one !== next)]);
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !(open.current || looked)) return;
    event.preventDefault();
    event.stopPropagation();
    look(null);
    close();
  };
  const forget = () => {
    look(null);
    close();
  };
  const on = (name: string, act: (event: never) => void, capture = false) =>
    board.addEventListener(name, act as EventListener, { signal, capture });
  on(
    "pointerover",
    (event: PointerEvent) => event.pointerType !== "touch" && point(event, REST_MS),
  );
  on("pointerleave", close);
  // Before the buttons hear it: a click that chooses something asks nothing.
  on("click", (event: MouseEvent) => point(event, 0), true);
  on("keydown", step, true);
  on("focusin", forget);
  document.addEventListener("keydown", leave, { signal, capture: true });
  return () => {
    forget();
    stopped.abort();
  };
}

function refOf(element: Element): Ref {
  const { place, mat = null, piece } = (element as HTMLElement).dataset;
  return place === undefined ? `piece:${piece}` : placeRef(place, mat);
}

function isLit(element: Element): boolean {
  return element.hasAttribute("data-target");
}

/** The places and pieces of a board at a point of the window, the topmost first. */
function elementsAt(board: Element, x: number, y: number): Element[] {
  const root = board.getRootNode() as Document | ShadowRoot;
  const found = root.elementsFromPoint(x, y).map((part) => part.closest(ELEMENT));
  return [...new Set(found)].filter((one) => one !== null && board.contains(one)) as Element[];
}

function middle(element: Element): [number, number] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/** Puts the tip beside an element, where it covers the least of what can be chosen. */
function put(tip: HTMLElement, element: Element): void {
  tip.style.left = tip.style.top = "0";
  const { left, top, width, height } = tip.getBoundingClientRect();
  const at = element.getBoundingClientRect();
  const [x, y] = middle(element);
  const board = tip.closest(".board") as Element;
  const buttons = [...board.querySelectorAll("[data-target], button"), element];
  const kept = buttons.map((one) => one.getBoundingClientRect());
  const [right, bottom] = [innerWidth - width - GAP, innerHeight - height - GAP];
  const spots = [
    [x - width / 2, at.bottom + GAP],
    [x - width / 2, at.top - GAP - height],
    [at.right + GAP, y - height / 2],
    [at.left - GAP - width, y - height / 2],
    [x - width / 2, bottom],
    [x - width / 2, GAP],
  ].map(([across = 0, down = 0]) => {
    const spot = new DOMRect(clamp(across, right), clamp(down, bottom), width, height);
    return { spot, covered: kept.reduce((sum, one) => sum + overlap(one, spot), 0) };
  });
  const best = spots.reduce((one, other) => (other.covered < one.covered ? other : one));
  tip.style.left = `${best.spot.x - left}px`;
  tip.style.top = `${best.spot.y - top}px`;
}

function clamp(value: number, most: number): number {
  return Math.max(GAP, Math.min(value, most));
}

function overlap(one: DOMRect, other: DOMRect): number {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}
