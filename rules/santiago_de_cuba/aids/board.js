import{colour as $a,ofType as L,Piece as Va,Place as Pa,SeatSign as et}from"/static/app/kit.js";var na=`.santiago-edge,
.santiago-card,
.santiago-lot,
.santiago-stop,
.santiago-die,
.santiago-slot,
.santiago-pawn {
  stroke: var(--board-ink);
  stroke-width: 2;
}
.santiago-lot,
.santiago-slot {
  stroke-opacity: 0.45;
}
.santiago-card {
  stroke-opacity: 0.7;
}
.santiago-die {
  stroke-width: 3;
}
.santiago-pawn {
  stroke-width: 2.5;
  filter: drop-shadow(0 2px 2px #0006);
}
.santiago-stop {
  stroke-width: 3;
}
.santiago-here {
  stroke: #d8402f;
  stroke-width: 8;
}
.santiago-rim {
  fill: none;
  stroke-width: 7;
}
.santiago-pole {
  stroke: var(--board-ink);
  stroke-width: 4;
  stroke-linecap: round;
}
.santiago-ribbon {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-width: 1.5;
}
.santiago-name,
.board .santiago-number {
  font-weight: 700;
}
.santiago-quiet {
  opacity: 0.8;
  letter-spacing: 0.04em;
}
.santiago-kerb {
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
  stroke-width: 3;
}
.santiago-lane {
  fill: none;
  stroke: var(--board-paper);
  stroke-width: 4;
  stroke-dasharray: 22 18;
  opacity: 0.9;
}
.santiago-arrow {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.55;
  stroke-width: 6;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.santiago-surf {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.6;
  stroke-width: 8;
}
.santiago-waves {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.5;
  stroke-width: 3;
  stroke-linecap: round;
}
.santiago-sails path {
  fill: #f7ecd0;
  stroke: #6b4526;
  stroke-width: 3;
  opacity: 0.85;
}
.santiago-planks {
  stroke: var(--board-wood);
  stroke-width: 7;
}
.santiago-palm,
.santiago-ship path,
.santiago-car path {
  stroke-linejoin: round;
  stroke-linecap: round;
}
.santiago-car path:not([stroke]) {
  stroke: #2a2522;
  stroke-width: 2;
}
.santiago-car {
  filter: drop-shadow(0 3px 3px #0007);
}
.santiago-pavement {
  stroke: var(--board-ink);
  stroke-opacity: 0.6;
  stroke-width: 2;
}
.santiago-tiles {
  fill: none;
  stroke: var(--board-wood);
  stroke-width: 3;
  stroke-dasharray: 10 8;
}
.santiago-asleep {
  opacity: 0.3;
}
.santiago-shutters {
  fill: none;
  stroke: #dbe8e8;
  stroke-opacity: 0.8;
  stroke-width: 4;
}
.santiago-none {
  opacity: 0.5;
}
.santiago-faint {
  opacity: 0.28;
}
.santiago-out .sign {
  opacity: 0.45;
}
.santiago-cross {
  fill: none;
  stroke: var(--board-red);
  stroke-width: 7;
  stroke-linecap: round;
}
.santiago-gone {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.7;
  stroke-width: 5;
  stroke-linecap: round;
}
.board .santiago-on-hull {
  fill: #fff6e0;
  font-weight: 700;
}
.board .santiago-on-gold {
  fill: #2b2118;
}
.santiago-wicker {
  fill: none;
  stroke: #6b4526;
  stroke-opacity: 0.55;
  stroke-width: 3;
}
.santiago-band {
  stroke: var(--board-ink);
  stroke-width: 1;
}
.santiago-deciding {
  fill: none;
  stroke: var(--chosen);
  stroke-width: 3;
  stroke-dasharray: 14 6;
}

/* A large card appears on the plaza, and never takes a click. */
.santiago-large {
  transform: translate(540px, 500px);
  visibility: hidden;
  opacity: 0;
  pointer-events: none;
}
.santiago-facade {
  transform: translate(0, -42px);
}
.santiago-turn,
.santiago-queue {
  fill: none;
  stroke: var(--board-red);
  stroke-width: 4;
}
.santiago-queue {
  stroke-dasharray: 6 5;
}
.santiago-crate {
  stroke: var(--board-ink);
  stroke-width: 1.5;
}
.santiago-gap {
  fill: none;
  stroke-opacity: 0.3;
}
[data-theme="contrast"] .board-sheet :is([class^="santiago-"], .santiago-land *) {
  stroke-opacity: 1;
}
@media (max-width: 40rem) {
  /* What would be too small to read is left out until the board is made larger. */
  .sheet:not(.larger) > .board-sheet .santiago-fine {
    display: none;
  }
  .sheet:not(.larger) .santiago-facade {
    transform: scale(1.75);
  }
  .sheet:not(.larger) .santiago-sky,
  .sheet:not(.larger) .santiago-pavement {
    display: none;
  }
  .sheet:not(.larger) .santiago-large {
    transform: translate(540px, 500px) scale(2.6);
  }
}
`;import{colour as b,Icon as Q,ofType as D,Piece as U,Place as G,rowsOf as Na,Text as N}from"/static/app/kit.js";import{colour as fa,Icon as Ba,SeatSign as ja,Text as Fa}from"/static/app/kit.js";import{colour as Ca}from"/static/app/kit.js";import{jsx as a,jsxs as f}from"/static/app/kit.js";var C=Ca("ink"),d={stroke:"#33281d","stroke-width":.9,"stroke-linejoin":"round","stroke-linecap":"round"},Oa={...d,stroke:C,fill:"none"},ca="M0-8l2.1 5.2 5.6.4-4.3 3.6 1.4 5.5L0 3.7l-4.8 3 1.4-5.5-4.3-3.6 5.6-.4z";function v(t,e,s,o,n){return t.map(c=>a("rect",{x:c-s/2,y:e,width:s,height:o,fill:n},c))}var qa={sugar_cane:f("g",{...d,children:[a("path",{d:"M-7 11-4-9h4l-2 20z",fill:"#d9dfa0"}),a("path",{d:"M-1 11 1-10h4L4 11z",fill:"#eef0c8"}),a("path",{d:"M5 11 6-6l3 1L8 11z",fill:"#c3cc7e"}),a("path",{d:"M-6.4 5h4.9M-5.6-1h4.9M-.4 6h4.9M0 0h4.9M.6-5h4.3M5.3 4h3M5.7-1h3",fill:"none"}),a("path",{d:"M-3-8C-7-12-10-9-11-5c3-1 6-1 8-3M4-9c3-4 6-3 8 1-4-1-6 0-8-1",fill:"#7fa848"})]}),citrus:f("g",{...d,children:[a("circle",{cx:"-2",cy:"1",r:"8.5",fill:"#f0953a"}),a("path",{d:"M-3-7C-1-12 5-12 8-9 4-5 0-5-3-7z",fill:"#6a9a3f"}),a("circle",{cx:"5",cy:"5",r:"6",fill:"#f7b45c"}),a("circle",{cx:"5",cy:"5",r:"4.4",fill:"#fde3ad",stroke:"none"}),a("path",{d:"M5 .6v8.8M1.2 2.8l7.6 4.4M8.8 2.8 1.2 7.2",fill:"none",stroke:"#f0953a"})]}),tobacco:f("g",{...d,children:[a("path",{d:"M-8 9C-12-3-3-12 9-10c2 12-5 20-17 19z",fill:"#5f9440"}),a("path",{d:"M-11 12 6-7M-6 6v-8M-6 6l8 1M-1 0v-7M-1 0l7 1",fill:"none",stroke:"#dcebc2"})]}),rum:f("g",{...d,children:[a("path",{d:"M-2-11h4v6c4 2 5 4 5 7v8c0 1-1 1-2 1H-5c-1 0-2 0-2-1V2c0-3 1-5 5-7z",fill:"#a8322d"}),a("path",{d:"M-2.5-11.5h5v3h-5z",fill:"#d9b26a"}),a("path",{d:"M-7 1.5H7V7H-7z",fill:"#f6e7bf"}),a("path",{d:"M-3 4.3h6",fill:"none"})]}),cigars:f("g",{...d,children:[f("g",{transform:"rotate(28)",children:[a("rect",{x:"-11",y:"-5",width:"21",height:"5",rx:"2.5",fill:"#7a4e2e"}),a("path",{d:"M-4-5h3v5h-3z",fill:"#d8a531"}),a("path",{d:"M8-5h1a2.5 2.5 0 0 1 0 5H8z",fill:"#e36a3a"})]}),f("g",{transform:"rotate(-24)",children:[a("rect",{x:"-11",y:"1",width:"21",height:"5",rx:"2.5",fill:"#5c3a22"}),a("path",{d:"M-4 1h3v5h-3z",fill:"#c8402f"}),a("path",{d:"M8 1h1a2.5 2.5 0 0 1 0 5H8z",fill:"#cfcac0"})]})]}),wood:a("g",{...d,children:[[-5.5,4.5],[5.5,4.5],[0,-4.8]].map(([t,e])=>f("g",{transform:`translate(${t} ${e})`,children:[a("circle",{r:"5.4",fill:"#8a5c32"}),a("circle",{r:"4",fill:"#e0b878",stroke:"none"}),a("circle",{r:"2",fill:"none",stroke:"#a87742"})]},t))})},Ia={peso:f("g",{...d,children:[a("circle",{r:"11",fill:"#e8b93c"}),a("circle",{r:"8.5",fill:"#f6d876",stroke:"#b4841c"}),a("path",{d:"M3.5-3.5C2-5.5-3.5-5-3.5-2S3.5 0 3.5 2.7-2.5 5.5-3.5 3.5M0-6.5v13",fill:"none",stroke:"#6b4a08","stroke-width":"1.7"})]}),vp:f("g",{...d,children:[a("circle",{r:"11",fill:"#7b3f8c"}),a("circle",{r:"9",fill:"none",stroke:"#e9d3f0","stroke-dasharray":"3 2.6","stroke-width":"1.4"}),a("path",{d:ca,fill:"#ffe9a8",stroke:"none",transform:"scale(.8)"})]}),die:f("g",{...d,children:[a("rect",{x:"-9",y:"-9",width:"18",height:"18",rx:"3.5",fill:"#fdfaf2"}),f("g",{fill:"#3b3226",stroke:"none",children:[a("circle",{cx:"-4",cy:"-4",r:"2"}),a("circle",{r:"2"}),a("circle",{cx:"4",cy:"4",r:"2"})]})]}),chest:f("g",{...d,children:[a("path",{d:"M-10 0c0-10 20-10 20 0v9h-20z",fill:"#a06a35"}),a("path",{d:"M-10 0h20M-6-6v15M6-6v15",fill:"none",stroke:"#e0b04c","stroke-width":"1.6"}),a("rect",{x:"-2",y:"-2",width:"4",height:"5",fill:"#e8c45c"})]})},La={dancer:a("path",{d:"M0-11a3 3 0 1 1 0 6c4 0 4 3 3 6l8 9H-11l8-9c-2-4-1-6 3-6z",fill:"#c8402f",...d}),guitar:f("g",{...d,transform:"rotate(40)",children:[a("path",{d:"M-1.2-12h2.4V0h-2.4z",fill:"#5c3a22"}),a("path",{d:"M0-3c5 0 3 4 4 5 5 4 2 10-4 10S-9 6-4 2c1-1-1-5 4-5z",fill:"#d08a3e"}),a("circle",{cy:"3",r:"1.8",fill:"#3a2c22"})]}),mask:a("path",{d:"M-11-4C-6-8-3-5 0-5s6-3 11 1c0 6-3 9-6 9S1 2 0 2s-2 3-5 3-6-3-6-9zM-7-2c1 3 4 3 5 0-1-2-4-2-5 0zM2-2c1 3 4 3 5 0-1-2-4-2-5 0z",fill:C,"fill-rule":"evenodd"}),scales:f("g",{...d,children:[a("path",{d:"M0-10V9M-8-7H8M-5 9.5H5",...Oa,"stroke-width":"1.6"}),a("path",{d:"M-8-7l-3.5 8h7zM8-7 4.5 1h7z",fill:"#e0b04c"})]}),face_down:f("g",{...d,children:[a("rect",{x:"-9",y:"-10",width:"18",height:"20",rx:"2",fill:"#3f6f74"}),[-7,-3.5,0,3.5,7].map(t=>a("path",{d:`M-7 ${t}H7`,stroke:"#9fc3c3",fill:"none"},t))]}),pawn:a("path",{d:"M0-11a5 5 0 0 1 3 9c3 3 4 8 5 13H-8c1-5 2-10 5-13a5 5 0 0 1 3-9z",fill:C}),owner_marker:f("g",{...d,children:[a("path",{d:"M-7 11v-22",fill:"none",stroke:C,"stroke-width":"1.8"}),a("path",{d:"M-7-10.5 10-6-7 0z",fill:"#c8402f"})]})},Ra={anchor:f("g",{fill:"none",stroke:C,"stroke-width":"2","stroke-linecap":"round",children:[a("circle",{cy:"-8",r:"2.5"}),a("path",{d:"M0-5.5V10M-5-2H5M-10 3c1 5 5 7 10 7s9-2 10-7M-10 3l-1 3M-10 3l3 1M10 3l1 3M10 3 7 4"})]}),car:f("g",{...d,children:[a("path",{d:"M-11 3c0-4 3-4 5-4l3-4h6l4 4c3 0 4 1 4 5z",fill:"#c8402f"}),a("circle",{cx:"-5.5",cy:"4",r:"2.5",fill:"#333"}),a("circle",{cx:"6",cy:"4",r:"2.5",fill:"#333"})]}),ship:f("g",{...d,children:[a("path",{d:"M-11 3h22L8 9H-8z",fill:"#9a5b2c"}),a("path",{d:"M0-11V3",fill:"none","stroke-width":"1.4"}),a("path",{d:"M1-10c8 3 9 8 8 11H1zM-1-8c-6 3-8 6-8 9h8z",fill:"#fdf6e2"})]}),flag:f("g",{...d,children:[a("path",{d:"M-9 11v-22",fill:"none",stroke:C,"stroke-width":"1.6"}),a("path",{d:"M-9-10c6-3 12 3 19 0v10c-7 3-13-3-19 0z",fill:"#e2b13a"})]}),chequered_flag:f("g",{...d,children:[a("path",{d:"M-9 11v-22",fill:"none",stroke:C,"stroke-width":"1.6"}),a("path",{d:"M-9-10H9V2H-9z",fill:"#fff"}),a("path",{d:"M-9-10h6v4h-6zM3-10h6v4H3zM-3-6h6v4h-6zM-9-2h6v4h-6zM3-2h6v4H3z",fill:"#222",stroke:"none"})]}),value_marker:a("path",{d:"M0-11 9 2H4v8h-8V2h-5z",fill:"#f2c230",...d}),flower:a(Aa,{n:5})};function Aa({n:t}){return f("g",{...d,children:[Array.from({length:t},(e,s)=>a("ellipse",{cy:"-6.5",rx:t>6?2.4:t>4?4:4.6,ry:"5",fill:"#fff",transform:`rotate(${s*360/t})`},`${s}`)),a("circle",{r:"3",fill:"#e0a92e"})]})}var Ea={yellow:9,blue:5,red:6,white:4},Da={yellow:"#f4c824",blue:"#5b93dc",red:"#dd4a45",white:"#fffdf6"};function Z({of:t,radius:e}){let s=Ea[t]??5,o=s>6?2.7:s>5?3.3:s>4?4.2:5;return f("g",{transform:`scale(${e/12})`,stroke:"#3b3226","stroke-width":"1",children:[Array.from({length:s},(n,c)=>a("ellipse",{cy:"-7",rx:o,ry:"5",fill:Da[t]??"#fff",transform:`rotate(${c*360/s})`},`${c}`)),a("circle",{r:"3.6",fill:t==="yellow"?"#7a4e1c":"#f2c230"})]})}var S="#5c3a22",H="#8fc2d0",Y="#b9512f",Ga={casino:f("g",{...d,children:[a("path",{d:"M-11 10V-3H11v13z",fill:"#e58f9d"}),a("path",{d:"M-8-3c0-8 16-8 16 0z",fill:"#8e2f4f"}),a("path",{d:ca,transform:"translate(0 -5.6) scale(.35)",fill:"#ffe08a"}),v([-8,8],0,3.5,5,H),a("path",{d:"M-3 10V3a3 3 0 0 1 6 0v7z",fill:S}),a("g",{fill:"#ffe08a",children:[-9,-6,-3,0,3,6,9].map(t=>a("circle",{cx:t,cy:"-2",r:".9"},t))})]}),bank:f("g",{...d,children:[a("path",{d:"M-12-2 0-10 12-2z",fill:"#d9cfb6"}),a("circle",{cy:"-4.5",r:"1.9",fill:"#f2c230"}),a("path",{d:"M-10-2h20v10h-20z",fill:"#b7a98a"}),v([-8,-3,3,8],-2,2.6,9,"#f4eedc"),a("path",{d:"M-12 7.5h24V10h-24z",fill:"#d9cfb6"}),a("path",{d:"M-1.3 1h2.6v6.5h-2.6z",fill:S})]}),church:f("g",{...d,children:[a("path",{d:"M-5-4h10v14H-5z",fill:"#f6e9c4"}),a("path",{d:"M-11 10V-6h6v16zM5 10V-6h6v16z",fill:"#f1dca6"}),a("path",{d:"M-11.5-6c0-5 7-5 7 0zM4.5-6c0-5 7-5 7 0z",fill:Y}),a("path",{d:"M-5-4 0-8l5 4z",fill:Y}),a("path",{d:"M0-12v4M-1.7-10.7h3.4",fill:"none","stroke-width":"1.3"}),a("circle",{cy:"-.5",r:"2",fill:H}),a("path",{d:"M-2.5 10V6a2.5 2.5 0 0 1 5 0v4z",fill:S}),v([-8,8],-3,2,4,H)]}),port_office:f("g",{...d,children:[a("path",{d:"M-11 10V0H3v10z",fill:"#7fb7c4"}),a("path",{d:"M-12 0h16l-3-4H-9z",fill:Y}),a("path",{d:"M4 10V-5h6v15z",fill:"#fbf7ec"}),a("path",{d:"M4-1h6v3H4zM4 5h6v3H4z",fill:"#c8402f"}),a("path",{d:"M3.5-5 7-11l3.5 6z",fill:"#c8402f"}),v([-8,0],2,3,4,"#fdf6e2"),a("path",{d:"M-6 10V3h4v7z",fill:S})]}),distillery:f("g",{...d,children:[a("path",{d:"M-11 10V-2l5 3v-3l5 3v-3l5 3v9z",fill:"#c98a4b"}),a("path",{d:"M4 10 5-11h4l1 21z",fill:"#a5502f"}),a("path",{d:"M5-8h4.2",fill:"none",stroke:"#fff"}),a("path",{d:"M8-12c3 0 3-2 4 0",fill:"none"}),v([-8.5,-4,.5],4,2.6,3,H),a("circle",{cx:"0",cy:"-6",r:"3",fill:"#d58f3a"}),a("path",{d:"M-3-6h6",fill:"none"})]}),tobacco_factory:f("g",{...d,children:[a("path",{d:"M-11 10V-5H11v15z",fill:"#d8a868"}),a("path",{d:"M-12-5h24l-2-4h-20z",fill:"#6b4526"}),v([-8,-3,3,8],-3,2.6,4,H),v([-8,8],4,2.6,4,H),a("path",{d:"M-3.5 10V4h7v6z",fill:S}),a("path",{d:"M-2-9C-4-13 3-13 5-11 3-8 0-8-2-9z",fill:"#5f9440"})]}),office:f("g",{...d,children:[a("path",{d:"M-9 10V-9H9v19z",fill:"#e9c877"}),a("path",{d:"M-10-9h20v-2h-20zM-10-1h20v-1.5h-20z",fill:"#fdf6e2"}),v([-6,0,6],-7,2.8,4,H),v([-6,6],2,2.8,4,H),a("path",{d:"M-2 10V2h4v8z",fill:S})]}),black_market:f("g",{...d,children:[a("path",{d:"M-10 10V-2h20v12z",fill:"#55475e"}),a("path",{d:"M-12-8h24v6c-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0z",fill:"#8f4a7d"}),a("path",{d:"M-6-8v6M6-8v6M0-8v6",fill:"none",stroke:"#f0d8ea"}),a("path",{d:"M-8 4h7v6h-7zM1 6h7v4H1z",fill:"#b98a57"}),a("circle",{cx:"4",cy:"2",r:"2",fill:"#f2c230"})]}),sawmill:f("g",{...d,children:[a("path",{d:"M-11 10V0L0-8 11 0v10z",fill:"#a9773f"}),a("path",{d:"M-12 1 0-9 12 1",fill:"none",stroke:"#5c3a22","stroke-width":"2.4"}),a("circle",{cy:"4",r:"5",fill:"#d7dadb","stroke-dasharray":"1.6 1","stroke-width":"1.6"}),a("circle",{cy:"4",r:"1.3",fill:"#555"}),a("path",{d:"M-11 9.5h22",fill:"none","stroke-width":"2"})]}),newspaper:f("g",{...d,children:[a("path",{d:"M-10 10V-10h20v20z",fill:"#f4efe2"}),a("path",{d:"M-8-8H8v4H-8z",fill:"#3b3226"}),a("path",{d:"M-8-1h7v6h-7z",fill:"#a9b8bd"}),a("path",{d:"M1-1h7M1 1.5h7M1 4h7M-8 7.5H8",fill:"none"})]}),cafe:f("g",{...d,children:[a("path",{d:"M-10 10V-7h20v17z",fill:"#8fc0a0"}),a("path",{d:"M-12-2-9-7H9l3 5z",fill:"#fdf6e2"}),a("path",{d:"M-7-7-9-2h4l1-5zM0-7h-1.5v5h3v-5zM7-7 9-2H5L4-7z",fill:"#c8402f"}),a("path",{d:"M-7 1h6v6h-6z",fill:H}),a("path",{d:"M2 10V1h5v9z",fill:S}),a("path",{d:"M-3-8c0-3 6-3 6 0zM-1-12c-1 1 1 1 0 2M1-12c-1 1 1 1 0 2",fill:"#fff"})]}),customs:f("g",{...d,children:[a("path",{d:"M-11 10V-4h22v14z",fill:"#cdbf9c"}),a("path",{d:"M-12-4 0-9l12 5z",fill:"#4d6f8c"}),a("path",{d:"M-7 10V3a3 3 0 0 1 6 0v7zM1 10V3a3 3 0 0 1 6 0v7z",fill:"#6e5a3b"}),a("path",{d:"M-12 6 12 1v2.4L-12 8.4z",fill:"#fff"}),a("path",{d:"M-9 5.4v2.4l4-.8V4.5zM-1 3.7v2.4l4-.8V2.8zM7 2v2.4l4-.8V1.2z",fill:"#c8402f"})]})},R={...qa,...Ia,...La,...Ra,...Ga};import{Fragment as da,jsx as x,jsxs as ha}from"/static/app/kit.js";var A=["sugar","citrus","tobacco","rum","cigars","wood"],E={pedro:["2","tobacco"],maria:["2","vp"],jose:["2","sugar_cane"],martinez:["3","peso"],conchita:["2","citrus"],miguel:["2","wood"],el_zorro:["mask","peso"],pablo:["1","chest"],alonso:["owner_marker","scales"],casino:["3","peso","⇄","1","vp"],bank:["+2","peso"],church:["+1","vp"],port_office:["◂","flag","▸"],distillery:["sugar_cane","▸","rum"],tobacco_factory:["tobacco","▸","cigars"],office:["die","−1","▸","2","vp"],black_market:["chest","⇄","chest"],sawmill:["wood","▸","vp","peso"],newspaper:["+1","peso","face_down"],cafe:["rum","cigars","▸","2","vp"],customs:["die","▸","0"]};function aa({of:t,size:e=26}){let s=c=>c in R?e*1.1:e*.62*c.length,n=-t.reduce((c,z)=>c+s(z),0)/2;return x(da,{children:t.map((c,z)=>{let P=n+s(c)/2;return n+=s(c),x("g",{transform:`translate(${P} 0)`,children:c in R?x(Ba,{name:c,radius:e/2}):x("text",{class:"santiago-number","font-size":e*.92,dy:".35em",children:c})},`${z} ${c}`)})})}function V({board:t},e){return Object.keys(t.places).filter(s=>t.places[s]?.kind===e)}function O({board:t},e){return t.catalogue.goods?.icons?.[e]??e}function ta({children:t,y:e,width:s}){return ha("g",{transform:`translate(0 ${e})`,class:"santiago-fine",children:[x("rect",{class:"santiago-ribbon",x:-s/2,y:"-14",width:s,height:"28",rx:"8"}),x(Fa,{box:[s-6,26],max:20,class:"santiago-name",children:t})]})}function F({scene:t,owner:e}){let s=t.sign(e);return ha(da,{children:[x("path",{class:"santiago-pawn",d:"M0-34a13 13 0 0 1 9 22c8 5 12 16 15 34h-48c3-18 7-29 15-34a13 13 0 0 1 9-22z",fill:fa(s.colour)}),x("circle",{cy:"7",r:"13",fill:fa("paper"),class:"santiago-edge"}),x("g",{transform:"translate(0 7)",children:x(ja,{sign:s,size:.85})})]})}import{Fragment as Ma,jsx as r,jsxs as k}from"/static/app/kit.js";function ga({scene:t}){let{view:e,says:s}=t;return k(Ma,{children:[k("g",{class:"santiago-ship",children:[r("path",{d:"M1180 130v110M1500 130v110",stroke:"#6b4526","stroke-width":"9"}),k("g",{class:"santiago-sails",children:[r("path",{d:"M1174 132C1150 160 1120 190 1112 232H1174z"}),r("path",{d:"M1188 132C1240 160 1300 176 1316 232H1188z"}),r("path",{d:"M1492 132C1440 160 1372 176 1352 232H1492z"}),r("path",{d:"M1508 132C1530 160 1552 196 1560 232H1508z"})]}),r("path",{d:"M1104 146Q1335 176 1566 146",fill:"none",stroke:"#6b4526","stroke-width":"3"}),r("path",{d:"M1078 238H1598L1548 388H1128z",fill:"#9a5b2c"}),r("path",{d:"M1078 238H1598L1592 258H1085z",fill:"#f4e3b8"}),r("path",{d:"M1107 324H1569M1118 354H1558",stroke:"#6b3d1c","stroke-width":"3",fill:"none"}),r("path",{d:"M1090 396q18-14 36 0t36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0",fill:"none",stroke:"#fff","stroke-width":"6",opacity:".8"})]}),r("g",{class:"santiago-fine",children:r(N,{box:[330,30],at:[1335,364],max:24,class:"santiago-on-hull",children:s.label("board.ship",{number:Math.min(e.ship_number,e.ships),ships:e.ships})})}),V(t,"flag").map((o,n)=>{let c=Na(t.tables,"value_track")[n]?.vp_per_good,z=e.value_index===n;return k(G,{at:o,children:[r("path",{class:"santiago-edge",d:"M-46-38H46V20L0 40-46 20z",fill:z?"#f2c230":b("paper")}),typeof c=="number"?r("text",{class:z?"santiago-number santiago-on-gold":"santiago-number","font-size":"50",dy:".3em",children:c}):r("path",{d:"M-36-30h18v16h-18zM0-30h18v16H0zM-18-14H0V2h-18zM18-14h18V2H18zM-36 2h18v12h-18zM0 2h18v16H0z",fill:z?"#2b2118":b("ink")}),r("title",{children:s.place(o)})]},o)}),A.slice(0,5).map(o=>k(G,{at:`die_${o}`,children:[r("rect",{class:"santiago-slot",x:"-44",y:"-44",width:"88",height:"88",rx:"12",fill:b("paper")}),r("g",{class:"santiago-faint",children:r(Q,{name:O(t,o),radius:28})}),e.left_out===o&&r("path",{class:"santiago-cross",d:"M-30-30 30 30M30-30-30 30"})]},o)),[...D(t,"demand"),...D(t,"rolled")].map(o=>r(Qa,{scene:t,piece:o},o.key)),V(t,"berth").map(o=>{let n=Number(o.slice(5));return k(G,{at:o,children:[r("circle",{class:"santiago-edge",r:"30",fill:b(n<e.ship_number?"sea":"paper")}),n<e.ship_number?r("path",{class:"santiago-gone",d:"M-13 1-4 11 14-10"}):r("text",{class:"santiago-number santiago-fine","font-size":"28",dy:".35em",children:n})]},o)}),D(t,"ship").map(o=>k(U,{of:o,shape:{circle:34},name:s.place(o.place),children:[r("circle",{class:"santiago-edge",r:"34",fill:"#f2c230"}),r(Q,{name:"ship",radius:28})]},o.key)),D(t,"value_marker").map(o=>k(U,{of:o,shape:{circle:22},name:s.label("board.value"),children:[r("title",{children:s.label("board.value")}),r("path",{class:"santiago-edge",d:"M0-18 20 12H-20z",fill:"#f2c230"})]},o.key))]})}function Qa({scene:t,piece:e}){let s=e.place.slice(4),o=e.count===0;return r(U,{of:e,shape:{rect:[86,86]},name:t.says.place(e.place),children:k("g",{class:o?"santiago-none":"",children:[r("rect",{class:"santiago-die",x:"-40",y:"-40",width:"80",height:"80",rx:"14",fill:b(s)}),r("circle",{r:"29",cx:"-5",cy:"-5",fill:b("paper")}),r("text",{class:"santiago-number","font-size":"50",x:"-5",y:"-5",dy:".35em",children:e.count}),r("circle",{class:"santiago-edge",r:"19",cx:"24",cy:"24",fill:b("paper")}),r("g",{transform:"translate(24 24)",children:r(Q,{name:O(t,s),radius:15})})]})})}function pa({scene:t}){let{says:e,view:s}=t;return k(Ma,{children:[A.map(o=>k(G,{at:`supply_${o}`,children:[r("rect",{class:"santiago-edge",x:"-40",y:"-125",width:"80",height:"250",rx:"10",fill:b("paper")}),r("path",{d:"M-40-115a10 10 0 0 1 10-10h60a10 10 0 0 1 10 10v15h-80z",class:"santiago-edge",fill:b(o)}),r("g",{class:"santiago-fine",children:r(N,{box:[80,46],at:[0,99],max:20,children:e.name("goods",o)})})]},o)),D(t,"good").map(o=>k(U,{of:o,shape:{rect:[74,190]},children:[k("g",{class:o.count===0?"santiago-none":"",children:[r("g",{transform:"translate(0 -58)",children:r(Q,{name:O(t,o.id??""),radius:32})}),r("text",{class:"santiago-number","font-size":"52",y:"6",dy:".35em",children:o.count})]}),Array.from({length:8},(n,c)=>r("rect",{class:c<(o.count??0)?"santiago-crate":"santiago-crate santiago-gap",x:-32+16.5*(c%4),y:40+17*Math.floor(c/4),width:"14",height:"14",rx:"3",fill:b(o.id??"ink")},`${c}`))]},o.key)),r("g",{class:"santiago-fine",children:r(N,{box:[300,28],at:[1335,574],max:20,class:"santiago-quiet",children:e.label("board.supply")})}),k(G,{at:"turns",children:[r("rect",{class:"santiago-edge",x:"-245",y:"-42",width:"490",height:"84",rx:"14",fill:b("paper")}),r("g",{class:"santiago-fine",children:r(N,{box:[300,40],at:[-70,0],max:22,children:e.place("turns")})}),r("text",{class:"santiago-number","font-size":"54",x:"150",dy:".35em",children:s.turns_done})]})]})}import{colour as q}from"/static/app/kit.js";import{jsx as M,jsxs as ma}from"/static/app/kit.js";function ka(){let t=(e,s)=>M("rect",{x:38+e,y:38+e,width:1004-2*e,height:924-2*e,rx:s});return ma("g",{class:"santiago-land",children:[M("rect",{width:"1600",height:"1000",rx:"18",fill:q("ground")}),M("path",{d:"M1092 0H1582a18 18 0 0 1 18 18V548H1092C1072 440 1060 380 1080 300S1074 120 1092 0z",fill:q("sea")}),M("path",{class:"santiago-surf",d:"M1092 0C1074 120 1100 220 1080 300S1072 440 1092 548"}),M("g",{class:"santiago-waves",children:[40,160,220,420,520].map((e,s)=>[1110,1230,1370,1480].map(o=>M("path",{d:`M${o+s%2*50} ${e}q9-9 18 0t18 0 18 0`},`${o} ${e}`)))}),M("g",{fill:q("street"),class:"santiago-kerb",children:t(0,242)}),M("g",{class:"santiago-lane",children:t(42,200)}),M("g",{fill:q("ground"),class:"santiago-kerb",children:t(84,158)}),[["yellow",-1,-1],["blue",1,-1],["red",1,1],["white",-1,1]].map(([e,s,o])=>M("path",{d:"M4 4H404V210A145 145 0 0 1 260 364H4z",transform:`translate(540 500) scale(${s} ${o})`,fill:q(`quarter_${e}`)},e)),[[560,80,0],[250,920,180],[545,920,180],[80,350,270],[80,640,270],[1e3,660,90],[250,80,0]].map(([e,s,o])=>M("path",{class:"santiago-arrow",d:"M-12-13 4 0-12 13M2-13 18 0 2 13",transform:`translate(${e} ${s}) rotate(${o})`},`${e} ${s}`)),[[34,44,1],[1030,60,.8],[36,950,1],[1040,950,.9]].map(([e,s,o])=>M("g",{transform:`translate(${e} ${s}) scale(${o})`,children:M(Ua,{})},`${e} ${s}`)),M("path",{d:"M1080 548H1600V982a18 18 0 0 1-18 18H1096C1060 900 1066 640 1080 548z",fill:q("street")}),M("path",{class:"santiago-planks",d:"M1079 548H1600M1076 566H1600"})]})}function Ua(){return ma("g",{class:"santiago-palm",children:[M("path",{d:"M-4 30C-2 10 0 0 2-10",stroke:"#8a6137","stroke-width":"7",fill:"none"}),[-160,-115,-65,-20,25,200].map(t=>M("path",{d:"M0 0C12-12 26-10 34 4 22-2 12-2 0 0z",fill:"#4f8f4a",transform:`translate(2 -10) rotate(${t})`},t))]})}import{colour as B,Icon as K,ofType as Ka,Piece as Wa,Place as W,SeatSign as Ja,Text as Xa}from"/static/app/kit.js";import{Fragment as la,jsx as h,jsxs as y}from"/static/app/kit.js";function ua(t,{owner:e,view:s,pieces:o}){let n=s,{says:c,board:z}=t,P=n.goods===null,j={pesos:n.pesos,vp:n.vp};return y(la,{children:[t.view.decider===e&&h("rect",{class:"santiago-deciding",x:"1",y:"1",width:"478",height:"168",rx:"14"}),Object.entries(j).map(([g,X])=>y(W,{at:g,children:[h(ea,{}),h("title",{children:c.place(g,!0)}),h("g",{transform:"translate(-28 0)",children:h(K,{name:g==="vp"?"vp":"peso",radius:22})}),h(Ya,{of:X,x:24})]},g)),y(W,{at:"markers",children:[h(ea,{}),h("title",{children:`${c.place("markers",!0)}: ${n.markers_left}`}),[0,1,2].map(g=>y("g",{transform:`translate(${34*(g-1)} 0)`,class:g<n.markers_left?"":"santiago-faint",children:[h("path",{class:"santiago-pole",d:"M-12-22V24"}),h("path",{class:"santiago-edge",d:"M-12-22h26l-4 11 4 11h-26z",fill:B("paper")}),h("g",{transform:"translate(-1 -11)",children:h(Ja,{sign:t.sign(e),size:.7})})]},g))]}),y(W,{at:"pawn",children:[h(ea,{}),h("title",{children:c.place("pawn",!0)}),n.pawn?y(la,{children:[h("g",{transform:"translate(0 -16)",children:h(K,{name:n.pawn,radius:16})}),h(Xa,{box:[100,34],at:[0,16],max:14,children:c.name("buildings",n.pawn)})]}):h("g",{transform:"scale(.8)",children:h(F,{scene:t,owner:e})})]}),A.map(g=>y(W,{at:`good_${g}`,children:[h("rect",{class:P?"santiago-edge santiago-screen":"santiago-edge",x:"-37",y:"-37",width:"74",height:"74",rx:"9",fill:P?"#b98a57":B("paper")}),h("title",{children:c.name("goods",g)}),P&&y(la,{children:[h("path",{class:"santiago-wicker",d:"M-37-22h74M-37-6h74M-37 10h74M-37 26h74M-22-37v74M0-37v74M22-37v74"}),y("g",{transform:"translate(0 -8)",children:[h("circle",{r:"19",fill:B("paper")}),h(K,{name:z.catalogue.goods?.icons?.[g]??g,radius:14})]}),h("text",{class:"santiago-number santiago-on-gold","font-size":"22",y:"26",dy:".3em",children:"?"})]})]},g)),Ka({pieces:o},"good").map(g=>h(Wa,{of:g,shape:{rect:[70,70]},children:y("g",{class:g.count===0?"santiago-none":"",children:[h("rect",{x:"-35",y:"27",width:"70",height:"8",rx:"4",fill:B(g.id??"ink"),class:"santiago-band"}),h("g",{transform:"translate(-14 -5)",children:h(K,{name:O(t,g.id??""),radius:20})}),h("text",{class:"santiago-number","font-size":"32",x:"20",y:"-5",dy:".35em",children:g.count})]})},g.key))]})}function ea(){return h("rect",{class:"santiago-edge",x:"-56",y:"-34",width:"112",height:"68",rx:"10",fill:B("paper")})}function Ya({of:t,x:e}){return t!==null?h("text",{class:"santiago-number","font-size":"36",x:e,dy:".35em",children:t}):y("g",{transform:`translate(${e} 0)`,children:[h("rect",{class:"santiago-edge",x:"-20",y:"-22",width:"40",height:"44",rx:"6",fill:"#b98a57"}),h("text",{class:"santiago-number santiago-on-gold","font-size":"26",dy:".35em",children:"?"})]})}import{colour as $,Icon as J,Piece as ia,rowOf as at,SeatSign as ya,Text as I}from"/static/app/kit.js";import{jsx as l,jsxs as m}from"/static/app/kit.js";var w={stroke:"#3b2a1c","stroke-width":2,"stroke-linejoin":"round","stroke-linecap":"round"};function _({skin:t,coat:e}){return m("g",{...w,children:[l("path",{d:"M-40 30C-36 14-22 11 0 11s36 3 40 19A50 50 0 0 1-40 30z",fill:e}),l("path",{d:"M-8 4h16v10c-4 7-12 7-16 0z",fill:t}),l("ellipse",{cy:"-8",rx:"16",ry:"19",fill:t}),m("g",{fill:"#2b1d13",stroke:"none",children:[l("circle",{cx:"-6",cy:"-9",r:"2"}),l("circle",{cx:"6",cy:"-9",r:"2"})]}),l("path",{d:"M0-7l-2 5h3",fill:"none","stroke-width":"1.5"})]})}var Za=()=>l("path",{d:"M-6 2q6 5 12 0",fill:"none",...w}),ba=({hair:t})=>l("path",{d:"M0 0c-4-2-9 0-11 3 4 1 8 1 11-1 3 2 7 2 11 1-2-3-7-5-11-3z",fill:t}),oa={pedro:m("g",{...w,children:[l(_,{skin:"#b9794a",coat:"#f3ead2"}),l(ba,{hair:"#2b1d13"}),l("path",{d:"M-32-18C-14-26 14-26 32-18 20-12-20-12-32-18z",fill:"#e9cf8c"}),l("path",{d:"M-16-22c0-22 32-22 32 0-10 3-22 3-32 0z",fill:"#f1dca2"}),l("path",{d:"M-16-24c10 3 22 3 32 0",fill:"none",stroke:"#5f9440","stroke-width":"4"}),l("path",{d:"M14 34C16 20 26 14 38 16c-2 12-10 20-24 18zM16 33l16-12",fill:"#5f9440"}),l("path",{d:"M5 5l14 4",stroke:"#6b4526","stroke-width":"4.5"})]}),maria:m("g",{...w,children:[l("path",{d:"M-20-6c-6-34 46-34 40 0 6 10 4 22 0 26h-40c-4-4-6-16 0-26z",fill:"#2a1a14"}),l(_,{skin:"#c58a5c",coat:"#d8403a"}),l("path",{d:"M-16-10c2-18 28-20 32 0-8-2-14-8-18-10-2 6-8 8-14 10z",fill:"#2a1a14"}),l("path",{d:"M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z",fill:"#c22f3d","stroke-width":"1"}),m("g",{transform:"translate(15 -20)","stroke-width":"1.2",children:[[0,72,144,216,288].map(t=>l("ellipse",{cy:"-6",rx:"4.5",ry:"6",fill:"#f2637a",transform:`rotate(${t})`},t)),l("circle",{r:"3",fill:"#f6d04d"})]}),l("path",{d:"M-36 30q6-8 12 0t12 0 12 0 12 0 12 0 12 0",fill:"none",stroke:"#fff3e2","stroke-width":"4"}),l("circle",{cx:"-17",cy:"2",r:"3",fill:"#f2c230"}),l("circle",{cx:"17",cy:"2",r:"3",fill:"#f2c230"})]}),jose:m("g",{...w,children:[l(_,{skin:"#8a5634",coat:"#6f9ec4"}),l(Za,{}),l("path",{d:"M-36-16C-20-26 20-26 36-16 22-8-22-8-36-16z",fill:"#d9b25c"}),l("path",{d:"M-14-20C-12-44 12-44 14-20c-8 3-20 3-28 0z",fill:"#e8c877"}),l("path",{d:"M-14-22c8 3 20 3 28 0",fill:"none",stroke:"#a4472c","stroke-width":"4"}),l("path",{d:"M-12 16-6 40M12 16 6 40",fill:"none",stroke:"#3d5f80","stroke-width":"5"}),l("path",{d:"M28 44 33-6M35 45 41 2",stroke:"#b5c46a","stroke-width":"5"}),l("path",{d:"M33-6c-4-8 4-10 6-14M41 2c2-6 6-6 6-12",fill:"none",stroke:"#6f9a3a","stroke-width":"4"})]}),martinez:m("g",{...w,children:[l(_,{skin:"#7a4a2c",coat:"#fbf5e4"}),l("path",{d:"M-15-12c0-8 4-14 15-14s15 6 15 14c-8-4-22-4-30 0z",fill:"#221710"}),l("path",{d:"M-7 1q7 8 14 0z",fill:"#fff"}),l("path",{d:"M-24-20C-10-26 10-26 24-20 14-16-14-16-24-20z",fill:"#2f4e7c"}),l("path",{d:"M-16-22c0-16 8-18 16-14 8-4 16-2 16 14-10 3-22 3-32 0z",fill:"#3c639c"}),l("path",{d:"M-12 40C-26 40-28 26-16 24c6-1 8-8 16-6 7 2 4 10 0 12-2 8-4 10-12 10z",fill:"#d08a3e"}),l("circle",{cx:"-9",cy:"30",r:"4",fill:"#3a2c22"}),l("path",{d:"M-3 24 36-2",fill:"none",stroke:"#5c3a22","stroke-width":"5"}),l("path",{d:"M-16 34 34 0",fill:"none",stroke:"#f4e8c8","stroke-width":"1"})]}),conchita:m("g",{...w,children:[l("path",{d:"M-19-8c-4 16-2 24 2 28h34c4-4 6-12 2-28z",fill:"#3c2415"}),l(_,{skin:"#d29b6b",coat:"#f6c84b"}),l("path",{d:"M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z",fill:"#b8323d","stroke-width":"1"}),l("path",{d:"M-18-14C-16-32 16-32 18-14c-10-6-26-6-36 0z",fill:"#2f8f82"}),l("path",{d:"M-24-26h48c-4 8-10 9-24 9s-20-1-24-9z",fill:"#b98a57"}),l("circle",{cx:"-12",cy:"-31",r:"7",fill:"#f0953a"}),l("circle",{cx:"12",cy:"-31",r:"7",fill:"#f0953a"}),l("circle",{cy:"-35",r:"8",fill:"#f5b13d"}),l("path",{d:"M0-43c2-5 8-5 10-3-3 4-7 4-10 3z",fill:"#5f9440"}),l("path",{d:"M-30 18C-14 34 14 34 30 18",fill:"none",stroke:"#fdf3dc","stroke-width":"5"})]}),miguel:m("g",{...w,children:[l(_,{skin:"#c08552",coat:"#b33a2e"}),l("path",{d:"M-16-8c-2 18 4 26 16 26s18-8 16-26c-4 8-10 8-16 8s-12 0-16-8z",fill:"#6b4020"}),l("path",{d:"M-6 6q6 4 12 0",fill:"none",stroke:"#f5dcc0"}),l("path",{d:"M-17-12C-18-36 18-36 17-12c-10-5-24-5-34 0z",fill:"#365c3d"}),l("path",{d:"M-17-14c10-5 24-5 34 0",fill:"none",stroke:"#26432c","stroke-width":"6"}),l("path",{d:"M-34 24h24M10 24h24M-22 14v26M22 14v26",fill:"none",stroke:"#6f1d18","stroke-width":"4"}),l("path",{d:"M27 46 37-16",stroke:"#9a6a3a","stroke-width":"5"}),l("path",{d:"M33-22c6-6 14-4 14-4 2 10 0 18-4 22-4-6-8-6-11-6z",fill:"#c9d0d4"})]}),el_zorro:m("g",{...w,children:[l("path",{d:"M-40 34C-34 4-20 0-14 4h28c6-4 20 0 26 30A50 50 0 0 1-40 34z",fill:"#2a2430"}),l(_,{skin:"#d6a877",coat:"#37303f"}),l("path",{d:"M-17-12c8-4 26-4 34 0v7c-4 4-10 4-13-1-2-2-6-2-8 0-3 5-9 5-13 1z",fill:"#17131b"}),l("circle",{cx:"-7",cy:"-8",r:"2.2",fill:"#fff",stroke:"none"}),l("circle",{cx:"7",cy:"-8",r:"2.2",fill:"#fff",stroke:"none"}),l("path",{d:"M-7 3q10 5 13-3",fill:"none"}),l("path",{d:"M-8-1q8-4 16 0",fill:"none","stroke-width":"3"}),l("path",{d:"M-36-18C-20-26 20-26 36-18 22-13-22-13-36-18z",fill:"#17131b"}),l("path",{d:"M-15-22c2-18 28-18 30 0-10 3-20 3-30 0z",fill:"#17131b"}),l("path",{d:"M-15-23c10 3 20 3 30 0",fill:"none",stroke:"#c8402f","stroke-width":"3"}),l("circle",{cx:"27",cy:"28",r:"9",fill:"#f2c230"}),l("path",{d:"M23 24h8l-8 8h8",fill:"none",stroke:"#6b4a08"})]}),pablo:m("g",{...w,children:[l(_,{skin:"#b57a4c",coat:"#4d5f4a"}),l("path",{d:"M-16-2c2 14 8 17 16 17s14-3 16-17c-4 6-28 6-32 0z",fill:"#4a3423",opacity:".55",stroke:"none"}),l("path",{d:"M-5 5q6 2 11-3",fill:"none"}),l("path",{d:"M-19-14c0-20 38-20 38 0-12-4-26-4-38 0z",fill:"#7d6b50"}),l("path",{d:"M-19-14c12-5 28-4 44 2-8 4-30 2-44-2z",fill:"#63533c"}),l("path",{d:"M-26 14 0 34l26-20",fill:"none",stroke:"#2e3a2c","stroke-width":"4"}),l("path",{d:"M-4 26h26v20l-8 3h-18z",fill:"#b98a57"}),l("path",{d:"M-4 33h26M9 26v22",fill:"none"}),l("path",{d:"M-13-9h9M4-9h9",fill:"none",stroke:"#2b1d13","stroke-width":"3"})]}),alonso:m("g",{...w,children:[l(_,{skin:"#e2b98e",coat:"#28303f"}),l("path",{d:"M-10 11 0 32l10-21z",fill:"#fdf8ea"}),l("path",{d:"M-4 16h8L2 20l3 16-5 6-5-6 3-16z",fill:"#8c3b1d"}),l("path",{d:"M-17-8c-2-24 10-22 17-20 8-2 19-2 17 20-2-8-6-12-8-14-8 4-14 4-20 2-4 2-5 8-6 12z",fill:"#8d8880"}),m("g",{fill:"#eaf6fa","fill-opacity":".6","stroke-width":"1.8",children:[l("circle",{cx:"-7",cy:"-9",r:"5.5"}),l("circle",{cx:"7",cy:"-9",r:"5.5"}),l("path",{d:"M-1.5-9h3"})]}),l(ba,{hair:"#8d8880"}),l("path",{d:"M20 22h18v20H20z",fill:"#f4ecd6"}),l("path",{d:"M24 28h10M24 33h10",fill:"none","stroke-width":"1.5"}),l("circle",{cx:"33",cy:"39",r:"3.5",fill:"#b3322b","stroke-width":"1"})]})};import{Fragment as sa,jsx as i,jsxs as u}from"/static/app/kit.js";function wa({scene:t}){let{places:e}=t.board;return i(sa,{children:V(t,"stop").map((s,o)=>u("g",{transform:`translate(${e[s]?.x} ${e[s]?.y})`,children:[i("rect",{class:t.view.car===o?"santiago-stop santiago-here":"santiago-stop",x:"-56",y:"-56",width:"112",height:"112",rx:o===0?26:56,fill:$(o===0?"sea":"paper")}),o===0&&u(sa,{children:[i("g",{transform:"translate(0 -12)",children:i(J,{name:"anchor",radius:32})}),i(ta,{y:38,width:108,children:t.says.label("board.harbour")})]})]},s))})}function za({scene:t,piece:e}){let s=e.id??"",o=e.type==="citizen_face_down",n=at(t.tables,"citizens",s)?.flower;return u(ia,{of:e,shape:{circle:58},class:`santiago-has-${s}`,children:[i("circle",{r:"51",fill:o?"#58747a":$(n?`quarter_${n}`:"ground")}),i("g",{class:o?"santiago-asleep":"",children:oa[s]}),i("circle",{class:"santiago-rim",r:"49",stroke:o?"#58747a":$(n?`flower_${n}`:"street")}),i("circle",{class:"santiago-edge",r:"52",fill:"none"}),o&&u("g",{children:[i("path",{class:"santiago-shutters",d:"M-38-26H38M-46-10H46M-48 6H48M-44 22H44"}),i("title",{children:t.says.label("board.inactive")})]}),n&&u("g",{transform:"translate(-42 -38)",children:[i("circle",{class:"santiago-edge",r:"19",fill:$("paper")}),i(Z,{of:n,radius:16})]}),!o&&u("g",{transform:"translate(38 -36)",class:"santiago-fine",children:[i("rect",{class:"santiago-edge",x:"-27",y:"-17",width:"54",height:"34",rx:"17",fill:$("paper")}),i(aa,{of:E[s]??[],size:26})]}),i(ta,{y:42,width:112,children:t.says.name("citizens",s)})]})}function xa({scene:t,piece:e}){let s=e.id??"",o=t.view.buildings.find(({building:n})=>n===s)?.flower??"white";return u(ia,{of:e,shape:{rect:[174,162]},class:`santiago-has-${s}`,children:[i("rect",{class:"santiago-card",x:"-82",y:"-76",width:"164",height:"152",rx:"9",fill:$("paper")}),i("path",{class:"santiago-sky",d:"M-82-67a9 9 0 0 1 9-9H73a9 9 0 0 1 9 9V-9H-82z",fill:$(`flower_${o}`)}),i("path",{d:"M-82-9H82",class:"santiago-pavement"}),i("g",{class:"santiago-facade",children:i(J,{name:s,radius:37})}),i("g",{transform:"translate(64 -25)",children:i(Z,{of:o,radius:13})}),i("g",{class:"santiago-fine",children:i(I,{box:[140,46],at:[0,14],max:20,class:"santiago-name",children:t.says.name("buildings",s)})}),i("g",{transform:"translate(0 55)",class:"santiago-fine",children:i(aa,{of:E[s]??[],size:29})})]})}var tt=[90,118,180,180,242,270,298,0,0,62];function va({scene:t,piece:e}){let s=tt[t.view.car]??0,[o,n]=[Math.cos(s*Math.PI/180),Math.sin(s*Math.PI/180)],c=t.board.places[e.place];return u(ia,{of:e,at:[(c?.x??0)-98*o,(c?.y??0)-98*n],shape:{circle:44},name:t.says.label("board.car"),children:[i("title",{children:t.says.label("board.car")}),u("g",{transform:`rotate(${s})`,class:"santiago-car",children:[i("path",{d:"M-30-25h13v8h-13zM17-25h13v8H17zM-30 17h13v8h-13zM17 17h13v8H17z",fill:"#2a2522"}),i("path",{d:"M-44-16c0-5 4-6 8-6h70c8 0 12 8 12 22S42 22 34 22h-70c-4 0-8-1-8-6z",fill:"#d8402f"}),i("path",{d:"M14-17h26c4 8 4 26 0 34H14z",fill:"#ef6a52"}),i("path",{d:"M8-17c6 8 6 26 0 34l-7-3c4-8 4-20 0-28z",fill:"#bfe0ea"}),i("path",{d:"M-30-15H-2c3 8 3 22 0 30h-28z",fill:"#f6e9cf"}),i("path",{d:"M-14-15v30",fill:"none"}),i("path",{d:"M-41-14v8M-41 6v8",stroke:"#ffdf6b","stroke-width":"4"}),i("path",{d:"M43-14v7M43 7v7",stroke:"#fff7cf","stroke-width":"4"})]})]})}function Ha({scene:t}){let{view:e,says:s}=t,{decider:o,active:n,phase:c}=e,P=(["roll_demand","choose_demand"].includes(c)||e.end_reason==="turn_limit")&&e.turns_done?e.turns_done:e.turns_done+1,j=new Set(e.loading?.passed),g=new Set(e.tribute_queue),X=e.end_reason?s.label(`reason.${e.end_reason}`):o===null?s.label("board.nature"):s.label(`decision.${c}`);return u("g",{transform:"translate(540 500)",class:"santiago-plaza",children:[i("rect",{class:"santiago-card",x:"-176",y:"-158",width:"352",height:"316",rx:"22",fill:$("paper")}),i("rect",{class:"santiago-tiles",x:"-166",y:"-148",width:"332",height:"296",rx:"15"}),i("g",{class:"santiago-fine",children:i(I,{box:[300,30],at:[0,-122],max:22,class:"santiago-quiet",children:s.label("board.turn",{number:P})})}),o!==null&&!e.end_reason?u(sa,{children:[i("g",{transform:"translate(0 -68)",children:i(ya,{sign:t.sign(o),size:2.6})}),i("g",{class:"santiago-fine",children:i(I,{box:[300,34],at:[0,-10],max:26,class:"santiago-name",children:s.owner(o)})})]}):i("g",{transform:"translate(0 -50)",children:i(J,{name:e.end_reason?"ship":"die",radius:40})}),i("g",{class:"santiago-fine",children:i(I,{box:[310,76],at:[0,42],max:26,children:X})}),i("path",{class:"santiago-pavement",d:"M-140 84H140"}),t.mats.map(({owner:T},Ta)=>u("g",{transform:`translate(${62*(Ta-(t.mats.length-1)/2)} 120)`,class:j.has(T)?"santiago-out":"",children:[(T===n||g.has(T))&&i("circle",{class:T===n?"santiago-turn":"santiago-queue",r:"25"}),i(ya,{sign:t.sign(T),size:1.3}),j.has(T)&&i("path",{class:"santiago-cross",d:"M-15-15 15 15M15-15-15 15"})]},T))]})}function _a({scene:t}){let{says:e,view:s}=t,o=[...s.buildings.map(({building:n})=>["buildings",n]),...s.street.flatMap(({citizen:n})=>n?[["citizens",n]]:[])];return i("g",{class:"santiago-cards",children:o.map(([n,c])=>u("g",{class:`santiago-large santiago-large-${c}`,children:[i("rect",{class:"santiago-card",x:"-176",y:"-158",width:"352",height:"316",rx:"22",fill:$("paper")}),i("g",{transform:n==="citizens"?"translate(0 -82) scale(1.3)":"translate(0 -88)",children:n==="citizens"?oa[c]:i(J,{name:c,radius:56})}),i(I,{box:[320,34],at:[0,-4],max:26,class:"santiago-name",children:e.name(n,c)}),i(I,{box:[326,130],at:[0,82],max:26,children:e.text(n,c)})]},c))})}import{Fragment as it,jsx as p,jsxs as ra}from"/static/app/kit.js";function lt(t){return ra(it,{children:[p(ka,{}),p(wa,{scene:t}),V(t,"site").map(e=>p(Pa,{at:e,children:p("rect",{class:"santiago-lot",x:"-87",y:"-81",width:"174",height:"162",rx:"12",fill:$a(t.board.places[e]?.colour??"city")})},e)),p(Ha,{scene:t}),p(ga,{scene:t}),p(pa,{scene:t}),L(t,"building").map(e=>p(xa,{scene:t,piece:e},e.key)),[...L(t,"citizen"),...L(t,"citizen_face_down")].map(e=>p(za,{scene:t,piece:e},e.key)),V(t,"stop").map((e,s)=>{let o=t.view.street[s]?.citizen;return p(Pa,{at:e,class:o?`santiago-has-${o}`:"",children:p("title",{children:o?t.says.name("citizens",o):t.says.place(e)})},e)}),L(t,"owner_marker").map(e=>ra(Va,{of:e,shape:{circle:24},name:t.says.owner(e.owner??0),children:[p("title",{children:t.says.label("board.owner",{seat:e.owner})}),p("path",{class:"santiago-pole",d:"M-18-24V26"}),p("path",{class:"santiago-edge",d:"M-18-23H20l-7 16 7 16h-38z",fill:$a("paper")}),p("g",{transform:"translate(-3 -7)",children:p(et,{sign:t.sign(e.owner??0),size:1.05})})]},e.key)),L(t,"pawn").map(e=>ra(Va,{of:e,shape:{circle:28},name:t.says.owner(e.owner??0),children:[p("title",{children:t.says.label("board.pawn",{seat:e.owner})}),p(F,{scene:t,owner:e.owner??0})]},e.key)),L(t,"car").map(e=>p(va,{scene:t,piece:e},e.key)),p(_a,{scene:t})]})}var ot=Object.keys(E).map(t=>`.board:has(.santiago-has-${t}:hover) .santiago-large-${t},.board:has(.santiago-has-${t}:focus-visible) .santiago-large-${t}`).join(","),st={icons:R,draw:lt,mat:ua,style:`${na}${ot}{visibility:visible;opacity:1;transition-delay:.25s}`},Bt=st;export{Bt as default};
