/** Round signs: when a card works, its kind, and amounts of gold and prestige. */

export type Kind = "office" | "building" | "person";

/** The sign that says when a card works, within a circle of radius 12. */
export function Timing({ sign, size = 1 }: { sign: string; size?: number }) {
  return (
    <g transform={`scale(${size})`}>
      <circle class="macao-edge" r="12" fill="#fffdf6" />
      {sign === "end" ? (
        <path
          d="M-5 8V-7M-5-7q5-3 10 0v7q-5-3-10 0"
          fill="#a92d25"
          stroke="#33291c"
          stroke-width="1.5"
        />
      ) : sign === "∞" ? (
        <path
          d="M0 0c3-6 9-6 9 0s-6 6-9 0-9-6-9 0 6 6 9 0z"
          fill="none"
          stroke="#33291c"
          stroke-width="2.2"
        />
      ) : sign === "!" ? (
        <path d="M0-8V2M0 7h.1" stroke="#33291c" stroke-width="3" stroke-linecap="round" />
      ) : (
        <path
          d="M-7-3-4-6V6M1-1 7 5M7-1 1 5"
          fill="none"
          stroke="#33291c"
          stroke-width="2"
          stroke-linecap="round"
        />
      )}
    </g>
  );
}

/** The emblem of a kind of card, within a circle of radius 16. */
export function Emblem({ kind }: { kind: Kind }) {
  const tone = `var(--macao-${kind})`;
  const pale = {
    fill: "none",
    stroke: "#fff",
    "stroke-width": 1.8,
    "stroke-linejoin": "round",
  } as const;
  return (
    <g>
      <circle r="16" fill={tone} stroke="#fff" stroke-opacity=".6" stroke-width="1.5" />
      {kind === "office" && <path d="M-9-3 0-9 9-3zM-6 0v7M0 0v7M6 0v7M-9 8H9" {...pale} />}
      {kind === "building" && (
        <path d="M-10-2Q-6-4-5-9H5Q6-4 10-2zM-6-2V8H6V-2M-2 8V3H2V8M0-9v-3" {...pale} />
      )}
      {kind === "person" && (
        <path d="M-9-4H9L0-10zM-4-4q0 7 4 7t4-7M-8 10q0-6 8-7 8 1 8 7z" {...pale} />
      )}
    </g>
  );
}

/** A coin or a seal with a number. */
export function Amount({
  of,
  number,
  radius = 14,
}: {
  of: string;
  number: number;
  radius?: number;
}) {
  const gold = of === "gold";
  return (
    <g>
      <circle
        r={radius}
        fill={gold ? "var(--macao-gold)" : "var(--macao-seal)"}
        stroke={gold ? "var(--macao-gold-rim)" : "#fff"}
        stroke-width="2"
      />
      <text
        class={gold ? "macao-on-gold" : "macao-light macao-number"}
        font-size={radius * 1.3}
        dy="0.35em"
      >
        {` ${number} `}
      </text>
    </g>
  );
}
