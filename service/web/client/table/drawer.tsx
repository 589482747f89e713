/** The rules in a drawer beside the board, at the passage of the question. */

import { type ComponentChild, render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { told } from "../api/client.ts";
import { Around, NOTHING, type Surroundings } from "../board/elements.tsx";
import { drawBoard } from "../board/generic.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import type { Scene } from "../board/scene.ts";
import { coloursOf } from "../board/shapes.tsx";
import { adopt } from "../board/sheets.ts";
import type { Ref } from "../board/targets.ts";
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
import { anchorsOf, edgesOf, partOf } from "./passage.ts";
import { sceneAt } from "./scene.ts";
import { tableWords } from "./words.ts";

adopt(document, style);

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
          <Pages text={text} anchors={anchors} ruleset={ruleset}>
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
  ruleset: { id, summary, board },
  children: picture,
}: {
  text: string;
  anchors: readonly string[];
  ruleset: Ruleset;
  children: ComponentChild;
}) {
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
    const below = document.createElement("div");
    if (passage.matches("li")) passage.append(below);
    else (passage.closest(".wide") ?? passage).after(below);
    render(picture, below);
    passage.scrollIntoView({ block: "start" });
    return () => {
      render(null, below);
      below.remove();
      passage.classList.remove("passage");
    };
  }, [text, names]);
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

/** The item or paragraph after an anchor; an anchor may stand alone in a paragraph. */
function passageAt(anchor: Element): Element | null {
  const block = anchor.closest("li, p, tr");
  return block?.textContent.trim() === "" ? block.nextElementSibling : block;
}

/** The part of the board that the question is about, as it is now; nothing if it is about none. */
function Detail({ table, choice, ruleset }: { table: Table; choice: Choosing; ruleset: Ruleset }) {
  const refs = [...choice.targets.value.keys()];
  const { renderer } = ruleset;
  const scene = useMemo(
    () => sceneAt(table, ruleset),
    [ruleset, table.frame.value, language.value],
  );
  const part = scene && partOf(scene, refs);
  if (!scene || !part) return null;
  return (
    <figure class="detail">
      <div class="board small-board" style={coloursOf(scene.board, dark.value)}>
        <Around.Provider value={aroundOf(scene, renderer.icons, refs)}>
          <svg viewBox={part.join(" ")} role="img" aria-label={tableWords.value.detail}>
            {(renderer.draw ?? drawBoard)(scene)}
          </svg>
        </Around.Provider>
      </div>
      <figcaption class="quiet">{tableWords.value.detail}</figcaption>
    </figure>
  );
}

function aroundOf(
  scene: Scene,
  icons: Surroundings["icons"] = {},
  refs: readonly Ref[],
): Surroundings {
  const { board, says } = scene;
  const highlights = { ...NOTHING, touched: new Set(refs) };
  return { sheet: board, board, says, owner: null, highlights, icons };
}
