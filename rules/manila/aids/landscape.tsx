/** The ground under the places: the market's stall, the sea, and the piers of the harbour. */

import { colour, Icon, type Scene, Text, useLeast } from "lonja";
import type { View } from "./pieces.tsx";
import { capital } from "./words.ts";

export function Landscape({ scene }: { scene: Scene<View> }) {
  const [width, height] = scene.board.size;
  return (
    <g class="manila-land">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      {scene.narrow ? <Upright scene={scene} /> : <Across scene={scene} />}
    </g>
  );
}

function Across({ scene }: { scene: Scene<View> }) {
  return (
    <>
      <path d="M8 34Q8 14 28 14H700Q716 14 716 30V230H8z" class="manila-stall" />
      {Object.keys(scene.view.market).map((ware, row) => (
        <g key={ware} transform={`translate(0 ${64 + 48 * row})`}>
          <g transform="translate(34 0)">
            <Icon name={ware} radius={17} />
          </g>
          <Ware scene={scene} of={ware} />
        </g>
      ))}
      <Titles scene={scene} at={[360, 638, 37]} />
      <path d="M0 242H938Q952 330 940 420 956 500 946 562H776V710H0z" fill={colour("sea")} />
      <path d="M0 242H938Q952 330 940 420 956 500 946 562H776V710" class="manila-surf" />
      <path
        d="M938 242H1200V710H776V562H946Q956 500 940 420 952 330 938 242z"
        fill={colour("land")}
      />
      <path d="M944 250H1192V556H944z" class="manila-pier" />
      <path
        d="M952 556v14M1000 556v14M1048 556v14M1096 556v14M1144 556v14M1188 556v14"
        class="manila-rope"
      />
      <path d="M780 570H1192V694H780z" class="manila-pier" />
      {[0, 1, 2].map((lane) => (
        <path key={lane} d={`M26 ${300 + 100 * lane}H936`} class="manila-course" />
      ))}
      <path d="M832 552Q836 590 738 608" class="manila-ambush" />
      <path
        d="M196 574q9-10 18 0t18 0M192 688q9-10 18 0t18 0M14 572q9-10 18 0t18 0M400 566q9-10 18 0t18 0M400 698q9-10 18 0t18 0"
        class="manila-wave"
      />
      <g transform="translate(414 632)" class="manila-rose">
        <circle r="30" />
        <path d="M0-44 7-7 44 0 7 7 0 44-7 7-44 0-7-7z" />
        <path d="M-22-22-2-8-8-2zM22-22 2-8 8-2zM-22 22-2 8-8 2zM22 22 2 8 8 2z" />
      </g>
    </>
  );
}

/** Where the least letters are larger than this, in units, the names of wares are slim. */
const CRAMPED = 24;

function Ware({ scene: { says }, of: ware }: { scene: Scene<View>; of: string }) {
  return (
    <Text
      box={[108, 42]}
      at={[105, 0]}
      max={20}
      short={capital(says.label(`short.${ware}`))}
      class={useLeast() > CRAMPED ? "manila-slim" : "manila-name"}
    >
      {capital(says.name("wares", ware))}
    </Text>
  );
}

/** The ground on a phone that is held upright. */
function Upright({ scene }: { scene: Scene<View> }) {
  const { board, view } = scene;
  return (
    <>
      <path d="M6 30Q6 10 26 10H576Q594 10 594 28V262H6z" class="manila-stall" />
      {Object.keys(view.market).map((ware) => (
        <g key={ware} transform={`translate(34 ${board.places[`supply_${ware}`]?.y ?? 0})`}>
          <title>{scene.says.name("wares", ware)}</title>
          <Icon name={ware} radius={19} />
        </g>
      ))}
      <Titles scene={scene} at={[250, 517, 35]} />
      <path d="M0 502H600V1188H0z" fill={colour("sea")} />
      <path d="M0 502H600M0 1188H600" class="manila-surf" />
      <path d="M3 816H597V1052H3z" class="manila-pier" />
      <path d="M60 922v8M140 922v8M220 922v8M380 922v8M460 922v8M540 922v8" class="manila-rope" />
      {[556, 656, 756].map((y) => (
        <path key={y} d={`M22 ${y}H580`} class="manila-course" />
      ))}
    </>
  );
}

function Titles({
  scene: { says },
  at: [market, supply, y],
}: {
  scene: Scene<View>;
  at: readonly [market: number, supply: number, y: number];
}) {
  return (
    <>
      <text x={market} y={y} font-size="20" class="manila-title">
        {capital(says.label("board.market"))}
      </text>
      <text x={supply} y={y} font-size="20" class="manila-title">
        {capital(says.label("board.supply"))}
      </text>
    </>
  );
}
