import{b as a}from"./board-sheets.js?v=da2aa51a15708a97";var i=`/* The player's account: keys, webhooks, and what was sent with them. */
.account {
  max-width: 52rem;
}
.account h2:first-child {
  margin-top: 0;
}
.account .card.inline {
  margin: 0.8rem 0;
}
.account .inline label {
  flex: 1 1 14rem;
}
.account .head {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0 1rem;
}
.account label.check {
  display: block;
  margin-bottom: 0.8rem;
}
.account details[open] > summary {
  font-weight: 600;
}
.owned,
.attempts {
  list-style: none;
  margin: 0.4rem 0;
  padding: 0;
}
.owned > li,
.attempts > li {
  padding: 0.7rem 0;
  border-top: 1px solid var(--line);
  overflow-wrap: anywhere;
}
.owned p,
.attempts p,
.done {
  margin: 0 0 0.3rem;
}
.account summary {
  padding: 0.35rem 0;
}
.owned > li > p > code {
  white-space: nowrap;
}
.attempts > li {
  font-size: 0.95em;
}
.attempts pre {
  margin: 0 0 0.4rem;
  padding: 0.3rem 0.5rem;
  max-height: 8rem;
  overflow: auto;
  white-space: pre-wrap;
  background: var(--ground);
}
.tag {
  padding: 0 0.6rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font-size: 0.9em;
}
.failing {
  color: var(--touched);
}
.delivered {
  color: var(--target);
}
.sure {
  flex-basis: 100%;
}
.done {
  color: var(--target);
}

/* a bot account on its player's page */
.facts dt {
  flex: none;
  width: min(10rem, 33%);
}
.facts dd {
  min-width: 0;
  overflow-wrap: anywhere;
}
.facts span {
  display: block;
}
.bot-record :is(th, td):nth-child(2) {
  text-align: left;
}
`;var t=`/* What a finished game looks like to a bot. */
.chart .shown {
  stroke: var(--ink);
  stroke-width: 2;
}
.chart .costly {
  fill: var(--own);
  stroke: var(--ink);
}
.chart .hit {
  fill: transparent;
  cursor: pointer;
}
.costliest {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
  gap: 0 1.5rem;
}
.costliest small {
  display: block;
  color: var(--quiet);
}
.costliest ol {
  padding-left: 1.6rem;
}
.analysis > h3,
.analysis .here h3 {
  margin-top: 1.4rem;
}
.analysis .thoughts {
  margin-top: 1rem;
}
`;var s=`/* A check of a record in place: how far it is, and what it came to. */
.checking {
  max-width: 46rem;
  overflow-wrap: anywhere;
}
.checking progress {
  width: 100%;
}
[data-checked] {
  padding: 0.1rem 1rem 0.6rem;
  border: 2px solid var(--touched);
  border-radius: 0.7rem;
  background: var(--paper);
}
[data-checked]:focus {
  outline: none;
}
[data-checked="sound"] {
  border-color: var(--target);
}
[data-checked] .copyable {
  align-items: center;
  padding: 0.4rem 0.6rem;
  border-radius: 0.4rem;
  background: var(--ground);
}
[data-checked] h3 {
  margin-bottom: 0.3rem;
  color: var(--touched);
}
[data-checked="sound"] h3 {
  color: var(--target);
}
.findings {
  padding: 0;
  list-style: none;
}
.findings li {
  padding: 0.3rem 0;
  border-top: 1px solid var(--line);
}
`;var o=`/* Tournaments, and the charts of these and of players. */
:root {
  --series-0: #0b5d9c;
  --series-1: #a8460a;
  --series-2: #0f6e50;
  --series-3: #85367a;
  --series-4: #7a5c00;
  --series-5: #41617a;
  --series-6: #9b2242;
  --series-7: #4a4a9c;
  --on-part: #fff;
}
:root[data-theme="dark"] {
  --series-0: #7cc0f5;
  --series-1: #f0a35e;
  --series-2: #63d3ac;
  --series-3: #e3a0d6;
  --series-4: #e6cf5a;
  --series-5: #a9c3d6;
  --series-6: #f295ad;
  --series-7: #b7b5f5;
  --on-part: #14110d;
}
.cup-head h1,
.cup-head p {
  margin: 0.2rem 0;
}
.cup h2 {
  margin-top: 1.8rem;
}
.cups {
  list-style: none;
  padding: 0;
}
.cups li {
  display: grid;
  grid-template-columns: minmax(12rem, 3fr) minmax(12rem, 3fr) minmax(16rem, 2fr) 12rem;
  gap: 0.1rem 1rem;
  align-items: baseline;
  padding: 0.7rem 0.2rem;
  border-bottom: 1px solid var(--line);
}
.cups li > a {
  font-weight: 600;
}
.cups time {
  grid-column: -2;
  color: var(--quiet);
}
.so-far progress {
  width: 8rem;
  max-width: 40vw;
  height: 0.7rem;
  accent-color: var(--accent);
  vertical-align: 0;
}
@media (max-width: 60rem) {
  .cups li {
    grid-template-columns: 1fr;
  }
  .cups time {
    grid-column: 1;
  }
}
.cup .wide,
.chart .wide {
  position: relative; /* what only screen readers hear stays within it */
}
.figures {
  font-variant-numeric: tabular-nums;
  border-collapse: collapse;
  background: var(--paper);
}
.figures th,
.figures td {
  padding: 0.35rem 0.7rem;
  border-bottom: 1px solid var(--line);
  text-align: right;
  white-space: nowrap;
}
.figures th {
  font-weight: 600;
}
.figures th:first-child {
  text-align: left;
  position: sticky;
  left: 0;
  background: var(--paper);
  min-width: 7.5rem;
  max-width: 46vw;
  white-space: normal;
}
.figures small {
  display: block;
  font-weight: 400;
}
.figures td small {
  display: inline;
}
.is-out {
  text-decoration: line-through;
}
.with-bar {
  display: inline-flex;
  align-items: center;
  gap: 0.5rem;
}
.with-bar svg {
  width: 6rem;
  height: 0.75rem;
}
.bar-ground {
  fill: var(--ground);
  stroke: var(--quiet);
  vector-effect: non-scaling-stroke;
}
.bar {
  fill: var(--series-0);
}
.bar-band {
  fill: var(--paper);
  stroke: var(--ink);
  stroke-width: 1;
  vector-effect: non-scaling-stroke;
}
.cross-grid abbr {
  text-decoration: none;
}
.self {
  color: var(--quiet);
}
.met {
  display: inline-block;
  padding: 0 0.4rem;
  border-radius: 0.3rem;
  border-bottom: 3px solid transparent;
}
.met[data-share="8"],
.met[data-share="9"],
.met[data-share="10"] {
  border-bottom-color: var(--series-0);
}
.met[data-share="6"],
.met[data-share="7"] {
  border-bottom-style: dashed;
  border-bottom-color: var(--series-0);
}

.charts {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr));
  gap: 1rem;
  align-items: start;
}
.chart {
  margin: 0;
  padding: 0.8rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.9rem;
  background: var(--paper);
  min-width: 0;
}
.card .chart {
  padding: 0;
  border: 0;
}
.chart h3 {
  font-size: 1rem;
}
.chart > svg {
  display: block;
  width: 100%;
  height: auto;
}
.chart text {
  font-size: 13px;
  fill: var(--ink);
}
.chart .axis text {
  fill: var(--quiet);
}
.chart .axis line {
  stroke: var(--quiet);
  stroke-opacity: 0.3;
}
.chart .axis .fair {
  stroke: var(--ink);
  stroke-opacity: 1;
  stroke-dasharray: 3 4;
}
.line {
  fill: none;
  stroke-width: 2.2;
  stroke-linejoin: round;
}
.mark {
  stroke: var(--paper);
  stroke-width: 1;
}
.series-0 {
  --own: var(--series-0);
}
.series-1 {
  --own: var(--series-1);
}
.series-2 {
  --own: var(--series-2);
}
.series-3 {
  --own: var(--series-3);
}
.series-4 {
  --own: var(--series-4);
}
.series-5 {
  --own: var(--series-5);
}
.series-6 {
  --own: var(--series-6);
}
.series-7 {
  --own: var(--series-7);
}
.line {
  stroke: var(--own);
}
.mark {
  fill: var(--own);
}
.dash-1 {
  stroke-dasharray: 8 4;
}
.dash-2 {
  stroke-dasharray: 2 3;
}
.dash-3 {
  stroke-dasharray: 10 3 2 3;
}
.dash-4 {
  stroke-dasharray: 5 5;
}
.dash-5 {
  stroke-dasharray: 14 4;
}
.dash-6 {
  stroke-dasharray: 2 6;
}
.dash-7 {
  stroke-dasharray: 10 3 2 3 2 3;
}
.legend {
  list-style: none;
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1rem;
  margin: 0.4rem 0;
  padding: 0;
}
.legend svg {
  width: 2rem;
  height: 1rem;
  vertical-align: -0.1rem;
  margin-right: 0.35rem;
}
.whisker .band {
  stroke: var(--ink);
  stroke-width: 2;
  fill: none;
}
.whisker .dot {
  fill: var(--series-0);
  stroke: var(--paper);
}
.part-0 {
  fill: var(--series-0);
}
.part-1 {
  fill: var(--series-2);
}
.part-2 {
  fill: var(--paper);
}
.part-3 {
  fill: var(--series-3);
}
.part-4 {
  fill: var(--series-1);
}
.part-5 {
  fill: var(--series-5);
}
.part-lines {
  fill: none;
  stroke: var(--paper);
  stroke-opacity: 0.55;
  stroke-width: 1.5;
}
.part-edge {
  fill: none;
  stroke: var(--ink);
  stroke-width: 1;
}
.chart .on-part {
  fill: var(--ink);
  paint-order: stroke;
  stroke: var(--paper);
  stroke-width: 4px;
  stroke-linejoin: round;
  font-weight: 600;
}

.round {
  padding: 0.5rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 0.7rem;
  background: var(--paper);
  margin: 0.5rem 0;
}
.pairings {
  list-style: none;
  padding: 0;
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 0.8rem;
  align-items: start;
}
.pairings > li,
.match {
  padding: 0.5rem 0.7rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--raised);
}
.pairing {
  list-style: none;
  margin: 0;
  padding: 0;
}
.pairing li {
  display: flex;
  justify-content: space-between;
  gap: 0.8rem;
}
.pairing .score {
  font-variant-numeric: tabular-nums;
}
.games-of {
  margin-top: 0.3rem;
}
.game-list {
  margin: 0.3rem 0;
  padding-left: 1rem;
  max-height: 20rem;
  overflow: auto;
}
.failure {
  display: block;
  color: var(--touched);
}
.goes-on {
  font-weight: 600;
}
.bracket {
  list-style: none;
  display: flex;
  gap: 1.4rem;
  padding: 0.2rem;
  margin: 0;
}
.bracket > li {
  display: flex;
  flex-direction: column;
  justify-content: space-around;
  gap: 0.7rem;
  min-width: 13rem;
}
.bracket h3 {
  margin-bottom: auto;
}
.match {
  margin: auto 0;
}
.boards {
  list-style: none;
  padding: 0;
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 0.9rem;
}
.small-game {
  display: grid;
  gap: 0.3rem;
  margin: 0;
  color: inherit;
  text-decoration: none;
}
.small-game strong {
  color: var(--accent);
  text-decoration: underline;
}
.small-game svg {
  display: block;
  width: 100%;
  height: auto;
  max-height: 20rem;
}
.hold {
  margin-top: 0.8rem;
  max-width: 44rem;
}
.entries {
  display: grid;
  gap: 0.5rem;
  margin: 0;
  padding-left: 1.4rem;
}
.entries li > div > * {
  vertical-align: bottom;
}
.entries label {
  display: inline-grid;
  margin-right: 0.6rem;
}
.entries input {
  width: 10rem;
}
.entries input[type="number"] {
  width: 6.5rem;
}
.preview {
  font-weight: 600;
  margin: 0;
}
.commitment {
  overflow-wrap: anywhere;
}
.rating p {
  margin: 0.2rem 0 0.5rem;
}
`;for(let r of[o,t,s,i])a(document,r);function y(r,n){let e=document.createElement("a");e.href=URL.createObjectURL(n),e.download=r,e.click(),URL.revokeObjectURL(e.href)}export{y as a};
