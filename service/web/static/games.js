// Replays a game: its log in words and the state after any event, as a spectator may see them.
// Follows it while it goes on. Uses the public API alone.
import { element, get, link, listen } from "./page.js";

const page = document.getElementById("page");
const id = location.pathname.split("/")[2];
const PAGE = 1000;
const REFRESH_MS = 500;

const log = element("ol", "", "log");
const state = element("pre");
const version = element("input");
const told = element("p", "", "quiet");
let newest = 0;

function holder(seat) {
  if (seat.holder === "player") return seat.name || seat.player; // a name that was erased is empty
  return seat.bot ? `${seat.bot}@${seat.version}` : "open";
}

function outcome(game) {
  if (!game.result) return `${game.ruleset}, ${game.suspended_since ? "suspended" : game.status}.`;
  const name = (side) => {
    const [kind, which] = side.split(":");
    return kind === "seat" ? `${holder(game.seats[which])} (seat ${which})` : which;
  };
  const ranked = game.result.standings
    .toSorted((a, b) => a.rank - b.rank)
    .map((side) => `${side.rank}. ${name(side.side)}: ${side.score}`);
  return `${game.ruleset}, ${game.status} (${game.result.reason}). ${ranked.join("; ")}.`;
}

async function show(at) {
  const wanted = Math.min(Math.max(1, at), newest);
  version.value = wanted;
  const shown = await get(`/v1/games/${id}/state?at=${wanted}`);
  if (Number(version.value) !== shown.version) return; // somebody has gone on meanwhile
  state.textContent = JSON.stringify(shown.state, null, 2);
  for (const line of log.children)
    line.classList.toggle("here", Number(line.dataset.seq) === wanted);
  [...log.children].findLast((line) => line.dataset.seq <= wanted)?.scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `#${wanted}`);
}

function lineOf(effect) {
  const line = element("li", "", "line");
  line.dataset.seq = effect.seq;
  line.append(link(`${effect.seq}`, `#${effect.seq}`), ` ${effect.text}`);
  return line;
}

const isOver = (game) => game.status === "ended" || game.status === "aborted";

async function catchUp() {
  const game = await get(`/v1/games/${id}`);
  const again = isOver(game); // what was hidden is open now
  const lines = [];
  for (let after = again ? 0 : newest; after !== null; ) {
    const found = await get(`/v1/games/${id}/log?after=${after}&limit=${PAGE}`);
    lines.push(...found.effects.map(lineOf));
    newest = found.version;
    after = found.next_after;
  }
  if (again) log.replaceChildren(...lines);
  else log.append(...lines);
  version.max = newest;
  told.textContent = outcome(game);
  page.dataset.status = game.status;
  return game;
}

function step(name, change) {
  const button = element("button", name);
  button.type = "button";
  button.onclick = () => show(change(Number(version.value)));
  return button;
}

function controls() {
  version.type = "number";
  version.min = 1;
  version.ariaLabel = "After event";
  version.onchange = () => show(Number(version.value));
  const made = element("p");
  made.append(
    step("First", () => 1), step("Back", (at) => at - 1), version,
    step("On", (at) => at + 1), step("Last", () => newest),
  );
  return made;
}

async function follow() {
  const game = await catchUp();
  document.title = `${game.ruleset} – Lonja`;
  const both = element("div", "", "both");
  both.append(log, state);
  page.replaceChildren(
    element("h1", game.ruleset), told, controls(), both,
    element("p", `Game ${id}. lonja export keeps its record; lonja verify checks every event of it.`, "quiet"),
  );
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || newest));
  await show(Number(location.hash.slice(1)) || newest);
  if (isOver(game)) return;
  let waiting = null;
  const refresh = () => {
    waiting ??= setTimeout(async () => {
      const before = newest;
      await catchUp();
      waiting = null;
      if (Number(version.value) === before) await show(newest); // who looks back is left there
    }, REFRESH_MS);
  };
  listen(() => `/v1/games/${id}/stream?after=${newest}`, refresh);
}

follow().catch((error) => page.replaceChildren(element("p", `${error.message}.`)));
