/** The nine citizens, from the chest up, within a circle of radius 50 about the origin. */

import type { Icons } from "lonja";

const EDGE = {
  stroke: "#3b2a1c",
  "stroke-width": 2,
  "stroke-linejoin": "round",
  "stroke-linecap": "round",
} as const;

/** Shoulders, neck, face and eyes, which all have; hair, hat and clothes are drawn over them. */
function Bust({ skin, coat }: { skin: string; coat: string }) {
  return (
    <g {...EDGE}>
      <path d="M-40 30C-36 14-22 11 0 11s36 3 40 19A50 50 0 0 1-40 30z" fill={coat} />
      <path d="M-8 4h16v10c-4 7-12 7-16 0z" fill={skin} />
      <ellipse cy="-8" rx="16" ry="19" fill={skin} />
      <g fill="#2b1d13" stroke="none">
        <circle cx="-6" cy="-9" r="2" />
        <circle cx="6" cy="-9" r="2" />
      </g>
      <path d="M0-7l-2 5h3" fill="none" stroke-width="1.5" />
    </g>
  );
}

const Smile = () => <path d="M-6 2q6 5 12 0" fill="none" {...EDGE} />;
const Moustache = ({ hair }: { hair: string }) => (
  <path d="M0 0c-4-2-9 0-11 3 4 1 8 1 11-1 3 2 7 2 11 1-2-3-7-5-11-3z" fill={hair} />
);

