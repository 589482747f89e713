import{colour as H,Icon as M,Outline as Et,ofType as Z,Piece as P,Place as v,rowOf as At,rowsOf as jt,SeatSign as X,signPath as Mt}from"/static/app/kit.js";var tt=`.board .plusultra-left {
  text-anchor: start;
}
.board .plusultra-title {
  font-family: "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif;
  font-weight: 700;
}
.plusultra-faint {
  opacity: 0.3;
}
.plusultra-past {
  opacity: 0.5;
}
.plusultra-city {
  fill: var(--board-city);
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
  stroke-width: 2;
}
.plusultra-panel rect {
  fill: var(--board-ground);
  fill-opacity: 0.55;
  stroke: var(--board-ink);
  stroke-opacity: 0.3;
}
.plusultra-land {
  stroke: var(--board-ink);
  stroke-opacity: 0.45;
  stroke-width: 3;
}
.plusultra-hills,
.plusultra-trees,
.plusultra-waves,
.plusultra-serpent {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.4;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.plusultra-trees {
  stroke: var(--board-green);
  stroke-opacity: 0.7;
}
.plusultra-waves {
  stroke-opacity: 0.22;
}
.plusultra-serpent {
  stroke-width: 3.5;
}
.plusultra-ocean circle {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 1.5;
}
.plusultra-ocean g path {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-opacity: 0.6;
}
.plusultra-ocean g .plusultra-north {
  fill: var(--board-red);
}
.plusultra-path {
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 5;
  stroke-dasharray: 3 6;
  stroke-linecap: round;
}
.plusultra-clearing {
  fill: var(--board-ground);
  fill-opacity: 0.45;
  stroke: var(--board-ink);
  stroke-opacity: 0.4;
  stroke-width: 2;
  stroke-dasharray: 5 6;
}
.plusultra-slot {
  fill: var(--board-paper);
  fill-opacity: 0.75;
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-dasharray: 3 3;
}
.plusultra-route {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.55;
  stroke-width: 4;
  stroke-dasharray: 2 9;
  stroke-linecap: round;
}
.plusultra-water {
  fill: var(--board-paper);
  fill-opacity: 0.6;
  stroke: var(--board-ink);
  stroke-opacity: 0.45;
  stroke-width: 1.5;
}
.plusultra-edge {
  stroke: var(--board-ink);
  stroke-width: 1.6;
  stroke-linejoin: round;
}
.plusultra-badge {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-width: 1.4;
}
.plusultra-mast {
  stroke: #4a3320;
  stroke-width: 3;
}
.plusultra-hull {
  fill: #8a5a34;
  stroke: var(--board-ink);
  stroke-width: 1.4;
  stroke-linejoin: round;
}
.plusultra-medal {
  fill: #f3e8cd;
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 1.2;
}
.plusultra-back {
  fill: #3f5f4d;
  stroke: var(--board-ink);
  stroke-opacity: 0.7;
  stroke-width: 2;
}
.plusultra-pillars {
  fill: none;
  stroke: #f0e2bf;
  stroke-width: 5;
  stroke-linecap: round;
}
.plusultra-pillars .plusultra-ribbon {
  stroke: #e2b93b;
  stroke-width: 4;
}
.plusultra-pillars.plusultra-faint {
  stroke: var(--board-ink);
  stroke-width: 9;
  opacity: 0.16;
}
.board .plusultra-on-tile {
  font-weight: 600;
  paint-order: stroke;
  stroke: var(--board-paper);
  stroke-width: 4px;
  stroke-linejoin: round;
}
.plusultra-shield {
  fill: var(--board-ground);
  stroke: var(--board-ink);
  stroke-width: 1.6;
  stroke-linejoin: round;
}
.plusultra-now {
  fill: none;
  stroke: var(--board-red);
  stroke-width: 5;
}
.plusultra-arch {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-opacity: 0.6;
  stroke-width: 2;
}
.plusultra-awning {
  fill: var(--board-red);
  fill-opacity: 0.75;
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
}
.board .plusultra-price text {
  fill: #2b2117;
  font-weight: 700;
}
.plusultra-drum {
  fill: none;
  stroke: var(--board-red);
  stroke-width: 4;
  stroke-dasharray: 7 4;
}
.plusultra-needless > g {
  opacity: 0.35;
}
.plusultra-needless .plusultra-drum {
  stroke: none;
}
.plusultra-stage {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 2;
}
.plusultra-card {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-opacity: 0.6;
  stroke-width: 2;
}
.plusultra-head {
  fill: var(--board-city);
}
.plusultra-veil {
  fill: var(--board-ground);
  fill-opacity: 0.6;
}
.plusultra-turn {
  fill: none;
  stroke: var(--board-red);
  stroke-width: 4;
}
.plusultra-cell {
  fill: var(--board-ground);
  fill-opacity: 0.6;
  stroke: var(--board-ink);
  stroke-opacity: 0.3;
}
.plusultra-spent {
  opacity: 0.45;
}
.plusultra-large {
  visibility: hidden;
  pointer-events: none;
}
svg:has(.plusultra-of-admiral:is(:hover, :focus-visible)) .plusultra-large-admiral,
svg:has(.plusultra-of-cardinal:is(:hover, :focus-visible)) .plusultra-large-cardinal,
svg:has(.plusultra-of-merchant:is(:hover, :focus-visible)) .plusultra-large-merchant,
svg:has(.plusultra-of-constable:is(:hover, :focus-visible)) .plusultra-large-constable,
svg:has(.plusultra-of-conquistador:is(:hover, :focus-visible)) .plusultra-large-conquistador,
svg:has(.plusultra-of-pirate:is(:hover, :focus-visible)) .plusultra-large-pirate,
svg:has(.plusultra-of-king:is(:hover, :focus-visible)) .plusultra-large-king,
svg:has(.plusultra-of-secretary:is(:hover, :focus-visible)) .plusultra-large-secretary,
svg:has(.plusultra-of-viceroy:is(:hover, :focus-visible)) .plusultra-large-viceroy,
svg:has(.plusultra-of-common_painter:is(:hover, :focus-visible)) .plusultra-large-common_painter,
svg:has(.plusultra-of-common_loan:is(:hover, :focus-visible)) .plusultra-large-common_loan,
svg:has(.plusultra-of-common_recruit:is(:hover, :focus-visible)) .plusultra-large-common_recruit,
svg:has(.plusultra-of-common_trade_route:is(:hover, :focus-visible))
  .plusultra-large-common_trade_route,
svg:has(.plusultra-of-common_mission:is(:hover, :focus-visible)) .plusultra-large-common_mission,
svg:has(.plusultra-of-common_court:is(:hover, :focus-visible)) .plusultra-large-common_court,
svg:has(.plusultra-of-common_workshops:is(:hover, :focus-visible))
  .plusultra-large-common_workshops,
svg:has(.plusultra-of-common_estate:is(:hover, :focus-visible)) .plusultra-large-common_estate,
svg:has(.plusultra-of-castle:is(:hover, :focus-visible)) .plusultra-large-castle,
svg:has(.plusultra-of-palace:is(:hover, :focus-visible)) .plusultra-large-palace,
svg:has(.plusultra-of-vineyard:is(:hover, :focus-visible)) .plusultra-large-vineyard,
svg:has(.plusultra-of-trading_house:is(:hover, :focus-visible)) .plusultra-large-trading_house,
svg:has(.plusultra-of-manor:is(:hover, :focus-visible)) .plusultra-large-manor,
svg:has(.plusultra-of-glass_workshop:is(:hover, :focus-visible)) .plusultra-large-glass_workshop,
svg:has(.plusultra-of-barracks:is(:hover, :focus-visible)) .plusultra-large-barracks,
svg:has(.plusultra-of-abbey:is(:hover, :focus-visible)) .plusultra-large-abbey,
svg:has(.plusultra-of-shipyard:is(:hover, :focus-visible)) .plusultra-large-shipyard,
svg:has(.plusultra-of-banking_house:is(:hover, :focus-visible)) .plusultra-large-banking_house {
  visibility: visible;
}
.plusultra-none > g {
  opacity: 0.5;
}
.plusultra-tick {
  fill: none;
  stroke: var(--board-green);
  stroke-width: 6;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.plusultra-pg {
  fill: #b3322b;
  stroke: #e2b93b;
  stroke-width: 2.5;
}
.board .plusultra-estate-pg {
  fill: #fff6df;
  font-weight: 700;
}
.plusultra-banner {
  fill: var(--board-gold);
  fill-opacity: 0.4;
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 2;
}
.board .plusultra-motto {
  font-family: "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif;
  font-weight: 700;
  letter-spacing: 0.2em;
}
.plusultra-hollow {
  opacity: 0.14;
}
`;import{Fragment as f,jsx as V,jsxs as p}from"/static/app/kit.js";var g="#2b2117",lt="#e6b48c",b="#e2b93b",O="#aeb9c4",_="#b3322b",w="#8a5a34",G="#274a78",at="#4f8a4a",m="#f6ecd2";function o(t,r){return V("path",{d:t,fill:r,stroke:g,"stroke-width":"0.9","stroke-linejoin":"round"})}function c(t,r=g,e=1.2){return V("path",{d:t,fill:"none",stroke:r,"stroke-width":e,"stroke-linecap":"round","stroke-linejoin":"round"})}function z(t,r,e=lt){return p(f,{children:[o("M-9.5 11.5C-9 5.5-5 4 0 4S9 5.5 9.5 11.5Z",t),o("M-4-3C-4 3-2.2 5.2 0 5.2S4 3 4-3Z",e),V("path",{d:"M-1.8-.6v.4M1.8-.6v.4",stroke:g,"stroke-width":"1.3","stroke-linecap":"round"}),r]})}var rt="M-3.8 1Q0 2.2 3.8 1Q3.6 7.4 0 7.6T-3.8 1Z",wt="M5.5 11.5V-8.5M5.5-12l1.6 3.8H3.9Z",Lt="M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",vt=[0,45,90,135,180,225,270,315];function et(t,r){return p(f,{children:[o("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0Z","#50443a"),vt.map(e=>V("path",{transform:`rotate(${e})`,d:"M0-2.6C-3.4-5.6-2.4-9.6 0-9.6S3.4-5.6 0-2.6Z",fill:t,stroke:g,"stroke-width":"0.6"},e)),V("circle",{r:"2.6",fill:r,stroke:g,"stroke-width":"0.8"})]})}function st(t,r){return p(f,{children:[c(r,"#8f7350",1.6),o("M-6 11.5C-6.5 5-4.5 2.5-1 2.5S4.5 5 4 11.5Z",t),o("M-4.2-3C-4.2 2-2.8 3.6-1 3.6S2.2 2 2.2-3Z",lt),o("M-7.5-3.2Q-1-5 5.5-3.2Q4-10-1-10.5Q-6-10-7.5-3.2Z",O)]})}var ot={admiral:z(G,p(f,{children:[o("M-9-3.2Q-8-9.5 0-10.2Q8-9.5 9-3.2Q0-6.6-9-3.2Z",G),c("M-8-3.9Q0-7.4 8-3.9",b),c("M-6 8.5h3M3 8.5h3",b,1.6)]})),cardinal:z("#a8242c",p(f,{children:[o("M-10.5-3.2Q0-6.2 10.5-3.2Q7.5-5.2 4.6-5.2Q4-10.4 0-10.4T-4.6-5.2Q-7.5-5.2-10.5-3.2Z","#c5303a"),c("M0 6v5.2M-2 8h4",b,1.4)]})),merchant:z("#6b5030",p(f,{children:[o("M-6.5-3.2Q-9.5-9 0-9.8T6.5-3.2Q0-5.4-6.5-3.2Z","#7a3f6c"),c("M-2.4 2.4Q0 1.2 2.4 2.4"),V("circle",{cx:"6.4",cy:"8",r:"3.2",fill:b,stroke:g,"stroke-width":"0.9"})]})),constable:z(O,p(f,{children:[o("M-5.2 1.6V-4Q-5-9.8 0-10.4Q5-9.8 5.2-4V1.6L2.6.2V-2.2H-2.6V.2Z",O),c("M0-10.2V-2.4"),o("M-1-12Q4-13 7-8Q3-9.6 0-10Z",_)]})),conquistador:z("#7a2f22",p(f,{children:[o("M-9.5-1.6Q-5-4.4 0-4.4T9.5-1.6Q7-8 4.4-8.2Q0-15-4.4-8.2Q-7-8-9.5-1.6Z",b),c("M-1-11.6Q2-8.5 1-5",g,.8),o(rt,"#3b2a1c")]})),pirate:z("#3d3a3f",p(f,{children:[o("M-4.8-2.6Q-4.6-8.6 0-8.8T4.8-2.6Q0-4.4-4.8-2.6Z",_),o("M4.4-4L9.4-5.4L8-1.8Z",_),o("M.4-1.8h3v2.4q-1.5 1-3 0Z","#1b1612"),c("M-4-2.4L4-2",g,.8),c("M-2 3Q0 2 2 3.2")]})),king:z("#7b2442",p(f,{children:[o("M-6-3.2L-7-10L-3.2-7L0-11.5L3.2-7L7-10L6-3.2Q0-4.6-6-3.2Z",b),o(rt,"#70513a"),c("M-7 8.4Q0 12 7 8.4",m,2.4)]})),secretary:z("#2d2a33",p(f,{children:[o("M-5-3Q-5.6-8.4 0-8.6T5-3Q0-5-5-3Z","#2d2a33"),o("M-6 5.2Q-3 3.6 0 5T6 5.2Q4.6 8.6 0 8.2T-6 5.2Z",m),c("M5 11L10-3Q7-1 6.2 4",m,1.6)]})),viceroy:z("#2f6b57",p(f,{children:[o("M-8.5-3.2Q0-6 8.5-3.2Q6-5 5-5.6Q4-9.8 0-9.8T-5-5.6Q-6-5-8.5-3.2Z","#2f6b57"),o("M3-7Q5-13 10.5-9.5Q7-9.6 5-5.8Z",m),c("M-6 6.2L5 11.2",b,2)]})),character:p(f,{children:[o("M-8.5-11.5h17v23h-17Z","#7b2f3a"),c("M-5.8-8.8h11.6v17.6h-11.6Z",b,.9),o("M-4.5 3L-5.5-3.5L-2.4-1L0-5L2.4-1L5.5-3.5L4.5 3Z",b)]}),crown:p(f,{children:[o("M-9 6.5L-11-6.5L-4.8-1L0-9.5L4.8-1L11-6.5L9 6.5Z",b),c("M-8.4 9.4H8.4",g,2),V("circle",{cy:"2.6",r:"1.8",fill:_})]}),ducat:p(f,{children:[o("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z",b),V("circle",{r:"7.6",fill:"none",stroke:"#8a661a","stroke-width":"1"}),c("M0-5V5M-4 0H4M-3-3L3 3M3-3L-3 3","#8a661a",1.1)]}),pg:p(f,{children:[o("M-7 0L-9 10.5L-3 7.5L0 11.8L3 7.5L9 10.5L7 0Z",_),o("M-8.5-2.5a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0Z",b),o("M0-8.6L1.8-4.4L6.2-4.2L2.8-1.4L4-3L4 3L0 .6L-4 3L-2.8-1.4L-6.2-4.2L-1.8-4.4Z",m)]}),bull:p(f,{children:[o("M-7-11H5L9-7V8H-7Z",m),c("M-4-6.5H3M-4-3.5H5.5M-4-.5H5.5","#8b7650",1),c("M-1 2.6L-2.5 11M1 2.6L3 11",_,1.6),V("circle",{cy:"3.6",r:"4",fill:O,stroke:g,"stroke-width":"0.9"}),c("M0 1.4V5.8M-1.6 2.8H1.6",g,1)]}),church:p(f,{children:[o("M-9 11V0L0-5L9 0V11Z",m),o("M-3 11V6Q0 2 3 6V11Z",w),c("M0-12V-5M-2.6-9.6H2.6",g,1.5)]}),estate:p(f,{children:[o("M-10 10V-1H10V10Z",m),o("M-11.5 0L-6-6.5H6L11.5 0Z",_),o("M-2.4 10V4.4Q0 2 2.4 4.4V10Z",w),c("M-6.5 3.4V6M6.5 3.4V6",g,1.8),o("M-2.5-6.5V-10.5H2.5V-6.5Z",m)]}),house:p(f,{children:[o("M-8 10V-.5H8V10Z",m),o("M-10.5 0L0-10L10.5 0Z","#a8503a"),o("M-2.2 10V4H2.2V10Z",w)]}),settlement:p(f,{children:[o("M-11 10V3L-6.5-1.5L-2 3V10Z",m),o("M2 10V3L6.5-1.5L11 3V10Z",m),o("M-4.5 10V-3.5L0-8.5L4.5-3.5V10Z","#dcbf8c"),c("M0-12.4V-8.6M-1.8-10.8H1.8",g,1.2)]}),magellan:p(f,{children:[o("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z","#6ea6c4"),o("M-7-6Q-2-9 0-4Q-3-2-2 2Q-5 3-7-1Z","#9bb06a"),o("M2 1Q6-3 8 0Q8 5 4 7Q1 5 2 1Z","#9bb06a"),c("M-11.6 2.8Q0 8.6 11.6-3.2",_,1.5)]}),ship:p(f,{children:[c("M0 5V-11M-6 5V-6.5",g,1.2),o("M-.8-10.5Q8-6 5.6 2.5H-.8Z",m),o("M-6.2-6.4Q-.6-3.4-2 2.5H-6.2Z",m),o("M-11 3.6L-9 6H9L11.5 2.6Q11 11.5 4 11.5H-5Q-10 10.5-11 3.6Z",w)]}),gold:p(f,{children:[o("M-11 9.5L-9 2.5H-2.5L-.5 9.5Z",b),o("M.5 9.5L2.5 2.5H9L11 9.5Z",b),o("M-5.3 1.6L-3.3-5.4H3.3L5.3 1.6Z","#f0cf5c"),c("M-2-3.4H2M-7.5 4.6H-4M4 4.6H7.5","#fff4c4",1.1)]}),silver:p(f,{children:[o("M-10 8L-7-1L7.5-4L10.5 4.5Z","#c9d3dc"),o("M-7-1L7.5-4L5-7.5L-8-4.6Z","#e9eef2"),o("M-10 8L-7-1L-8-4.6L-11 3Z","#8d9aa7"),c("M-3 3.6L4 2","#6c7985",1.2)]}),gems:p(f,{children:[o("M0 11L-11-2.5L-6-9H6L11-2.5Z","#a65bc0"),o("M0 11L-4.6-2.5L0-9L4.6-2.5Z","#cf9be0"),c("M-11-2.5H11",g,.9)]}),spices:p(f,{children:[o("M-8-2Q-12 11 0 11T8-2Z","#b98a52"),o("M-8.5-2Q-6-9 0-9T8.5-2Q0 1.4-8.5-2Z","#c8462c"),[-4,0,4].map(t=>V("circle",{cx:t,cy:t?-3:-5.4,r:"1.3",fill:"#f1b04a"},t)),c("M-6.5 2.6Q0 5 6.5 2.6","#7d5527",1.2)]}),natives:p(f,{children:[o("M-10.5 10.5Q-11-1 0-7.5Q11-1 10.5 10.5Z","#c99a55"),o("M-2.8 10.5Q-3.4 4 0 2Q3.4 4 2.8 10.5Z","#4a3320"),c("M-8.5 3.5Q-4-1 0-7.5Q4-1 8.5 3.5M-5-1.8H5","#7d5527",1),c("M-1.5-7L-3-11.5M0-7.5V-12M1.5-7L3-11.5","#4f8a4a",1.4)]}),peer:p(f,{children:[o("M-9.5-10.5H9.5V0Q9 8.5 0 12Q-9 8.5-9.5 0Z",m),c("M0-10V11.4M-9-2H9",_,2.2)]}),rosette:et("#e9776b",b),rosette_used:et("#a39b90","#d8d2c6"),tercio:st(_,wt),tercio_tired:p(f,{children:[st("#8d857b","M5.5 11.5L9 1"),c("M4-7H8L4-2.4H8M8.6-11.4H11L8.6-8.6H11","#8f7350",1.3)]}),tile:p(f,{children:[o("M-11-8.5H11V8.5H-11Z","#3f5f4d"),c("M-5.5 6V-5.5M5.5 6V-5.5M-7.5 6H-3.5M3.5 6H7.5M-7.5-5.5H-3.5M3.5-5.5H7.5",m,1.5),c("M-5.5 2.5Q0 5.5 5.5-1.5",b,1.3)]}),surplus:p(f,{children:[o("M-10.5 10.5V0H0V10.5Z",w),o("M0 10.5V2H10.5V10.5Z","#a06c42"),o("M-5 0V-9H5V0Z","#a06c42"),c("M-10.5 5.2H0M0 6.2H10.5M-5-4.6H5",g,.9)]}),taken:p(f,{children:[o("M0-11.5L3-9L7-9.6L8-5.6L11.4-3.2L9.6.6L10.4 4.8L6.4 6.2L4.2 9.8L0 8.4L-4.2 9.8L-6.4 6.2L-10.4 4.8L-9.6.6L-11.4-3.2L-8-5.6L-7-9.6L-3-9Z","#96262a"),c("M-4-5L4 3M4-5L-4 3",m,2.2)]}),turn:p(f,{children:[o("M-7-11H7V-8.6Q6-3 1.2 0Q6 3 7 8.6V11H-7V8.6Q-6 3-1.2 0Q-6-3-7-8.6Z",m),o("M-4 9.6Q-3.4 5 0 4T4 9.6Z","#d8a54a"),o("M-3.6-5H3.6Q2.4-2 0-.6Q-2.4-2-3.6-5Z","#d8a54a"),c("M-8.5-11H8.5M-8.5 11H8.5",w,2.2)]}),war:p(f,{children:[c("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",g,4),c("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",O,2),c("M-9.8 3.4L-3.4 9.8M9.8 3.4L3.4 9.8",b,2.4),o("M7-7.5L10.5-11L9.6-6Z",O),o("M-7-7.5L-10.5-11L-9.6-6Z",O)]}),common_painter:p(f,{children:[o("M-11 1Q-11-9 0-9T11-1Q11 4 5.5 3.2Q2 3 2.6 6Q3 9.5-2 9.5Q-11 8.5-11 1Z","#c39a66"),[[-6,-2,_],[-2,-5.6,b],[3.5,-5,G],[-5.6,3.6,at]].map(([t,r,e])=>V("circle",{cx:t,cy:r,r:"1.9",fill:String(e),stroke:g,"stroke-width":"0.5"},e)),c("M1 11.5L11-9",w,1.7)]}),common_loan:p(f,{children:[o("M-6-4Q-11 2-9.5 7.5Q-8 11.5 0 11.5T9.5 7.5Q11 2 6-4Z","#a77b49"),o("M-6.5-4L-8-10L-3-8.4L0-11L3-8.4L8-10L6.5-4Z","#bf935c"),o("M-4.4 3.6a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z",b)]}),common_recruit:p(f,{children:[c("M-8 11.5V-11.5",w,1.8),o("M-8-11Q0-14 3-9.6T11.5-9.4V3.4Q6 6.6 2 2.6T-8 2Z",m),c("M-5-8L8.5 1.4M8.5-8L-5 1.4",_,2.2)]}),common_trade_route:p(f,{children:[c("M-10.5 8Q-7 4.8-3.5 8T3.5 8T10.5 8M-10.5 11.4Q-7 8.2-3.5 11.4T3.5 11.4T10.5 11.4","#3f7fa6",1.4),c("M0 3.5V-11",g,1.2),o("M1-10.6Q8.5-6.4 7 .8H1Z",m),o("M-1-8.6Q-6-5-5.6.8H-1Z",m),o("M-9.5 2.4H9.5Q8.4 7-.4 7T-9.5 2.4Z",w)]}),common_mission:p(f,{children:[o("M-10.5 11V1H3V11Z",m),o("M3 11V-5L7-8.6L11-5V11Z",m),o("M-11.5 1.4L-4-4.6L4 1.4Z","#a8503a"),c("M7-12.4V-8.6M5.4-11H8.6",g,1.3),o("M-6 11V6.6Q-4 4.6-2 6.6V11Z",w),o("M5.6-.5V-3.4H8.4V-.5Z",w)]}),common_court:p(f,{children:[o("M-7 11.5V3H7V11.5H4.6V7H-4.6V11.5Z",w),o("M-6 3V-8Q0-14 6-8V3Z","#8e2f45"),o("M-3.6-2.6L-4.6-7.4L-2-6L0-8.6L2-6L4.6-7.4L3.6-2.6Z",b),c("M-9-1V4H9V-1",w,1.8)]}),common_workshops:p(f,{children:[c("M-8 10L3.5-3",w,2.6),o("M-2.4-7L2-11.4L10-3.4L5.6 1Z",O),c("M8.5 10.5L-1.5 1",w,2.2),c("M-10.6-6.4L-8-9.4L-2 .6L-4.4 2.4Z",g,1)]}),common_estate:p(f,{children:[o("M-11.5 9Q-4 3 11.5 8V11.5H-11.5Z","#8aa35c"),o("M-6 8V-1H6V7.4Z",m),o("M-8 0L0-6.6L8 0Z",_),o("M8-1.4a3 3 0 1 1 3-5a3 3 0 0 1-3 5Z",at),o("M-2 8V3H2V8Z",w)]})};function U({ducats:t}){return p("g",{class:"plusultra-price",children:[V("path",{d:Lt,transform:"scale(1.9)",fill:b,stroke:g,"stroke-width":"0.8"}),V("text",{"font-size":"20",dy:"0.35em",children:t})]})}import{extentOf as Zt,Icon as C,ofType as ct,Piece as K,Place as N,rowOf as Qt,shapeOf as Ht}from"/static/app/kit.js";import{Icon as xt,wrapped as _t}from"/static/app/kit.js";import{jsx as q,jsxs as nt}from"/static/app/kit.js";var Vt=.56,it=.64,ut=1.14;function L({children:t,at:[r,e],width:s,size:l=17,middle:n=!1,bold:i=!1}){return q("text",{class:[n?"":"plusultra-left",i?"plusultra-title":""].filter(Boolean).join(" "),"font-size":l,children:$(t,s,l,i).map((y,x)=>q("tspan",{x:r,y:e+x*l*ut,dy:"0.35em",...B(y,s,l),children:`${y} `},`${x} ${y}`))})}function B(t,r,e){return t.length*e*it<=r||t.includes(" ")?{}:{textLength:r,lengthAdjust:"spacingAndGlyphs"}}function $(t,r,e,s=!1){return _t(t,Math.floor(r/(e*(s?it:Vt))))}function I(t){return t.slice(0,1).toUpperCase()+t.slice(1)}var E=470;function A({scene:t,table:r,id:e,above:[s,l]}){let{says:n,board:i}=t,h=Math.min(Math.max(s-E/2,8),i.size[0]-E-8),y=n.text(r,e),x=132+($(y,E-40,20).length-1)*20*ut;return nt("g",{class:`plusultra-large plusultra-large-${e}`,transform:`translate(${h} ${l-x})`,children:[q("rect",{class:"plusultra-card",width:E,height:x,rx:"14"}),nt("g",{transform:"translate(54 54)",children:[q("circle",{class:"plusultra-medal",r:"41"}),q(xt,{name:i.catalogue[r]?.icons?.[e]??"",radius:38})]}),q(L,{at:[106,54],width:E-116,size:26,bold:!0,children:n.name(r,e)}),q(L,{at:[20,112],width:E-40,size:20,children:y})]})}import{jsx as d,jsxs as Q}from"/static/app/kit.js";function ht(t,r){let e=r.view,[s,l]=t.board.mat?.size??[520,326],n={pg:e.pg,ducats:e.ducats,active:e.tercios.active,tired:e.tercios.tired,reserve:e.houses.reserve,rosettes_ready:e.rosettes.ready,rosettes_used:e.rosettes.used,own_bulls:e.bulls,own_magellan:e.magellan,natives:e.natives,estate_count:e.estate_count};return Q("g",{class:"plusultra-board",children:[t.view.decider===r.owner&&d("rect",{class:"plusultra-turn",x:"-4",y:"-4",width:s+8,height:l+8,rx:"14"}),Object.entries(n).map(([i,h])=>d($t,{scene:t,at:i,count:h},i)),Q(N,{at:"characters",children:[d("title",{children:t.says.place("characters",!0)}),d("rect",{class:"plusultra-cell",x:"-173",y:"-39",width:"346",height:"78",rx:"10"}),e.characters?.length===0&&d(pt,{icon:"character"}),e.characters===null&&[...Array(Pt(t.view,e.seat)).keys()].map(i=>d("g",{transform:`translate(${i*172-86} 0)`,children:d(C,{name:"character",radius:32})},i))]}),Q(N,{at:"characters_used",children:[d("title",{children:t.says.place("characters_used",!0)}),d("rect",{class:"plusultra-cell",x:"-82",y:"-39",width:"164",height:"78",rx:"10"})]}),Q(N,{at:"own_estates",children:[d("title",{children:t.says.place("own_estates",!0)}),d("rect",{class:"plusultra-cell",x:"-206",y:"-52",width:"413",height:"104",rx:"10"}),e.estate_count===0&&d(pt,{icon:"estate"}),e.estates===null&&[...Array(e.estate_count).keys()].map(i=>Q("g",{transform:`translate(${(i-(e.estate_count-1)/2)*64} 0)`,children:[d("rect",{class:"plusultra-back",x:"-27",y:"-38",width:"54",height:"76",rx:"7"}),d(C,{name:"estate",radius:20})]},i))]}),e.common_used&&d(dt,{icon:"taken",x:30,words:t.says.label("board.common_used")}),e.bull_used&&d(dt,{icon:"bull",x:76,words:t.says.label("board.bull_used")}),ct(r,"character").map(i=>i.place==="characters"?d(zt,{scene:t,piece:i,spent:e.characters_used.some(h=>h===i.id)},i.key):d(St,{scene:t,piece:i},i.key)),ct(r,"estate").map(i=>d(Ot,{scene:t,piece:i},i.key)),[...new Map(r.pieces.map(i=>[i.id,i])).values()].map(({id:i,type:h})=>d(A,{scene:t,table:h==="estate"?"estates":"characters",id:i??"",above:[260,h==="estate"?216:132]},i))]})}function pt({icon:t}){return d("g",{class:"plusultra-hollow",children:d(C,{name:t,radius:26})})}function dt({icon:t,x:r,words:e}){return Q("g",{transform:`translate(${r} 306)`,children:[d("title",{children:e}),d(C,{name:t,radius:15}),d("path",{class:"plusultra-tick",transform:"scale(.7)",d:"M4 14l8 9L26 4"})]})}function Pt(t,r){let e=t.peer_order.indexOf(r),s=t.players.length;return Math.max(0,Math.ceil((t.picks-e)/s))}function $t({scene:t,at:r,count:e}){let s=t.board.mat,l=s?.places[r];if(!s||!l)return null;let[n,i]=Zt(Ht(s,l));return Q(N,{at:r,class:e===0?"plusultra-none":"",children:[d("title",{children:t.says.place(r,!0)}),d("rect",{class:"plusultra-cell",x:-n/2,y:-i/2,width:n,height:i,rx:"10"}),d("g",{transform:"translate(-22 0)",children:d(C,{name:l.icon??"",radius:r==="pg"?25:21})}),d("text",{class:"plusultra-title","font-size":"32",x:"24",dy:"0.35em",children:e})]})}function Y({says:t},r,e){return`${t.name(r,e)}: ${t.text(r,e)}`}function zt({scene:t,piece:r,spent:e}){let s=r.id??"",l=t.says.name("characters",s),n=$(l,106,17).length;return Q(K,{of:r,at:[r.x+(r.nth?86:-86),r.y],shape:{rect:[168,72]},class:`plusultra-of-${s}`,children:[d("title",{children:Y(t,"characters",s)}),Q("g",{class:e?"plusultra-spent":"",children:[d("rect",{class:"plusultra-card",x:"-82",y:"-34",width:"164",height:"68",rx:"9"}),Q("g",{transform:"translate(-57 1)",children:[d("circle",{class:"plusultra-medal",r:"25"}),d(C,{name:s,radius:23})]}),d(L,{at:[-27,-(n-1)*9.7],width:106,children:l})]})]})}function St({scene:t,piece:r}){let e=r.id??"";return Q(K,{of:r,at:[r.x+(r.nth?42:-42),r.y],shape:{circle:34},class:`plusultra-of-${e}`,children:[d("title",{children:Y(t,"characters",e)}),d("circle",{class:"plusultra-medal",r:"32"}),d(C,{name:e,radius:28}),d("path",{class:"plusultra-tick",d:"M8 20l7 8L30 8"})]})}function Ot({scene:t,piece:r}){let{says:e,tables:s}=t,l=r.id??"",n=Math.min(r.among,3),i=Math.ceil(r.among/3),h=(r.nth%3-(n-1)/2)*136,y=(Math.floor(r.nth/3)-(i-1)/2)*50,x=e.name("estates",l),j=$(x,94,17).length;return Q(K,{of:r,at:[r.x+h,r.y+y],shape:{rect:[132,48]},class:`plusultra-of-${l}`,children:[d("title",{children:Y(t,"estates",l)}),d("rect",{class:"plusultra-card",x:"-65",y:"-23",width:"130",height:"46",rx:"7"}),d("circle",{class:"plusultra-pg",cx:"-47",r:"15"}),d("text",{class:"plusultra-estate-pg","font-size":"19",x:"-47",dy:"0.35em",children:String(Qt(s,"estates",l)?.pg??"")}),d(L,{at:[-28,-(j-1)*9.7],width:98,children:x})]})}import{colour as ft}from"/static/app/kit.js";import{Fragment as Ct,jsx as S,jsxs as F}from"/static/app/kit.js";var Dt=[...Array(34).keys()].map(t=>{let r=384+t*97%250,e=24+t*173%780;return`M${r} ${e}q7-8 14 0t14 0`}),mt=F("g",{class:"plusultra-ocean",children:[S("path",{class:"plusultra-waves",d:Dt.join("")}),F("g",{transform:"translate(514 700)",children:[S("circle",{r:"25"}),S("path",{d:"M0-29L6-6L29 0L6 6L0 29L-6 6L-29 0L-6-6Z"}),S("path",{class:"plusultra-north",d:"M0-29L6-6L0 0L-6-6Z"})]}),S("path",{class:"plusultra-serpent",d:"M494 452q-2-26 14-26t14 22q2 14 12 8M496 396q10-18 24-2q8 10 18 2M502 478q8-14 22 0"})]}),Tt=[[24,58],[330,152],[170,160],[18,266],[172,376],[344,368],[20,482],[338,584],[172,592],[22,698],[340,806],[174,806]],qt=[[12,160],[344,262],[168,268],[14,372],[340,478],[172,484],[16,590],[342,692],[174,700],[20,806]],gt=F(Ct,{children:[S("rect",{x:"8",y:"8",width:"656",height:"812",rx:"16",fill:ft("sea")}),S("path",{class:"plusultra-land",fill:ft("land"),d:"M24 8H352q22 40 4 84t6 90t-8 86t12 92t-14 88t12 92t-10 90t10 84t-6 106H24a16 16 0 0 1-16-16V24A16 16 0 0 1 24 8Z"}),S("path",{class:"plusultra-hills",d:Tt.map(([t,r])=>`M${t-10} ${r}l9-15l9 15m-4-7l6-9l9 16`).join("")}),S("path",{class:"plusultra-trees",d:qt.map(([t,r])=>`M${t} ${r}v-12m-8-3q8-10 16 0q-8-4-16 0m3-6q5-8 11-1`).join("")})]});import{Fragment as k,jsx as a,jsxs as u}from"/static/app/kit.js";var It={icons:ot,style:tt,draw:t=>a(Nt,{scene:t}),mat:ht},Pa=It;function Nt({scene:t}){let[r,e]=t.board.size;return u("g",{class:"plusultra-board",children:[a("rect",{width:r,height:e,rx:"18",fill:H("ground")}),gt,mt,a(Rt,{scene:t}),a(Wt,{scene:t}),a(Ut,{scene:t}),a(Kt,{scene:t}),a(Yt,{scene:t}),a(Ft,{scene:t}),a(Jt,{scene:t}),a(ta,{scene:t}),a(ra,{scene:t}),a(sa,{scene:t}),a(oa,{scene:t}),a(ua,{scene:t}),a(ca,{scene:t})]})}function T({scene:t,at:r,tone:e}){let s=t.board.places[r],l=s&&t.board.kinds[s.kind];return!s||!l?null:a(Et,{class:"face",shape:s.shape??l.shape,round:10,fill:H(e??l.colour)})}function R({board:{places:t}},r){return Object.keys(t).filter(e=>t[e]?.kind===r)}function D({box:[t,r,e,s],title:l}){return u("g",{class:"plusultra-panel",children:[a("rect",{x:t,y:r,width:e,height:s,rx:"12"}),l&&a(L,{at:[(t??0)+16,(r??0)+20],width:e??0,size:20,bold:!0,children:l})]})}function Rt({scene:{says:t,view:r}}){return u(k,{children:[a("rect",{class:"plusultra-city",x:"672",y:"8",width:"920",height:"812",rx:"16"}),a(D,{box:[682,14,688,86]}),a(D,{box:[682,108,344,108],title:t.label("board.peer_order")}),a(D,{box:[1034,108,336,108],title:t.label("board.next_order")}),a(D,{box:[682,222,346,130],title:t.label("board.church")}),a(D,{box:[1036,222,334,130],title:t.label("where.crown",{ducats:r.crown})}),a(D,{box:[682,358,464,134],title:t.label("board.market")}),a(D,{box:[1150,358,220,134],title:t.label("board.surplus")}),a(D,{box:[682,500,688,128],title:t.label("board.war")})]})}function Wt({scene:t}){let{says:r,view:e,tables:s}=t;return u(k,{children:[a(L,{at:[26,31],width:330,size:24,bold:!0,children:r.label("board.land")}),R(t,"row").map((l,n)=>u("g",{children:[a("path",{class:"plusultra-path",d:`M150 ${102+n*108}h30`}),u(v,{at:`row_${n+1}`,children:[a("title",{children:r.place(`row_${n+1}`)}),a(T,{scene:t,at:`row_${n+1}`}),a("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:n+1})]}),u(v,{at:`settlement_${n+1}`,children:[a("title",{children:r.place(`settlement_${n+1}`)}),a("rect",{class:"plusultra-clearing",x:"-86",y:"-48",width:"172",height:"96",rx:"30"})]})]},`row ${n+1}`)),Z(t,"settlement").map(l=>{let n=Number(l.id?.split("_")[1]),i=At(s,"settlements",l.id??"")?.majority_pg;return u(P,{of:l,shape:{rect:[168,92]},children:[a("title",{children:J(t,l)}),a("rect",{x:"-82",y:"-44",width:"164",height:"88",rx:"12",class:"face",fill:H("settlement")}),a("g",{transform:"translate(-58 -23)",children:a(M,{name:"settlement",radius:17})}),a("g",{transform:"translate(24 -23)",children:a(M,{name:"pg",radius:14})}),a("text",{class:"plusultra-title","font-size":"24",x:"54",y:"-23",dy:"0.35em",children:String(i??"")}),[...Array(n).keys()].map(h=>a("rect",{class:"plusultra-slot",x:bt(h,n)-16,y:"2",width:"32",height:"34",rx:"6"},h))]},l.key)}),Z(t,"tile").filter(({place:l})=>l.startsWith("row_")).map(l=>a(W,{scene:t,piece:l},l.key)),Object.values(Object.groupBy(Z(t,"house"),({place:l})=>l)).flatMap(l=>l?.map((n,i)=>{let h=Number(n.place.split("_")[1]),y=e.settlements[h-1]?.size??4;return u(P,{of:n,at:[n.x+bt(i,y),n.y+18],shape:{circle:20},name:t.says.owner(n.owner??0),children:[a("title",{children:t.says.owner(n.owner??0)}),a(Gt,{scene:t,owner:n.owner})]},n.key)})??[])]})}function bt(t,r){return(t-(r-1)/2)*38}function Gt({scene:t,owner:r}){let e=t.sign(r??0),s="M-15 16V0L0-17L15 0V16Z";return u(k,{children:[a("path",{d:s,class:"plusultra-edge",fill:H(e.colour)}),a("path",{d:s,fill:`url(#pattern-${e.pattern})`}),a("path",{d:Mt(e),transform:"translate(0 4) scale(.7)",class:"plusultra-badge"})]})}function J({says:t},r){let e=r.id??"";return[t.name("tile_kinds",e),t.text("tile_kinds",e)].filter(Boolean).join(": ")}function W({scene:t,piece:r,size:[e,s]=[124,84]}){let l=r.id??"",n=t.board.catalogue.tile_kinds,i=l==="face_down";return u(P,{of:r,shape:{rect:[e+4,s+4]},children:[a("title",{children:J(t,r)}),a("rect",{class:i?"plusultra-back":"face",x:-e/2,y:-s/2,width:e,height:s,rx:"9",fill:H(n?.colours?.[l]??"paper")}),i?u("g",{class:"plusultra-pillars",children:[a("path",{d:"M-26 24V-22M26 24V-22M-34 25h16M18 25h16M-34-23h16M18-23h16"}),a("path",{class:"plusultra-ribbon",d:"M-34 12Q-10 24 0 0T34-12"})]}):u(k,{children:[a("circle",{class:"plusultra-medal",r:"25",cy:"-12"}),a("g",{transform:"translate(0 -12)",children:a(M,{name:n?.icons?.[l]??"tile",radius:21})}),a("text",{class:"plusultra-on-tile","font-size":"18",y:s/2-14,dy:"0.35em",children:I(t.says.name("tile_kinds",l))})]})]})}function Ut({scene:t}){let r=t.board.tracks?.sea_trade?.places??[],s=r.map(l=>t.board.places[l]).map(l=>`${l?.x},${l?.y}`).join(" ");return u(k,{children:[a("polyline",{class:"plusultra-route",points:s}),r.map((l,n)=>u(v,{at:l,children:[a("title",{children:t.says.place(l)}),a("rect",{class:"plusultra-water",x:"-48",y:"-39",width:"96",height:"78",rx:"16"}),a("text",{class:"plusultra-title","font-size":"22",x:"-30",y:"-22",dy:"0.35em",children:n})]},l)),Z(t,"sea_marker").map(l=>{let n=l.among===1,i=n?4:(l.nth%2-.5)*44,h=n?2:l.among<3?6:(Math.floor(l.nth/2)-.5)*38+2;return u(P,{of:l,at:[l.x+i,l.y+h],shape:{circle:n?30:20},name:t.says.owner(l.owner??0),children:[a("title",{children:t.says.owner(l.owner??0)}),a("g",{transform:`scale(${n?1.5:1})`,children:a(Bt,{scene:t,owner:l.owner})})]},l.key)})]})}function Bt({scene:t,owner:r}){let e=t.sign(r??0),s="M-13-15Q0-20 13-15Q17-4 13 6Q0 1-13 6Q-17-4-13-15Z";return u(k,{children:[a("path",{class:"plusultra-mast",d:"M0 10V-20"}),a("path",{d:s,class:"plusultra-edge",fill:H(e.colour)}),a("path",{d:s,fill:`url(#pattern-${e.pattern})`}),a("path",{d:Mt(e),transform:"translate(0 -5) scale(.72)",class:"plusultra-badge"}),a("path",{class:"plusultra-hull",d:"M-19 6L-14 10H14L19 4Q19 18 9 19H-9Q-18 18-19 6Z"})]})}function Kt({scene:t}){let{says:r,view:e,board:s}=t;return u(k,{children:[s.tracks?.turns?.places.map((l,n)=>u(v,{at:l,children:[a("title",{children:r.place(l)}),a("circle",{class:n+1<e.turn?"face plusultra-past":"face",r:"30",fill:H("paper")}),a("text",{class:"plusultra-title","font-size":"26",dy:"0.35em",children:n+1})]},l)),u(v,{at:"round",children:[a("title",{children:r.place("round")}),a(T,{scene:t,at:"round"}),a("text",{class:"plusultra-title","font-size":"24",dy:"0.35em",children:e.round?I(r.label("board.round",{round:e.round})):"–"})]}),Z(t,"turn_marker").map(l=>u(P,{of:l,shape:{circle:33},name:r.place(l.place),children:[a("circle",{class:"plusultra-now",r:"30"}),a("g",{transform:"translate(22 -20)",children:a(M,{name:"turn",radius:14})})]},l.key))]})}function Yt({scene:t}){let{says:r}=t,e=R(t,"order");return u(k,{children:[e.map(s=>u(v,{at:s,children:[a("title",{children:r.place(s)}),a("circle",{class:"face",r:"34",fill:H("paper")}),a("text",{class:"plusultra-faint","font-size":"28",dy:"0.35em",children:s.split("_")[1]})]},s)),Z(t,"peer").map(s=>u(P,{of:s,shape:{circle:30},name:r.owner(s.owner??0),children:[a("title",{children:r.owner(s.owner??0)}),a("path",{class:"plusultra-shield",d:"M-24-26H24V2Q22 20 0 30Q-22 20-24 2Z"}),a(X,{sign:t.sign(s.owner??0),size:1.45})]},s.key))]})}function Ft({scene:t}){return u(k,{children:[R(t,"church").map(r=>u(v,{at:r,children:[a("title",{children:t.says.place(r)}),a("path",{class:"plusultra-arch",d:"M-53 44V-8Q-50-32 0-44Q50-32 53-8V44Z"}),a("g",{class:"plusultra-faint",children:a(M,{name:"rosette",radius:20})})]},r)),Z(t,"tile").filter(({place:r})=>r.startsWith("church_")).map(r=>a(W,{scene:t,piece:r,size:[94,74]},r.key))]})}function Xt({tables:t},r){let e=jt(t,"king_favor").find(({crown_min:s,crown_max:l})=>Number(s)<=r&&r<=Number(l));return String(e?.pg??0)}function Jt({scene:t}){let{says:r,board:e}=t;return u(k,{children:[e.tracks?.crown?.places.map((s,l)=>u(v,{at:s,children:[a("title",{children:r.place(s)}),a(T,{scene:t,at:s}),a("text",{class:"plusultra-title","font-size":"22",y:"-20",dy:"0.35em",children:l}),a("g",{transform:"translate(-8 20)",children:a(M,{name:"pg",radius:10})}),a("text",{"font-size":"18",x:"12",y:"20",dy:"0.35em",children:Xt(t,l)})]},s)),Z(t,"crown_ducats").map(s=>u(P,{of:s,shape:{rect:[44,74]},name:r.place(s.place),children:[a("rect",{class:"plusultra-now",x:"-21",y:"-36",width:"42",height:"72",rx:"10"}),a("g",{transform:"translate(0 -44)",children:a(M,{name:"crown",radius:15})})]},s.key))]})}function kt({tables:t,view:r},e,s){let{base_price:l,minimum:n}=t.merchant,i=r.market.filter(h=>h===e).length-Number(s);return Math.max(l-i,n)}function ta({scene:t}){let{says:r,view:e}=t,s=Z(t,"tile"),l=s.filter(({place:h})=>h==="surplus"),n=e.merchant_market_slot==="slot_1"?1:e.market.length,i=l.at(-1);return u(k,{children:[a("path",{class:"plusultra-awning",d:"M810 364h326v12q-16 14-32 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0Z"}),[1,2,3,4].map(h=>u(v,{at:`market_${h}`,children:[a("title",{children:r.place(`market_${h}`)}),a(T,{scene:t,at:`market_${h}`}),a("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:h})]},h)),u(v,{at:"surplus",children:[a("title",{children:r.place("surplus")}),a(T,{scene:t,at:"surplus"})]}),s.filter(({place:h})=>h.startsWith("market_")).map(h=>a(W,{scene:t,piece:h,size:[96,86]},h.key)),l.map(h=>a(aa,{scene:t,piece:h},h.key)),e.market[n-1]&&a("g",{transform:`translate(${742+(n-1)*112+36} 402)`,children:a(U,{ducats:kt(t,e.market[n-1]??"",!0)})}),i&&a("g",{transform:"translate(1348 402)",children:a(U,{ducats:kt(t,i.id??"",!1)})})]})}function aa({scene:t,piece:r}){let{nth:e,among:s,x:l,y:n,id:i}=r;if(e===s-1)return a("g",{children:a(W,{scene:t,piece:{...r,x:l+56},size:[92,86]})});let h=Math.max(4,Math.ceil((s-1)/3)),y=98/h,x=[l-90+e%h*y,n-28+Math.floor(e/h)*28],j=t.board.catalogue.tile_kinds;return u(P,{of:r,at:x,shape:{circle:14},children:[a("title",{children:J(t,r)}),a("circle",{class:"face",r:"13",fill:H(j?.colours?.[i??""]??"paper")}),a(M,{name:j?.icons?.[i??""]??"tile",radius:10})]})}function ra({scene:t}){let{says:r,view:e}=t;return u(k,{children:[[1,2,3,4,5,6].map(s=>u(v,{at:`war_${s}`,class:s>e.war_level?"plusultra-needless":"",children:[a("title",{children:r.place(`war_${s}`)}),a("circle",{class:"plusultra-drum",r:"40"}),a("circle",{class:"face",r:"33",fill:H("paper")}),a("text",{class:"plusultra-faint","font-size":"30",dy:"0.35em",children:s})]},s)),u(v,{at:"war_level",children:[a("title",{children:r.place("war_level")}),a(T,{scene:t,at:"war_level"}),a("g",{transform:"translate(-36 0)",children:a(M,{name:"war",radius:24})}),a("text",{class:"plusultra-title","font-size":"32",x:"30",dy:"0.35em",children:`${e.war.length}/${e.war_level}`})]}),Z(t,"tercio").map(s=>{let l=t.sign(s.owner??0);return u(P,{of:s,shape:{circle:36},name:r.owner(s.owner??0),children:[a("title",{children:r.owner(s.owner??0)}),a("circle",{r:"33",class:"plusultra-edge",fill:H(l.colour)}),a("circle",{r:"33",fill:`url(#pattern-${l.pattern})`}),a("circle",{r:"24",class:"plusultra-medal"}),a("g",{transform:"translate(-5 0)",children:a(M,{name:"tercio",radius:20})}),a("g",{transform:"translate(17 14)",children:a(X,{sign:l,size:.95})})]},s.key)})]})}var ea={pile:"tile",bank:"ducat",bulls:"bull",rosettes:"rosette",magellan:"magellan",estates:"estate"};function sa({scene:t}){let{says:r,view:e}=t,s={pile:e.pile,bank:e.bank,bulls:e.bull_supply,rosettes:e.rosette_supply,magellan:e.magellan_supply,estates:e.estate_stack};return u(k,{children:[Object.entries(ea).map(([l,n])=>u(v,{at:l,children:[a(T,{scene:t,at:l}),a("g",{transform:"translate(-50 -16)",children:a(M,{name:n,radius:22})}),a("text",{class:"plusultra-title","font-size":"32",x:"14",y:"-17",dy:"0.35em",children:s[l]}),a(la,{width:194,y:24,children:r.place(l)})]},l)),u(v,{at:"estates_used",children:[a(T,{scene:t,at:"estates_used"}),e.estates_used.length===0&&a("g",{class:"plusultra-faint",transform:"translate(0 20)",children:a(M,{name:"estate",radius:50})}),a(L,{at:[0,-86],width:184,middle:!0,bold:!0,children:r.place("estates_used")}),e.estates_used.flatMap(l=>$(r.name("estates",l),186,17)).map((l,n)=>a(L,{at:[0,-58+n*21],width:186,middle:!0,children:l},l))]})]})}function la({children:t,width:r,y:e}){let s=$(t,r,17).length;return a(L,{at:[0,e-(s-1)*9.7],width:r,middle:!0,children:t})}function oa({scene:t}){let{says:r}=t,e=Z(t,"character");return u(k,{children:[u(v,{at:"pack",children:[a("rect",{class:"plusultra-stage",x:"-342",y:"-84",width:"684",height:"168",rx:"14"}),e.length===0&&a(ia,{scene:t}),e.length>0&&a("title",{children:r.place("pack")})]}),e.map(s=>{let l=Math.min(124,672/s.among),n=[s.x+(s.nth-(s.among-1)/2)*l,s.y];return u(P,{of:s,at:n,shape:{rect:[l-4,154]},class:`plusultra-of-${s.id}`,children:[a("title",{children:`${r.name("characters",s.id??"")}: ${r.text("characters",s.id??"")}`}),a("rect",{class:"plusultra-card",x:4-l/2,y:"-75",width:l-8,height:"150",rx:"10"}),a("circle",{class:"plusultra-medal",cy:"-30",r:Math.min(40,l/2-6)}),a("g",{transform:"translate(0 -29)",children:a(M,{name:s.id??"",radius:Math.min(38,l/2-9)})}),a(na,{width:l-10,children:r.name("characters",s.id??"")})]},s.key)})]})}function na({children:t,width:r}){let e=$(t,r+6,17);return a("text",{"font-size":"17",children:e.map((s,l)=>a("tspan",{x:"0",y:42+(l-(e.length-1)/2)*19,dy:"0.35em",...B(s,r,17),children:s},s))})}function ia({scene:t}){let{says:r,view:e}=t,{decider:s,activation:l,phase:n}=e,i=l?.character??null,h=s===null?e.end_reason?r.label(`reason.${e.end_reason}`):"":r.label(`decision.${n}`),y=n==="draft"?8-e.picks:0;return u(k,{children:[a("g",{class:"plusultra-pillars plusultra-faint",children:a("path",{d:"M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36"})}),i===null&&y===0&&u(k,{children:[a("path",{class:"plusultra-banner",d:"M-306 36Q-150-4 0 18T306 4V44Q150 76 0 54T-306 76L-286 54Z"}),a("text",{class:"plusultra-motto","font-size":"34",dy:"0.35em",y:"36",children:"PLVS · VLTRA"})]}),s!==null&&a("g",{transform:"translate(-240 -58)",children:a(X,{sign:t.sign(s),size:1.5})}),a(L,{at:[s===null?-250:-212,-58],width:500,size:22,bold:!0,children:s===null?I(h):`${r.owner(s)}: ${h}`}),i!==null&&u(k,{children:[a("circle",{class:"plusultra-medal",cx:"-228",cy:"26",r:"46"}),a("g",{transform:"translate(-228 27)",children:a(M,{name:i,radius:43})}),a(L,{at:[-168,-31],width:400,size:20,bold:!0,children:r.name("characters",i)}),a(L,{at:[-168,-8],width:446,size:17,children:r.text("characters",i)})]}),i===null&&[...Array(y).keys()].map(x=>a("g",{transform:`translate(${(x-(y-1)/2)*52} 38)`,children:a(M,{name:"character",radius:34})},x))]})}function ua({scene:t}){let{says:r}=t,e=R(t,"common");return u(k,{children:[e.map(s=>{let l=r.name("common_actions",s),n=$(l,126,18,!0).length;return u(v,{at:s,class:`plusultra-of-${s}`,children:[a("rect",{class:"plusultra-card",x:"-95",y:"-94",width:"190",height:"188",rx:"12"}),a("path",{class:"plusultra-head",d:"M-95-30V-82a12 12 0 0 1 12-12H83a12 12 0 0 1 12 12V-30Z"}),a("g",{transform:"translate(-65 -62)",children:a(M,{name:s,radius:23})}),a(L,{at:[-36,-62-(n-1)*10.2],width:126,size:18,bold:!0,children:l}),a(L,{at:[-86,-14],width:180,size:17,children:r.text("common_actions",s)})]},s)}),Z(t,"taken").map(s=>u(P,{of:s,shape:{rect:[190,188]},class:`plusultra-of-${s.place}`,name:r.label("board.taken",{spaces:[s.place]}),children:[a("rect",{class:"plusultra-veil",x:"-95",y:"-94",width:"190",height:"188",rx:"12"}),a("g",{transform:"translate(60 60)",children:a(M,{name:"taken",radius:30})})]},s.key))]})}function ca({scene:t}){return u(k,{children:[Z(t,"character").map(({id:r,x:e,nth:s,among:l})=>a(A,{scene:t,table:"characters",id:r??"",above:[e+(s-(l-1)/2)*84,644]},r)),Object.entries(t.board.places).map(([r,{kind:e,x:s}])=>e==="common"&&a(A,{scene:t,table:"common_actions",id:r,above:[s,828]},r))]})}export{Pa as default};
