/** Santiago de Cuba: the street around the town, the harbour, and the players' mats. */

import { colour, Outline, ofType, Place, type Renderer } from "lonja";
import icons from "./art/icons/*.svg";
import style from "./board.css";
import { Harbour, Quay } from "./harbour.tsx";
import { Land, NarrowLand } from "./land.tsx";
import { mat } from "./mat.tsx";
import { narrow } from "./narrow.ts";
import { DOES, keysOf, type Town, type View } from "./parts.tsx";
import {
  Building,
  Car,
  Cards,
  Citizen,
  Fares,
  Ledger,
  OwnerMarker,
  PawnAt,
  Plaza,
  Stones,
} from "./town.tsx";

function draw(scene: Town) {
  const flowers = new Map<string, string>(
    scene.view.buildings.map(({ building, flower }) => [building, flower]),
  );
  return (
    <>
      {scene.narrow ? <NarrowLand /> : <Land />}
      <Stones scene={scene} />
      {keysOf(scene, "site").map((key) => (
        <Place key={key} at={key}>
          <Outline
            class="santiago-lot"
            shape={scene.board.kinds.site?.shape ?? {}}
            round={12}
            fill={colour(scene.board.places[key]?.colour ?? "city")}
          />
        </Place>
      ))}
      {scene.narrow ? <Ledger scene={scene} /> : <Plaza scene={scene} />}
      <Harbour scene={scene} />
      <Quay scene={scene} />
      {ofType(scene, "building").map((piece) => (
        <Building
          key={piece.key}
          scene={scene.fixed}
          piece={piece}
          flower={flowers.get(piece.id ?? "") ?? "white"}
        />
      ))}
      {keysOf(scene, "stop").map((key, stop) => {
        const citizen = scene.view.street[stop]?.citizen;
        return (
          <Place
            key={key}
            at={key}
            class={citizen ? `santiago-has-${citizen}` : ""}
            looks={citizen !== null}
          >
            <title>{citizen ? scene.says.name("citizens", citizen) : scene.says.place(key)}</title>
          </Place>
        );
      })}
      {[...ofType(scene, "citizen"), ...ofType(scene, "citizen_face_down")].map((piece) => (
        <Citizen key={piece.key} scene={scene.fixed} piece={piece} />
      ))}
      <Fares scene={scene} />
      {ofType(scene, "owner_marker").map((piece) => (
        <OwnerMarker key={piece.key} scene={scene.fixed} piece={piece} />
      ))}
      {ofType(scene, "pawn").map((piece) => (
        <PawnAt key={piece.key} scene={scene.fixed} piece={piece} />
      ))}
      {ofType(scene, "car").map((piece) => (
        <Car key={piece.key} scene={scene} piece={piece} />
      ))}
      <Cards scene={scene} />
    </>
  );
}

/**
 * The selectors of large cards whose small ones have this CSS state; these large cards are visible.
 */
const seen = (state: string) =>
  Object.keys(DOES)
    .map((id) => `.santiago-has-${id}${state}~.santiago-cards .santiago-large-${id}`)
    .join(",");
const SHOWN = "{visibility:visible;opacity:1;transition-delay:.25s}";
/** Above a stop that can be chosen, a citizen leaves the pointer to it. */
const chosen = [...Array(10).keys()]
  .map((stop) => `[data-place="stop_${stop}"].target~.santiago-at-stop_${stop}`)
  .join(",");
const opened = `${seen(":is(:focus-visible,[data-looked])")}${SHOWN}@media(hover:hover){${seen(":hover")}${SHOWN}}`;

const renderer: Renderer<View> = {
  icons,
  draw,
  mat,
  beside: ({ decider }, owner) => decider === owner,
  narrow,
  style: `${style}${opened}${chosen}{pointer-events:none}`,
};

export default renderer;
