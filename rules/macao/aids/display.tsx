/** The cards on offer, and the cards laid aside. */

import { colour, extentOf, ofType, Piece, Place, shapeOf, Text } from "lonja";
import { DisplayCard, hint, LargeCard } from "./cards.tsx";
import { placesOf, type Table } from "./places.ts";
import { Badge } from "./symbols.tsx";

/** The cards on offer; while there are none, the offices of the next rounds instead. */
export function Display({ scene }: { scene: Table }) {
  const { says, view } = scene;
  const shown = ofType(scene, "card");
  const next = view.future_offices.slice(0, 3).flat();
  return (
    <>
      {placesOf(scene, "card").map((key, nth) => (
        <Place
          key={key}
          at={key}
          class={shown.length === 0 && next[nth] ? `macao-card-${nth}` : ""}
        >
          <title>{says.place(key)}</title>
          <rect
            x="-93"
            y="-117"
            width="186"
            height="234"
            rx="12"
            fill="var(--macao-felt)"
            stroke={colour("ink")}
            stroke-opacity=".35"
            stroke-width="2"
            stroke-dasharray="9 6"
          />
          {shown.length === 0 && next[nth] && (
            <g>
              <title>{hint(scene, next[nth])}</title>
              <DisplayCard scene={scene.fixed} id={next[nth]} faint />
            </g>
          )}
        </Place>
      ))}
      {shown.length === 0 && next.map((id, nth) => <Soon key={id} scene={scene} nth={nth} />)}
      {shown.map((piece, nth) => (
        <Piece
          key={piece.key}
          of={piece}
          shape={{ rect: [192, 240] }}
          class={`macao-card-${nth}`}
          looks
        >
          <title>{hint(scene, piece.id ?? "")}</title>
          <DisplayCard scene={scene.fixed} id={piece.id ?? ""} />
        </Piece>
      ))}
      {(shown.length > 0 ? shown.map(({ id }) => id ?? "") : next).map((id, nth) => (
        <LargeCard key={id} scene={scene.fixed} id={id} nth={nth} at={besides(scene, nth)} />
      ))}
    </>
  );
}

/** The round of the nth of the shown offices. */
function Soon({ scene, nth }: { scene: Table; nth: number }) {
  const { board, narrow, says, view } = scene;
  const place = board.places[`display_${nth + 1}`];
  const round = view.rounds - view.future_offices.length + Math.floor(nth / 2) + 1;
  if (!place) return null;
  return (
    <g transform={`translate(${place.x} ${place.y + 110})`}>
      <rect x="-78" y="-15" width="156" height="30" rx="14" fill={colour("ink")} />
      <Text
        class="macao-soon"
        box={[narrow ? 152 : 126, 27]}
        max={18}
        short={`${round}/${view.rounds}`}
      >
        {says.label("board.round", { round, rounds: view.rounds })}
      </Text>
    </g>
  );
}

/**
 * The position of the large card: beside the nth small one, so that it does not cover the small
 * one.
 */
function besides({ board, narrow }: Table, nth: number): readonly [number, number] {
  const y = board.places[`display_${nth + 1}`]?.y ?? 0;
  return narrow ? [300, y - 320] : [600, y - 374];
}

/** The cards laid aside. */
export function Piles({ scene }: { scene: Table }) {
  const { says, view } = scene;
  const [soon] = view.future_offices;
  const names = (ids: readonly string[]) => ids.map((id) => says.name("cards", id)).join(", ");
  const last = view.discard.at(-1);
  return (
    <>
      <Pile
        scene={scene}
        at="future_offices"
        icon="office"
        text={soon ? `${says.label("board.next_offices")}: ${names(soon)}` : "–"}
        short={soon && names(soon)}
        more={view.future_offices.map(names).join("\n")}
      />
      <Pile
        scene={scene}
        at="discard"
        icon="discard"
        text={`${says.place("discard")}: ${view.discard.length}${last ? ` (${says.name("cards", last)})` : ""}`}
        short={String(view.discard.length)}
        more={names(view.discard)}
      />
      <Pile
        scene={scene}
        at="jokers_used"
        icon="joker"
        text={`${says.place("jokers_used")}: ${view.jokers_used}`}
        short={String(view.jokers_used)}
        more=""
      />
    </>
  );
}

function Pile({
  scene,
  at,
  icon,
  text,
  short,
  more,
}: {
  scene: Table;
  at: string;
  icon: string;
  text: string;
  short?: string | undefined;
  more: string;
}) {
  const place = scene.board.places[at];
  const [width, height] = place ? extentOf(shapeOf(scene.board, place)) : [0, 0];
  return (
    <Place at={at}>
      <title>{[scene.says.place(at), more].filter(Boolean).join(":\n")}</title>
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="12"
        fill={colour("paper")}
        class="macao-edge"
      />
      <g transform={`translate(${-width / 2 + 24} 0)`}>
        <Badge of={icon} radius={15} />
      </g>
      <Text box={[width - 50, height - 4]} at={[19, 0]} max={18} short={short}>
        {text}
      </Text>
    </Place>
  );
}
