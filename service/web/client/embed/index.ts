/** `@lonja/kit`: a service's games for any web page. Importing the module defines the elements. */

import { LonjaBoard } from "./board.tsx";
import { LonjaGame } from "./game.tsx";

export { Service } from "../api/client.ts";
export { Refusal } from "../api/problem.ts";
export { follow } from "../api/stream.ts";
export { step } from "../play/choosing.ts";
export { say } from "../words/labels.ts";
export { LonjaBoard, LonjaGame };

// A server that renders a page has no `customElements`; a page that loads the kit twice has defined
// them already.
const elements = globalThis.customElements;
if (elements && !elements.get("lonja-game")) elements.define("lonja-game", LonjaGame);
if (elements && !elements.get("lonja-board")) elements.define("lonja-board", LonjaBoard);