export const portraits: Icons = {
  pedro: (
    <g {...EDGE}>
      <Bust skin="#b9794a" coat="#f3ead2" />
      <Moustache hair="#2b1d13" />
      <path d="M-32-18C-14-26 14-26 32-18 20-12-20-12-32-18z" fill="#e9cf8c" />
      <path d="M-16-22c0-22 32-22 32 0-10 3-22 3-32 0z" fill="#f1dca2" />
      <path d="M-16-24c10 3 22 3 32 0" fill="none" stroke="#5f9440" stroke-width="4" />
      <path d="M14 34C16 20 26 14 38 16c-2 12-10 20-24 18zM16 33l16-12" fill="#5f9440" />
      <path d="M5 5l14 4" stroke="#6b4526" stroke-width="4.5" />
    </g>
  ),
  maria: (
    <g {...EDGE}>
      <path d="M-20-6c-6-34 46-34 40 0 6 10 4 22 0 26h-40c-4-4-6-16 0-26z" fill="#2a1a14" />
      <Bust skin="#c58a5c" coat="#d8403a" />
      <path d="M-16-10c2-18 28-20 32 0-8-2-14-8-18-10-2 6-8 8-14 10z" fill="#2a1a14" />
      <path d="M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z" fill="#c22f3d" stroke-width="1" />
      <g transform="translate(15 -20)" stroke-width="1.2">
        {[0, 72, 144, 216, 288].map((turn) => (
          <ellipse
            key={turn}
            cy="-6"
            rx="4.5"
            ry="6"
            fill="#f2637a"
            transform={`rotate(${turn})`}
          />
        ))}
        <circle r="3" fill="#f6d04d" />
      </g>
      <path
        d="M-36 30q6-8 12 0t12 0 12 0 12 0 12 0 12 0"
        fill="none"
        stroke="#fff3e2"
        stroke-width="4"
      />
      <circle cx="-17" cy="2" r="3" fill="#f2c230" />
      <circle cx="17" cy="2" r="3" fill="#f2c230" />
    </g>
  ),
  jose: (
    <g {...EDGE}>
      <Bust skin="#8a5634" coat="#6f9ec4" />
      <Smile />
      <path d="M-36-16C-20-26 20-26 36-16 22-8-22-8-36-16z" fill="#d9b25c" />
      <path d="M-14-20C-12-44 12-44 14-20c-8 3-20 3-28 0z" fill="#e8c877" />
      <path d="M-14-22c8 3 20 3 28 0" fill="none" stroke="#a4472c" stroke-width="4" />
      <path d="M-12 16-6 40M12 16 6 40" fill="none" stroke="#3d5f80" stroke-width="5" />
      <path d="M28 44 33-6M35 45 41 2" stroke="#b5c46a" stroke-width="5" />
      <path
        d="M33-6c-4-8 4-10 6-14M41 2c2-6 6-6 6-12"
        fill="none"
        stroke="#6f9a3a"
        stroke-width="4"
      />
    </g>
  ),
  martinez: (
    <g {...EDGE}>
      <Bust skin="#7a4a2c" coat="#fbf5e4" />
      <path d="M-15-12c0-8 4-14 15-14s15 6 15 14c-8-4-22-4-30 0z" fill="#221710" />
      <path d="M-7 1q7 8 14 0z" fill="#fff" />
      <path d="M-24-20C-10-26 10-26 24-20 14-16-14-16-24-20z" fill="#2f4e7c" />
      <path d="M-16-22c0-16 8-18 16-14 8-4 16-2 16 14-10 3-22 3-32 0z" fill="#3c639c" />
      <path
        d="M-12 40C-26 40-28 26-16 24c6-1 8-8 16-6 7 2 4 10 0 12-2 8-4 10-12 10z"
        fill="#d08a3e"
      />
      <circle cx="-9" cy="30" r="4" fill="#3a2c22" />
      <path d="M-3 24 36-2" fill="none" stroke="#5c3a22" stroke-width="5" />
      <path d="M-16 34 34 0" fill="none" stroke="#f4e8c8" stroke-width="1" />
    </g>
  ),
  conchita: (
    <g {...EDGE}>
      <path d="M-19-8c-4 16-2 24 2 28h34c4-4 6-12 2-28z" fill="#3c2415" />
      <Bust skin="#d29b6b" coat="#f6c84b" />
      <path d="M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z" fill="#b8323d" stroke-width="1" />
      <path d="M-18-14C-16-32 16-32 18-14c-10-6-26-6-36 0z" fill="#2f8f82" />
      <path d="M-24-26h48c-4 8-10 9-24 9s-20-1-24-9z" fill="#b98a57" />
      <circle cx="-12" cy="-31" r="7" fill="#f0953a" />
      <circle cx="12" cy="-31" r="7" fill="#f0953a" />
      <circle cy="-35" r="8" fill="#f5b13d" />
      <path d="M0-43c2-5 8-5 10-3-3 4-7 4-10 3z" fill="#5f9440" />
      <path d="M-30 18C-14 34 14 34 30 18" fill="none" stroke="#fdf3dc" stroke-width="5" />
    </g>
  ),
  miguel: (
    <g {...EDGE}>
      <Bust skin="#c08552" coat="#b33a2e" />
      <path d="M-16-8c-2 18 4 26 16 26s18-8 16-26c-4 8-10 8-16 8s-12 0-16-8z" fill="#6b4020" />
      <path d="M-6 6q6 4 12 0" fill="none" stroke="#f5dcc0" />
      <path d="M-17-12C-18-36 18-36 17-12c-10-5-24-5-34 0z" fill="#365c3d" />
      <path d="M-17-14c10-5 24-5 34 0" fill="none" stroke="#26432c" stroke-width="6" />
      <path
        d="M-34 24h24M10 24h24M-22 14v26M22 14v26"
        fill="none"
        stroke="#6f1d18"
        stroke-width="4"
      />
      <path d="M27 46 37-16" stroke="#9a6a3a" stroke-width="5" />
      <path d="M33-22c6-6 14-4 14-4 2 10 0 18-4 22-4-6-8-6-11-6z" fill="#c9d0d4" />
    </g>
  ),
  el_zorro: (
    <g {...EDGE}>
      <path d="M-40 34C-34 4-20 0-14 4h28c6-4 20 0 26 30A50 50 0 0 1-40 34z" fill="#2a2430" />
      <Bust skin="#d6a877" coat="#37303f" />
      <path d="M-17-12c8-4 26-4 34 0v7c-4 4-10 4-13-1-2-2-6-2-8 0-3 5-9 5-13 1z" fill="#17131b" />
      <circle cx="-7" cy="-8" r="2.2" fill="#fff" stroke="none" />
      <circle cx="7" cy="-8" r="2.2" fill="#fff" stroke="none" />
      <path d="M-7 3q10 5 13-3" fill="none" />
      <path d="M-8-1q8-4 16 0" fill="none" stroke-width="3" />
      <path d="M-36-18C-20-26 20-26 36-18 22-13-22-13-36-18z" fill="#17131b" />
      <path d="M-15-22c2-18 28-18 30 0-10 3-20 3-30 0z" fill="#17131b" />
      <path d="M-15-23c10 3 20 3 30 0" fill="none" stroke="#c8402f" stroke-width="3" />
      <circle cx="27" cy="28" r="9" fill="#f2c230" />
      <path d="M23 24h8l-8 8h8" fill="none" stroke="#6b4a08" />
    </g>
  ),
  pablo: (
    <g {...EDGE}>
      <Bust skin="#b57a4c" coat="#4d5f4a" />
      <path
        d="M-16-2c2 14 8 17 16 17s14-3 16-17c-4 6-28 6-32 0z"
        fill="#4a3423"
        opacity=".55"
        stroke="none"
      />
      <path d="M-5 5q6 2 11-3" fill="none" />
      <path d="M-19-14c0-20 38-20 38 0-12-4-26-4-38 0z" fill="#7d6b50" />
      <path d="M-19-14c12-5 28-4 44 2-8 4-30 2-44-2z" fill="#63533c" />
      <path d="M-26 14 0 34l26-20" fill="none" stroke="#2e3a2c" stroke-width="4" />
      <path d="M-4 26h26v20l-8 3h-18z" fill="#b98a57" />
      <path d="M-4 33h26M9 26v22" fill="none" />
      <path d="M-13-9h9M4-9h9" fill="none" stroke="#2b1d13" stroke-width="3" />
    </g>
  ),
  alonso: (
    <g {...EDGE}>
      <Bust skin="#e2b98e" coat="#28303f" />
      <path d="M-10 11 0 32l10-21z" fill="#fdf8ea" />
      <path d="M-4 16h8L2 20l3 16-5 6-5-6 3-16z" fill="#8c3b1d" />
      <path
        d="M-17-8c-2-24 10-22 17-20 8-2 19-2 17 20-2-8-6-12-8-14-8 4-14 4-20 2-4 2-5 8-6 12z"
        fill="#8d8880"
      />
      <g fill="#eaf6fa" fill-opacity=".6" stroke-width="1.8">
        <circle cx="-7" cy="-9" r="5.5" />
        <circle cx="7" cy="-9" r="5.5" />
        <path d="M-1.5-9h3" />
      </g>
      <Moustache hair="#8d8880" />
      <path d="M20 22h18v20H20z" fill="#f4ecd6" />
      <path d="M24 28h10M24 33h10" fill="none" stroke-width="1.5" />
      <circle cx="33" cy="39" r="3.5" fill="#b3322b" stroke-width="1" />
    </g>
  ),
};
