/** Large cards. Each is shown while the pointer is over the small card. */

import { colour, Outline, ofType, type Point, Text } from "lonja";
import { cardName, type RagusaScene, Spot, subject } from "./parts.tsx";

const SIZE: Point = [380, 172];

/** The face of a card at a readable size, centred on `at`: its name and its effect. */
export function Large({
  id,
  icon,
  name,
  text,
  at: [x, y],
  aside = "",
  scale = 1,
}: {
  id: string;
  icon: string;
  name: string;
  text: string;
  at: Point;
  /** Where a card of the market stands on a larger board, of which the screen shows a part. */
  aside?: string;
  scale?: number;
}) {
  const [width, height] = SIZE;
  return (
    <g
      class={`large ragusa-large ragusa-large-${id} ${aside}`}
      transform={`translate(${x} ${y}) scale(${scale})`}
    >
      <Outline shape={{ rect: SIZE }} round={12} class="ragusa-edge" fill={colour("paper")} />
      <Spot name={icon} at={[38 - width / 2, 38 - height / 2]} radius={25} />
      <Text class="ragusa-bold" box={[width - 90, 50]} at={[34, 38 - height / 2]} max={26}>
        {name}
      </Text>
      <Text box={[width - 30, height - 78]} at={[0, 30]} max={22}>
        {text}
      </Text>
    </g>
  );
}

/** The large face of a bonus card. */
export function LargeBonus({
  scene,
  id,
  at,
  aside = "",
  scale,
}: {
  scene: RagusaScene;
  id: string;
  at: Point;
  aside?: string;
  scale?: number;
}) {
  const text = scene.says.text("bonus_cards", id);
  const named = { name: cardName(scene, id), icon: subject(id) };
  return <Large {...named} id={id} text={text} at={at} aside={aside} {...(scale && { scale })} />;
}

/** The large cards of the board: hexes of the city, ships, and bonus cards that were seen. */
export function LargeCards({ scene }: { scene: RagusaScene }) {
  const { board, says, narrow } = scene;
  const scale = narrow ? 2.3 : 1;
  const middle = narrow ? 516 : 800;
  const aside = (y: number) => (narrow ? "" : y > 330 ? "ragusa-above" : "ragusa-below");
  /**
   * A large card stands above its small one. On a touch screen, the first tap scrolls the small one
   * to the lower end of the screen.
   */
  const clear = (y: number) => y + (narrow ? -290 : y > 330 ? -180 : 180);
  return (
    <>
      {HEXES.map((id) => (
        <Large
          key={id}
          id={id}
          icon={board.places[id]?.icon ?? ""}
          name={says.name("hexes", id)}
          text={says.text("city_hexes", id)}
          at={[narrow ? middle : (board.places[id]?.x ?? 0), clear(board.places[id]?.y ?? 0)]}
          scale={scale}
        />
      ))}
      {ofType(scene, "ship").map(({ key, id, y }) => (
        <Large
          key={key}
          id={id ?? ""}
          icon="ship"
          name={says.name("ships", id ?? "")}
          text={says.text("ships", id ?? "")}
          at={[middle, narrow ? clear(y) : y]}
          aside={aside(y)}
          scale={scale}
        />
      ))}
      {ofType(scene, "bonus_card").map(({ key, id, y }) => (
        <LargeBonus
          key={key}
          scene={scene}
          id={id ?? ""}
          at={[middle, narrow ? clear(y) : y]}
          aside={aside(y)}
          scale={scale}
        />
      ))}
    </>
  );
}

const numbered = (prefix: string, many: number) =>
  Array.from({ length: many }, (_, nth) => `${prefix}_${String(nth + 1).padStart(2, "0")}`);

const HEXES =
  "winery oil_press silversmith mason architect fishmonger market dock rectors_palace cathedral".split(
    " ",
  );
const BONUS =
  "wood stone fish silver_ore grapes olives salt spices silk pearls gems fleet towers gates districts warehouse"
    .split(" ")
    .map((what) => `bonus_${what}`);
const SHIPS = numbered("ship", 26);

/** A small card stands in a part of the board, or on a mat beside its large one. */
const seen = (state: string, ids: readonly string[]) =>
  `${ids
    .map((id) => `.ragusa-of-${id}${state}`)
    .map((small, nth) => `:is(${small},${PARTS}:has(>${small}))~.ragusa-large-${ids[nth]}`)
    .join(",")}{display:inline}`;
const PARTS = ":is(.ragusa-map,.ragusa-market)";

/**
 * With a mouse, the tooltips of hexes and ships are read instead, so that large cards do not cover
 * the board.
 */
export const LOOKED = [
  seen(":is(:focus-visible,[data-looked])", [...HEXES, ...SHIPS, ...BONUS]),
  `@media(hover:hover){${seen(":hover", BONUS)}}`,
].join("");
