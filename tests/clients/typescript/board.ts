/**
 * Typed states and effects, as a board uses them: by `ruleset`, the compiler knows the type for
 * each game.
 */

import type { components } from "./generated/schema.d.ts";

type Schemas = components["schemas"];
export type Event = Schemas["Event"];
export type Effect = Schemas["Effect"];
type View = Schemas["View"];

/** Draw a state in a line of text, for each game with a member that only its states have. */
export function drawn(view: View): string {
  switch (view.ruleset) {
    case "santiago_de_cuba":
      return `ship ${view.ship_number} of ${view.ships}, ${view.players.map((player) => player.vp)}`;
    case "macao":
      return `round ${view.round} of ${view.rounds}, ${view.display.join(" ")}`;
    case "manila":
      return `voyage ${view.voyage}: ${view.punts.map((punt) => `${punt.ware} on ${punt.position}`)}`;
    case "plus_ultra":
      return `turn ${view.turn}, level of war ${view.war_level}, ${view.market.join(" ")}`;
    case "ragusa":
      return `${view.walls.length} walls, ${view.sides.length} sides, ${view.phase}`;
    default:
      return unknown(view);
  }
}

/** Describe what a board has to animate, for one effect of each game, whose data are typed. */
export function moved(effect: Effect): string {
  if (effect.ruleset === "santiago_de_cuba" && effect.type === "car_driven")
    return `the car drives ${effect.data.steps} stops`;
  if (effect.ruleset === "macao" && effect.type === "ship_moved")
    return `the ship of seat ${effect.data.seat} sails to ${effect.data.space}`;
  if (effect.ruleset === "manila" && effect.type === "punt_moved")
    return `the punt of ${effect.data.ware} moves by ${effect.data.steps}`;
  if (effect.ruleset === "plus_ultra" && effect.type === "good_shipped")
    return `${effect.data.good} goes to ${effect.data.destination}`;
  if (effect.ruleset === "ragusa" && effect.type === "ship_bought")
    return `ship ${effect.data.ship} leaves slot ${effect.data.slot}`;
  return effect.text;
}

function unknown(never: never): string {
  return JSON.stringify(never);
}
