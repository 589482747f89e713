/** The rules in a drawer beside the board, at the passage of the question. */

import { type ComponentChild, render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { told } from "../api/client.ts";
import { Around, Marks, NOTHING, type Surroundings } from "../board/elements.tsx";
import { drawBoard } from "../board/generic.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import type { Scene } from "../board/scene.ts";
import { coloursOf } from "../board/shapes.tsx";
import { adopt } from "../board/sheets.ts";
import { nameOf, type Ref } from "../board/targets.ts";
import { language } from "../browser/language.ts";
import { size } from "../browser/screen.ts";
import { api } from "../browser/service.ts";
import { dark } from "../browser/theme.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import type { Choosing } from "../play/choice.ts";
import type { Table } from "../play/table.ts";
import style from "../style/drawer.css" with { type: "text" };
import { Markdown } from "../words/markdown.tsx";
import { LearnByPlaying } from "./learning.tsx";
import { anchorsOf, edgesOf, partOf, refsOfType } from "./passage.ts";
import { sceneAt } from "./scene.ts";
import { tableWords } from "./words.ts";

adopt(document, style);

/** The number of places that a picture names. */
const NAMED = 6;

export function RulesDrawer({
  table,
  choice,
  ruleset,
  onClose,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
  onClose: () => void;
}) {
  const words = tableWords.value;
  const head = useRef<HTMLHeadingElement>(null);
  const [asked, again] = useAsked(() => read(ruleset.id), [ruleset.id, language.value]);
  useEffect(() => head.current?.focus(), []);
  const { decision, anchors } = useQuestion(table, choice);
  const [edges, setEdges] = useState<ReturnType<typeof edgesOf>>({});
  useLayoutEffect(() => {
    const question = document.querySelector(".side.first")?.getBoundingClientRect();
    setEdges(edgesOf(question, size.value));
  }, [size.value, table.legal.value, choice.step.value]);
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>("[data-rules]")?.focus();
  };
  const title = ruleset.titles[language.value] ?? ruleset.id;
  return (
    <aside
      class="drawer"
      style={edges}
      aria-labelledby="drawer"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h2 id="drawer" ref={head} tabIndex={-1}>
          {words.rulesOf(title)}
        </h2>
        <button type="button" onClick={close}>
          {words.close}
        </button>
      </header>
      {(table.over.value || table.own.value.length === 0) && (
        <p class="learning">
          <LearnByPlaying game={ruleset.summary} />
        </p>
      )}
      {decision && (
        <p class="asked-now">
          <strong>{words.askedNow}</strong> {decision.label}
        </p>
      )}
      <Wait for={asked} again={again}>
        {(text) => (
          <Pages text={text} anchors={anchors} table={table} ruleset={ruleset}>
            <Detail table={table} choice={choice} ruleset={ruleset} />
          </Pages>
        )}
      </Wait>
    </aside>
  );
}

async function read(id: string): Promise<string> {
  const text = await told(
    api.GET("/v1/rulesets/{ruleset_id}/{document}", {
      params: { path: { ruleset_id: id, document: "rules" }, query: { lang: language.value } },
      parseAs: "text",
    }),
  );
  return String(text);
}

/** The question of the player of this browser, or else of somebody, and its passages. */
function useQuestion(table: Table, choice: Choosing) {
  const decisions = table.frame.value?.state.decisions ?? [];
  const own = table.own.value;
  const decision = decisions.find(({ seat }) => own.includes(seat)) ?? decisions[0];
  const moves = table.legal.value?.moves ?? [];
  const types = choice.step.value.left.map((index) => moves[index]?.type ?? "");
  return { decision, anchors: anchorsOf(decision?.name, types) };
}

/**
 * The rules, scrolled to the first of these anchors that they have. Its passage is marked, and the
 * picture of the question stands below it.
 */
function Pages({
  text,
  anchors,
  table,
  ruleset,
  children: picture,
}: {
  text: string;
  anchors: readonly string[];
  table: Table;
  ruleset: Ruleset;
  children: ComponentChild;
}) {
  const { id, summary, board } = ruleset;
  const pages = useRef<HTMLDivElement>(null);
  const names = anchors.join(" ");
  useLayoutEffect(() => {
    const { current: all } = pages;
    const anchor = anchors
      .map((name) => all?.querySelector(`#${CSS.escape(name)}`))
      .find((found) => found);
    const passage = anchor ? passageAt(anchor) : null;
    if (!passage) return;
    passage.classList.add("passage");
    const below = placeBelow(passage);
    render(picture, below);
    passage.scrollIntoView({ block: "start" });
    return () => {
      render(null, below);
      below.remove();
      passage.classList.remove("passage");
    };
  }, [text, names]);
  useIllustrations(pages, table, ruleset, [text, names]);
  return (
    <div class="pages rules" ref={pages} tabIndex={0} role="region" aria-labelledby="drawer">
      {summary.picture && (
        <img
          src={`/v1/rulesets/${id}/picture?digest=${summary.picture}`}
          alt=""
          width={board?.size[0]}
          height={board?.size[1]}
        />
      )}
      <Markdown text={text} />
    </div>
  );
}

