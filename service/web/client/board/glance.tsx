/** A row for each player with the player's goods: the numbers on the mat. */

import { Around, Icon, UNMARKED } from "./elements.tsx";
import { nodes, root } from "./paths.ts";
import type { Renderer, Scene } from "./scene.ts";
import type { Mat } from "./standing.ts";
import { SignMark } from "./view.tsx";
import { useBoardWords } from "./words.ts";

export function Glance({
  scene,
  renderer,
  final = null,
  onLook,
}: {
  scene: Scene;
  renderer: Renderer;
  /** The points at the end by owner, which no mat shows. */
  final?: ReadonlyMap<string, number> | null;
  /** Shows the mat of the player that is pointed to; without it, nobody is a button. */
  onLook?: (owner: Mat["owner"]) => void;
}) {
  const { board, says } = scene;
  const words = useBoardWords();
  const sheet = board.mat;
  const shown = numbered(scene);
  if (!sheet || scene.mats.length === 0) return null;
  const icons = renderer.icons ?? {};
  return (
    <Around.Provider value={{ sheet, board, says, owner: null, marks: UNMARKED, icons }}>
      <table class="glance board">
        <caption class="sr">{words.numbers}</caption>
        <thead>
          <tr>
            <td />
            {final && (
              <th scope="col" class="final" title={words.atTheEnd}>
                {words.final}
              </th>
            )}
            {shown.map(({ key, icon }) => (
              <th key={key} scope="col" title={says.place(key, true)}>
                <span class="sr">{says.place(key, true)}</span>
                <svg viewBox="-15 -15 30 30" aria-hidden="true">
                  <circle r="15" fill="#fff8e6" />
                  <Icon name={icon} />
                </svg>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scene.mats.map((mat) => (
            <tr key={mat.owner}>
              <th scope="row">
                <Who scene={scene} owner={mat.owner} onLook={onLook} />
              </th>
              {final && <td class="final">{final.get(String(mat.owner)) ?? "–"}</td>}
              {shown.map(({ key, shows }) => (
                <td key={key}>{numberOn(mat, shows) ?? "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Around.Provider>
  );
}

function Who({
  scene,
  owner,
  onLook,
}: {
  scene: Scene;
  owner: Mat["owner"];
  onLook: ((owner: Mat["owner"]) => void) | undefined;
}) {
  const words = useBoardWords();
  const name = scene.names[Number(owner)] || scene.says.owner(owner);
  const called = (
    <>
      <SignMark scene={scene} owner={owner} /> {name}
    </>
  );
  if (!onLook) return <span class="who">{called}</span>;
  return (
    <button type="button" class="plain who" title={words.seeMat} onClick={() => onLook(owner)}>
      {called}
    </button>
  );
}

/** The places of mats that show a number and have an icon. */
export function numbered({ board, mats }: Pick<Scene, "board" | "mats">) {
  return Object.entries(board.mat?.places ?? {}).flatMap(([key, { icon, shows }]) =>
    icon && shows !== undefined && mats.some((mat) => numberOn(mat, shows) !== null)
      ? [{ key, icon, shows }]
      : [],
  );
}

function numberOn(mat: Mat, shows: string): number | null {
  const [found] = nodes(root(mat.view), shows);
  return typeof found?.value === "number" ? found.value : null;
}
