/** What the names of icons look like, each within a circle of radius 12. */

import { colour, type Icons } from "lonja";

const line = { class: "manila-line" };
const gold = "manila-gold";

/** A straw hat over a face: whoever is in the pay of a player. */
const accomplice = (
  <>
    <circle cy="3" r="6" class="manila-skin" />
    <path d="M-9 12a9 7 0 0 1 18 0z" fill={colour("paper")} {...line} />
    <path d="M-11 0Q-2-5 0-12 2-5 11 0 0 4-11 0z" fill={colour("wood")} {...line} />
  </>
);

const box = (
  <>
    <path d="M-10-3V9H10V-3z" fill={colour("wood")} {...line} />
    <path d="M-10-3Q-9-9 0-9T10-3z" fill={colour("wood")} {...line} />
    <rect x="-3" y="-5" width="6" height="7" rx="1" class={gold} />
  </>
);

const ginseng = (
  <>
    <path d="M-6-5V-12M0-6V-12M6-5V-12" class="manila-leaf" />
    <path
      d="M-5-6Q0-9 5-6 8-1 5 3L9 11M5 3 2 5 1 12M2 4-3 5-5 12M-4 4-6 2-10 9M-6 3Q-8-2-5-6z"
      class="manila-root"
    />
  </>
);

const jade = (
  <>
    <circle r="10.5" class="manila-jade" />
    <circle r="4" fill={colour("paper")} {...line} />
    <path d="M-7.5-3A8 8 0 0 1-2-7.8" class="manila-glint" />
  </>
);

const nutmeg = (
  <>
    <ellipse rx="8.5" ry="10.5" class="manila-nut" transform="rotate(28)" />
    <path d="M-5 6Q-7-3 3-8M0 8Q0 0 6-5M5 6Q6 2 7-1" class="manila-mace" />
  </>
);

const silk = (
  <>
    <path d="M-11-5Q-4-10 11-7V3Q-3 0-11 6z" class="manila-silk" />
    <path d="M-11 6Q-4 11 11 8V3Q-3 0-11 6z" class="manila-silk manila-fold" />
    <circle cx="-9" cy="0" r="2.6" class={gold} />
    <path d="M-2-8Q-4-3-2 2M5-8Q3-3 5 2" class="manila-glint" />
  </>
);

const hammer = (
  <g transform="rotate(-38)">
    <rect x="-2" y="-2" width="4" height="15" rx="2" fill={colour("wood")} {...line} />
    <rect x="-8" y="-10" width="16" height="9" rx="2" fill={colour("wood")} {...line} />
    <path d="M-5-10v9M5-10v9" class="manila-band" />
  </g>
);

const helm = (
  <>
    <circle r="7.5" class="manila-helm" />
    <path d="M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5" class="manila-spoke" />
    <circle r="2.6" class={gold} />
  </>
);

const insurance = (
  <>
    <path d="M0-11Q5-8 10-8 10 6 0 12-10 6-10-8-5-8 0-11z" fill={colour("paper")} {...line} />
    <path d="M-5 0-1 5 6-5" class="manila-tick" />
  </>
);

export const Coin = ({ radius = 12 }: { radius?: number }) => (
  <g transform={`scale(${radius / 12})`}>
    <circle r="11.5" class={gold} />
    <circle r="9" class="manila-milled" />
  </g>
);

const peso = (
  <>
    <Coin />
    <text class="manila-onto-gold" font-size="13" y="4.6">
      ₱
    </text>
  </>
);

const pilot = (
  <>
    <path d="M-5 12-3-3H3L5 12z" fill={colour("paper")} {...line} />
    <path d="M-4 4H4L4.6 8H-4.6z" fill={colour("red")} />
    <path d="M-5-3V-8H5V-3zM-6-8 0-12 6-8z" class={gold} />
    <path d="M-6-6-12-8M-6-5-12-4M6-6 12-8M6-5 12-4" class="manila-ray" />
  </>
);

const pirate = (
  <>
    <path d="M-11 9 11-3M11 9-11-3" class="manila-bone" />
    <path d="M-7-1Q-8-10 0-11 8-10 7-1L4 2V6H-4V2z" fill={colour("paper")} {...line} />
    <circle cx="-3" cy="-3" r="2" class="manila-dark" />
    <circle cx="3" cy="-3" r="2" class="manila-dark" />
    <path d="M-1.5 6V3.4M1.5 6V3.4" {...line} />
  </>
);

const pledge = (
  <>
    <rect x="-8" y="-11" width="16" height="21" rx="2" fill={colour("paper")} {...line} />
    <path d="M-5-7H5M-5-3.5H5" {...line} />
    <path d="M-3 4-5 12 0 9 5 12 3 4z" class="manila-seal" />
    <circle cy="3" r="4.6" class="manila-seal" />
  </>
);

const port = (
  <>
    <circle cy="-8" r="3" class="manila-stroke" />
    <path
      d="M0-5V11M-6-2H6M-10 3Q-9 11 0 11 9 11 10 3M-12 6-10 2-7 5M12 6 10 2 7 5"
      class="manila-stroke"
    />
  </>
);

const punt = (
  <>
    <path d="M-1-11V4M0-11 9 2H0z" fill={colour("paper")} {...line} />
    <path d="M-12 3H12Q9 11 5 11H-6Q-10 11-12 3z" fill={colour("wood")} {...line} />
  </>
);

const share = (
  <>
    <rect x="-8" y="-11" width="16" height="22" rx="2" fill={colour("paper")} {...line} />
    <path d="M-5-7H5M-5-4H5M-5 8H1" {...line} />
    <circle cy="2.5" r="3.4" class={gold} />
  </>
);

const shipyard = (
  <>
    <path d="M-9-8 7 10M9-8-7 10" class="manila-handle" />
    <path d="M-12-6-6-12-3-9-9-3z" class="manila-steel" />
    <path d="M4-10 10-12 12-6 9-4z" class="manila-steel" />
  </>
);

const price_marker = (
  <>
    <path d="M0-12 11-4V8Q11 11 8 11H-8Q-11 11-11 8V-4z" fill={colour("wood")} {...line} />
    <circle cy="-5" r="2" fill={colour("paper")} {...line} />
  </>
);

export const icons: Icons = {
  accomplice,
  box,
  ginseng,
  hammer,
  harbour_master: helm,
  insurance,
  jade,
  nutmeg,
  peso,
  pilot,
  pirate,
  pledge,
  port,
  price_marker,
  punt,
  share,
  shipyard,
  silk,
};
