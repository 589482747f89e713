/** A line for each player with the player's goods: the numbers on the mat. */

import { Around, Icon, NOTHING } from "./elements.tsx";
import { nodes, root } from "./paths.ts";
import type { Renderer, Scene } from "./scene.ts";
import type { Mat } from "./standing.ts";
import { SignMark } from "./view.tsx";

export function Glance({ scene, renderer }: { scene: Scene; renderer: Renderer }) {
  const { board, says } = scene;
  const sheet = board.mat;
  if (!sheet || scene.mats.length === 0) return null;
  const icons = renderer.icons ?? {};
  return (
    <ul class="glance board">
      {scene.mats.map((mat) => (
        <li key={mat.owner}>
          <span class="who">
            <SignMark scene={scene} owner={mat.owner} />{" "}
            {scene.names[Number(mat.owner)] || says.owner(mat.owner)}
          </span>
          <Around.Provider
            value={{ sheet, board, says, owner: mat.owner, highlights: NOTHING, icons }}
          >
            {numbers(scene, mat).map(({ key, icon, number }) => (
              <span key={key} class="number" title={says.place(key, true)}>
                <span class="sr">{says.place(key, true)}</span>
                <svg viewBox="-15 -15 30 30" aria-hidden="true">
                  <circle r="15" fill="#fff8e6" />
                  <Icon name={icon} />
                </svg>
                {number}
              </span>
            ))}
          </Around.Provider>
        </li>
      ))}
    </ul>
  );
}

/** The numbers that a mat shows on places that have an icon. */
function numbers({ board }: Scene, mat: Mat) {
  return Object.entries(board.mat?.places ?? {}).flatMap(([key, { icon, shows }]) => {
    const [shown] = shows === undefined ? [] : nodes(root(mat.view), shows);
    return icon && typeof shown?.value === "number" ? [{ key, icon, number: shown.value }] : [];
  });
}