/** An empty element within an item, or below a paragraph or a whole table. */
function placeBelow(passage: Element): HTMLElement {
  const below = document.createElement("div");
  if (passage.matches("li")) passage.append(below);
  else (passage.closest(".wide") ?? passage).after(below);
  return below;
}

/** An empty element within an item, or below a paragraph or a row of a table. */
function placeAfter(passage: Element): HTMLElement {
  if (!passage.matches("tr")) return placeBelow(passage);
  const row = document.createElement("tr");
  const cell = document.createElement("td");
  cell.colSpan = passage.children.length;
  row.append(cell);
  passage.after(row);
  return cell;
}

/**
 * Draws the board below each passage about moves that refer to places, when it comes into sight:
 * as it is now, with all these places lit. Below the passage of the question is its own picture.
 */
function useIllustrations(
  pages: { readonly current: HTMLElement | null },
  table: Table,
  ruleset: Ruleset,
  about: readonly unknown[],
) {
  useEffect(() => {
    const scene = sceneAt(table, ruleset);
    const schemas = ruleset.summary.moves as Readonly<Record<string, unknown>>;
    const drawn = new Map<Element, readonly Ref[]>();
    if (!pages.current || !scene) return;
    for (const [passage, types] of passagesOf(pages.current)) {
      const refs = types.flatMap((type) => refsOfType(scene, type, schemas[type]));
      if (partOf(scene, refs)) drawn.set(placeAfter(passage), [...new Set(refs)]);
    }
    const sight = new IntersectionObserver(
      (seen) => {
        for (const { isIntersecting, target } of seen) {
          if (!isIntersecting) continue;
          sight.unobserve(target);
          const refs = drawn.get(target) ?? [];
          const names = [...new Set(refs.map((ref) => nameOf(scene.board, scene.says, ref)))];
          const label = tableWords.value.onTheBoard(names.slice(0, NAMED), names.length - NAMED);
          render(<PartOfBoard {...{ scene, ruleset, refs, label }} />, target);
        }
      },
      { root: pages.current, rootMargin: "50%" },
    );
    for (const below of drawn.keys()) sight.observe(below);
    return () => {
      sight.disconnect();
      for (const below of drawn.keys()) {
        render(null, below);
        (below.closest("td")?.parentElement ?? below).remove();
      }
    };
  }, about);
}

/** The types of moves that each passage is about, but for the passage of the question. */
function passagesOf(pages: Element): Map<Element, string[]> {
  const found = new Map<Element, string[]>();
  for (const anchor of pages.querySelectorAll("[id^=move-]")) {
    const passage = passageAt(anchor);
    if (!passage || passage.matches(".passage")) continue;
    found.set(passage, [...(found.get(passage) ?? []), anchor.id.slice("move-".length)]);
  }
  return found;
}

/** The item or paragraph after an anchor; an anchor may stand alone in a paragraph. */
function passageAt(anchor: Element): Element | null {
  const block = anchor.closest("li, p, tr");
  return block?.textContent.trim() === "" ? block.nextElementSibling : block;
}

/** The part of the board that the question is about, as it is now; nothing if it is about none. */
function Detail({ table, choice, ruleset }: { table: Table; choice: Choosing; ruleset: Ruleset }) {
  const refs = [...choice.targets.value.keys()];
  const scene = useMemo(
    () => sceneAt(table, ruleset),
    [ruleset, table.frame.value, language.value],
  );
  if (!scene) return null;
  return <PartOfBoard {...{ scene, ruleset, refs }} label={tableWords.value.detail} />;
}

/** The part of the board with these elements, which are lit; nothing if none of them is on it. */
function PartOfBoard({
  scene,
  ruleset: { renderer },
  refs,
  label,
}: {
  scene: Scene;
  ruleset: Ruleset;
  refs: readonly Ref[];
  label: string;
}) {
  const part = partOf(scene, refs);
  if (!part) return null;
  return (
    <figure class="detail">
      <div class="board small-board" style={coloursOf(scene.board, dark.value)}>
        <Around.Provider value={aroundOf(scene, renderer.icons, refs)}>
          <svg viewBox={part.join(" ")} role="img" aria-label={label}>
            {(renderer.draw ?? drawBoard)(scene)}
          </svg>
        </Around.Provider>
      </div>
      <figcaption class="quiet">{label}</figcaption>
    </figure>
  );
}

function aroundOf(
  scene: Scene,
  icons: Surroundings["icons"] = {},
  refs: readonly Ref[],
): Surroundings {
  const { board, says } = scene;
  const marks = new Marks({ ...NOTHING, touched: new Set(refs) });
  return { sheet: board, board, says, owner: null, marks, icons };
}
