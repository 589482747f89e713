import{colour as d,Icon as M,ofType as k,Piece as w,Place as b,rowOf as ra,SeatSign as T,Text as m}from"/static/app/kit.js";var B=`.santiago-edge,
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
`;import{colour as J}from"/static/app/kit.js";import{jsx as t,jsxs as f}from"/static/app/kit.js";var V=J("ink"),h={stroke:"#33281d","stroke-width":.9,"stroke-linejoin":"round","stroke-linecap":"round"},X={...h,stroke:V,fill:"none"},F="M0-8l2.1 5.2 5.6.4-4.3 3.6 1.4 5.5L0 3.7l-4.8 3 1.4-5.5-4.3-3.6 5.6-.4z";function z(e,l,o,i,r){return e.map(c=>t("rect",{x:c-o/2,y:l,width:o,height:i,fill:r},c))}var Y={sugar_cane:f("g",{...h,children:[t("path",{d:"M-7 11-4-9h4l-2 20z",fill:"#d9dfa0"}),t("path",{d:"M-1 11 1-10h4L4 11z",fill:"#eef0c8"}),t("path",{d:"M5 11 6-6l3 1L8 11z",fill:"#c3cc7e"}),t("path",{d:"M-6.4 5h4.9M-5.6-1h4.9M-.4 6h4.9M0 0h4.9M.6-5h4.3M5.3 4h3M5.7-1h3",fill:"none"}),t("path",{d:"M-3-8C-7-12-10-9-11-5c3-1 6-1 8-3M4-9c3-4 6-3 8 1-4-1-6 0-8-1",fill:"#7fa848"})]}),citrus:f("g",{...h,children:[t("circle",{cx:"-2",cy:"1",r:"8.5",fill:"#f0953a"}),t("path",{d:"M-3-7C-1-12 5-12 8-9 4-5 0-5-3-7z",fill:"#6a9a3f"}),t("circle",{cx:"5",cy:"5",r:"6",fill:"#f7b45c"}),t("circle",{cx:"5",cy:"5",r:"4.4",fill:"#fde3ad",stroke:"none"}),t("path",{d:"M5 .6v8.8M1.2 2.8l7.6 4.4M8.8 2.8 1.2 7.2",fill:"none",stroke:"#f0953a"})]}),tobacco:f("g",{...h,children:[t("path",{d:"M-8 9C-12-3-3-12 9-10c2 12-5 20-17 19z",fill:"#5f9440"}),t("path",{d:"M-11 12 6-7M-6 6v-8M-6 6l8 1M-1 0v-7M-1 0l7 1",fill:"none",stroke:"#dcebc2"})]}),rum:f("g",{...h,children:[t("path",{d:"M-2-11h4v6c4 2 5 4 5 7v8c0 1-1 1-2 1H-5c-1 0-2 0-2-1V2c0-3 1-5 5-7z",fill:"#a8322d"}),t("path",{d:"M-2.5-11.5h5v3h-5z",fill:"#d9b26a"}),t("path",{d:"M-7 1.5H7V7H-7z",fill:"#f6e7bf"}),t("path",{d:"M-3 4.3h6",fill:"none"})]}),cigars:f("g",{...h,children:[f("g",{transform:"rotate(28)",children:[t("rect",{x:"-11",y:"-5",width:"21",height:"5",rx:"2.5",fill:"#7a4e2e"}),t("path",{d:"M-4-5h3v5h-3z",fill:"#d8a531"}),t("path",{d:"M8-5h1a2.5 2.5 0 0 1 0 5H8z",fill:"#e36a3a"})]}),f("g",{transform:"rotate(-24)",children:[t("rect",{x:"-11",y:"1",width:"21",height:"5",rx:"2.5",fill:"#5c3a22"}),t("path",{d:"M-4 1h3v5h-3z",fill:"#c8402f"}),t("path",{d:"M8 1h1a2.5 2.5 0 0 1 0 5H8z",fill:"#cfcac0"})]})]}),wood:t("g",{...h,children:[[-5.5,4.5],[5.5,4.5],[0,-4.8]].map(([e,l])=>f("g",{transform:`translate(${e} ${l})`,children:[t("circle",{r:"5.4",fill:"#8a5c32"}),t("circle",{r:"4",fill:"#e0b878",stroke:"none"}),t("circle",{r:"2",fill:"none",stroke:"#a87742"})]},e))})},Z={peso:f("g",{...h,children:[t("circle",{r:"11",fill:"#e8b93c"}),t("circle",{r:"8.5",fill:"#f6d876",stroke:"#b4841c"}),t("path",{d:"M3.5-3.5C2-5.5-3.5-5-3.5-2S3.5 0 3.5 2.7-2.5 5.5-3.5 3.5M0-6.5v13",fill:"none",stroke:"#6b4a08","stroke-width":"1.7"})]}),vp:f("g",{...h,children:[t("circle",{r:"11",fill:"#7b3f8c"}),t("circle",{r:"9",fill:"none",stroke:"#e9d3f0","stroke-dasharray":"3 2.6","stroke-width":"1.4"}),t("path",{d:F,fill:"#ffe9a8",stroke:"none",transform:"scale(.8)"})]}),die:f("g",{...h,children:[t("rect",{x:"-9",y:"-9",width:"18",height:"18",rx:"3.5",fill:"#fdfaf2"}),f("g",{fill:"#3b3226",stroke:"none",children:[t("circle",{cx:"-4",cy:"-4",r:"2"}),t("circle",{r:"2"}),t("circle",{cx:"4",cy:"4",r:"2"})]})]}),chest:f("g",{...h,children:[t("path",{d:"M-10 0c0-10 20-10 20 0v9h-20z",fill:"#a06a35"}),t("path",{d:"M-10 0h20M-6-6v15M6-6v15",fill:"none",stroke:"#e0b04c","stroke-width":"1.6"}),t("rect",{x:"-2",y:"-2",width:"4",height:"5",fill:"#e8c45c"})]})},aa={dancer:t("path",{d:"M0-11a3 3 0 1 1 0 6c4 0 4 3 3 6l8 9H-11l8-9c-2-4-1-6 3-6z",fill:"#c8402f",...h}),guitar:f("g",{...h,transform:"rotate(40)",children:[t("path",{d:"M-1.2-12h2.4V0h-2.4z",fill:"#5c3a22"}),t("path",{d:"M0-3c5 0 3 4 4 5 5 4 2 10-4 10S-9 6-4 2c1-1-1-5 4-5z",fill:"#d08a3e"}),t("circle",{cy:"3",r:"1.8",fill:"#3a2c22"})]}),mask:t("path",{d:"M-11-4C-6-8-3-5 0-5s6-3 11 1c0 6-3 9-6 9S1 2 0 2s-2 3-5 3-6-3-6-9zM-7-2c1 3 4 3 5 0-1-2-4-2-5 0zM2-2c1 3 4 3 5 0-1-2-4-2-5 0z",fill:V,"fill-rule":"evenodd"}),scales:f("g",{...h,children:[t("path",{d:"M0-10V9M-8-7H8M-5 9.5H5",...X,"stroke-width":"1.6"}),t("path",{d:"M-8-7l-3.5 8h7zM8-7 4.5 1h7z",fill:"#e0b04c"})]}),face_down:f("g",{...h,children:[t("rect",{x:"-9",y:"-10",width:"18",height:"20",rx:"2",fill:"#3f6f74"}),[-7,-3.5,0,3.5,7].map(e=>t("path",{d:`M-7 ${e}H7`,stroke:"#9fc3c3",fill:"none"},e))]}),pawn:t("path",{d:"M0-11a5 5 0 0 1 3 9c3 3 4 8 5 13H-8c1-5 2-10 5-13a5 5 0 0 1 3-9z",fill:V}),owner_marker:f("g",{...h,children:[t("path",{d:"M-7 11v-22",fill:"none",stroke:V,"stroke-width":"1.8"}),t("path",{d:"M-7-10.5 10-6-7 0z",fill:"#f2ead2"})]})},ta={anchor:f("g",{fill:"none",stroke:V,"stroke-width":"2","stroke-linecap":"round",children:[t("circle",{cy:"-8",r:"2.5"}),t("path",{d:"M0-5.5V10M-5-2H5M-10 3c1 5 5 7 10 7s9-2 10-7M-10 3l-1 3M-10 3l3 1M10 3l1 3M10 3 7 4"})]}),car:f("g",{...h,children:[t("path",{d:"M-11 3c0-4 3-4 5-4l3-4h6l4 4c3 0 4 1 4 5z",fill:"#c8402f"}),t("circle",{cx:"-5.5",cy:"4",r:"2.5",fill:"#333"}),t("circle",{cx:"6",cy:"4",r:"2.5",fill:"#333"})]}),ship:f("g",{...h,children:[t("path",{d:"M-11 3h22L8 9H-8z",fill:"#9a5b2c"}),t("path",{d:"M0-11V3",fill:"none","stroke-width":"1.4"}),t("path",{d:"M1-10c8 3 9 8 8 11H1zM-1-8c-6 3-8 6-8 9h8z",fill:"#fdf6e2"})]}),flag:f("g",{...h,children:[t("path",{d:"M-9 11v-22",fill:"none",stroke:V,"stroke-width":"1.6"}),t("path",{d:"M-9-10c6-3 12 3 19 0v10c-7 3-13-3-19 0z",fill:"#e2b13a"})]}),chequered_flag:f("g",{...h,children:[t("path",{d:"M-9 11v-22",fill:"none",stroke:V,"stroke-width":"1.6"}),t("path",{d:"M-9-10H9V2H-9z",fill:"#fff"}),t("path",{d:"M-9-10h6v4h-6zM3-10h6v4H3zM-3-6h6v4h-6zM-9-2h6v4h-6zM3-2h6v4H3z",fill:"#222",stroke:"none"})]}),value_marker:t("path",{d:"M0-11 9 2H4v8h-8V2h-5z",fill:"#f2c230",...h}),flower:t(ea,{n:5})};function ea({n:e}){return f("g",{...h,children:[Array.from({length:e},(l,o)=>t("ellipse",{cy:"-6.5",rx:e>6?2.4:e>4?4:4.6,ry:"5",fill:"#fff",transform:`rotate(${o*360/e})`},`${o}`)),t("circle",{r:"3",fill:"#e0a92e"})]})}var la={yellow:9,blue:5,red:6,white:4},sa={yellow:"#f4c824",blue:"#5b93dc",red:"#dd4a45",white:"#fffdf6"};function R({of:e,radius:l}){let o=la[e]??5,i=o>6?2.7:o>5?3.3:o>4?4.2:5;return f("g",{transform:`scale(${l/12})`,stroke:"#3b3226","stroke-width":"1",children:[Array.from({length:o},(r,c)=>t("ellipse",{cy:"-7",rx:i,ry:"5",fill:sa[e]??"#fff",transform:`rotate(${c*360/o})`},`${c}`)),t("circle",{r:"3.6",fill:e==="yellow"?"#7a4e1c":"#f2c230"})]})}var _="#5c3a22",v="#8fc2d0",I="#b9512f",ia={casino:f("g",{...h,children:[t("path",{d:"M-11 10V-3H11v13z",fill:"#e58f9d"}),t("path",{d:"M-8-3c0-8 16-8 16 0z",fill:"#8e2f4f"}),t("path",{d:F,transform:"translate(0 -5.6) scale(.35)",fill:"#ffe08a"}),z([-8,8],0,3.5,5,v),t("path",{d:"M-3 10V3a3 3 0 0 1 6 0v7z",fill:_}),t("g",{fill:"#ffe08a",children:[-9,-6,-3,0,3,6,9].map(e=>t("circle",{cx:e,cy:"-2",r:".9"},e))})]}),bank:f("g",{...h,children:[t("path",{d:"M-12-2 0-10 12-2z",fill:"#d9cfb6"}),t("circle",{cy:"-4.5",r:"1.9",fill:"#f2c230"}),t("path",{d:"M-10-2h20v10h-20z",fill:"#b7a98a"}),z([-8,-3,3,8],-2,2.6,9,"#f4eedc"),t("path",{d:"M-12 7.5h24V10h-24z",fill:"#d9cfb6"}),t("path",{d:"M-1.3 1h2.6v6.5h-2.6z",fill:_})]}),church:f("g",{...h,children:[t("path",{d:"M-5-4h10v14H-5z",fill:"#f6e9c4"}),t("path",{d:"M-11 10V-6h6v16zM5 10V-6h6v16z",fill:"#f1dca6"}),t("path",{d:"M-11.5-6c0-5 7-5 7 0zM4.5-6c0-5 7-5 7 0z",fill:I}),t("path",{d:"M-5-4 0-8l5 4z",fill:I}),t("path",{d:"M0-12v4M-1.7-10.7h3.4",fill:"none","stroke-width":"1.3"}),t("circle",{cy:"-.5",r:"2",fill:v}),t("path",{d:"M-2.5 10V6a2.5 2.5 0 0 1 5 0v4z",fill:_}),z([-8,8],-3,2,4,v)]}),port_office:f("g",{...h,children:[t("path",{d:"M-11 10V0H3v10z",fill:"#7fb7c4"}),t("path",{d:"M-12 0h16l-3-4H-9z",fill:I}),t("path",{d:"M4 10V-5h6v15z",fill:"#fbf7ec"}),t("path",{d:"M4-1h6v3H4zM4 5h6v3H4z",fill:"#c8402f"}),t("path",{d:"M3.5-5 7-11l3.5 6z",fill:"#c8402f"}),z([-8,0],2,3,4,"#fdf6e2"),t("path",{d:"M-6 10V3h4v7z",fill:_})]}),distillery:f("g",{...h,children:[t("path",{d:"M-11 10V-2l5 3v-3l5 3v-3l5 3v9z",fill:"#c98a4b"}),t("path",{d:"M4 10 5-11h4l1 21z",fill:"#a5502f"}),t("path",{d:"M5-8h4.2",fill:"none",stroke:"#fff"}),t("path",{d:"M8-12c3 0 3-2 4 0",fill:"none"}),z([-8.5,-4,.5],4,2.6,3,v),t("circle",{cx:"0",cy:"-6",r:"3",fill:"#d58f3a"}),t("path",{d:"M-3-6h6",fill:"none"})]}),tobacco_factory:f("g",{...h,children:[t("path",{d:"M-11 10V-5H11v15z",fill:"#d8a868"}),t("path",{d:"M-12-5h24l-2-4h-20z",fill:"#6b4526"}),z([-8,-3,3,8],-3,2.6,4,v),z([-8,8],4,2.6,4,v),t("path",{d:"M-3.5 10V4h7v6z",fill:_}),t("path",{d:"M-2-9C-4-13 3-13 5-11 3-8 0-8-2-9z",fill:"#5f9440"})]}),office:f("g",{...h,children:[t("path",{d:"M-9 10V-9H9v19z",fill:"#e9c877"}),t("path",{d:"M-10-9h20v-2h-20zM-10-1h20v-1.5h-20z",fill:"#fdf6e2"}),z([-6,0,6],-7,2.8,4,v),z([-6,6],2,2.8,4,v),t("path",{d:"M-2 10V2h4v8z",fill:_})]}),black_market:f("g",{...h,children:[t("path",{d:"M-10 10V-2h20v12z",fill:"#55475e"}),t("path",{d:"M-12-8h24v6c-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0z",fill:"#8f4a7d"}),t("path",{d:"M-6-8v6M6-8v6M0-8v6",fill:"none",stroke:"#f0d8ea"}),t("path",{d:"M-8 4h7v6h-7zM1 6h7v4H1z",fill:"#b98a57"}),t("circle",{cx:"4",cy:"2",r:"2",fill:"#f2c230"})]}),sawmill:f("g",{...h,children:[t("path",{d:"M-11 10V0L0-8 11 0v10z",fill:"#a9773f"}),t("path",{d:"M-12 1 0-9 12 1",fill:"none",stroke:"#5c3a22","stroke-width":"2.4"}),t("circle",{cy:"4",r:"5",fill:"#d7dadb","stroke-dasharray":"1.6 1","stroke-width":"1.6"}),t("circle",{cy:"4",r:"1.3",fill:"#555"}),t("path",{d:"M-11 9.5h22",fill:"none","stroke-width":"2"})]}),newspaper:f("g",{...h,children:[t("path",{d:"M-10 10V-10h20v20z",fill:"#f4efe2"}),t("path",{d:"M-8-8H8v4H-8z",fill:"#3b3226"}),t("path",{d:"M-8-1h7v6h-7z",fill:"#a9b8bd"}),t("path",{d:"M1-1h7M1 1.5h7M1 4h7M-8 7.5H8",fill:"none"})]}),cafe:f("g",{...h,children:[t("path",{d:"M-10 10V-7h20v17z",fill:"#8fc0a0"}),t("path",{d:"M-12-2-9-7H9l3 5z",fill:"#fdf6e2"}),t("path",{d:"M-7-7-9-2h4l1-5zM0-7h-1.5v5h3v-5zM7-7 9-2H5L4-7z",fill:"#c8402f"}),t("path",{d:"M-7 1h6v6h-6z",fill:v}),t("path",{d:"M2 10V1h5v9z",fill:_}),t("path",{d:"M-3-8c0-3 6-3 6 0zM-1-12c-1 1 1 1 0 2M1-12c-1 1 1 1 0 2",fill:"#fff"})]}),customs:f("g",{...h,children:[t("path",{d:"M-11 10V-4h22v14z",fill:"#cdbf9c"}),t("path",{d:"M-12-4 0-9l12 5z",fill:"#4d6f8c"}),t("path",{d:"M-7 10V3a3 3 0 0 1 6 0v7zM1 10V3a3 3 0 0 1 6 0v7z",fill:"#6e5a3b"}),t("path",{d:"M-12 6 12 1v2.4L-12 8.4z",fill:"#fff"}),t("path",{d:"M-9 5.4v2.4l4-.8V4.5zM-1 3.7v2.4l4-.8V2.8zM7 2v2.4l4-.8V1.2z",fill:"#c8402f"})]})},S={...Y,...Z,...aa,...ta,...ia};import{jsx as s,jsxs as p}from"/static/app/kit.js";var u={stroke:"#3b2a1c","stroke-width":2,"stroke-linejoin":"round","stroke-linecap":"round"};function x({skin:e,coat:l}){return p("g",{...u,children:[s("path",{d:"M-40 30C-36 14-22 11 0 11s36 3 40 19A50 50 0 0 1-40 30z",fill:l}),s("path",{d:"M-8 4h16v10c-4 7-12 7-16 0z",fill:e}),s("ellipse",{cy:"-8",rx:"16",ry:"19",fill:e}),p("g",{fill:"#2b1d13",stroke:"none",children:[s("circle",{cx:"-6",cy:"-9",r:"2"}),s("circle",{cx:"6",cy:"-9",r:"2"})]}),s("path",{d:"M0-7l-2 5h3",fill:"none","stroke-width":"1.5"})]})}var oa=()=>s("path",{d:"M-6 2q6 5 12 0",fill:"none",...u}),G=({hair:e})=>s("path",{d:"M0 0c-4-2-9 0-11 3 4 1 8 1 11-1 3 2 7 2 11 1-2-3-7-5-11-3z",fill:e}),A={pedro:p("g",{...u,children:[s(x,{skin:"#b9794a",coat:"#f3ead2"}),s(G,{hair:"#2b1d13"}),s("path",{d:"M-32-18C-14-26 14-26 32-18 20-12-20-12-32-18z",fill:"#e9cf8c"}),s("path",{d:"M-16-22c0-22 32-22 32 0-10 3-22 3-32 0z",fill:"#f1dca2"}),s("path",{d:"M-16-24c10 3 22 3 32 0",fill:"none",stroke:"#5f9440","stroke-width":"4"}),s("path",{d:"M14 34C16 20 26 14 38 16c-2 12-10 20-24 18zM16 33l16-12",fill:"#5f9440"}),s("path",{d:"M5 5l14 4",stroke:"#6b4526","stroke-width":"4.5"})]}),maria:p("g",{...u,children:[s("path",{d:"M-20-6c-6-34 46-34 40 0 6 10 4 22 0 26h-40c-4-4-6-16 0-26z",fill:"#2a1a14"}),s(x,{skin:"#c58a5c",coat:"#d8403a"}),s("path",{d:"M-16-10c2-18 28-20 32 0-8-2-14-8-18-10-2 6-8 8-14 10z",fill:"#2a1a14"}),s("path",{d:"M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z",fill:"#c22f3d","stroke-width":"1"}),p("g",{transform:"translate(15 -20)","stroke-width":"1.2",children:[[0,72,144,216,288].map(e=>s("ellipse",{cy:"-6",rx:"4.5",ry:"6",fill:"#f2637a",transform:`rotate(${e})`},e)),s("circle",{r:"3",fill:"#f6d04d"})]}),s("path",{d:"M-36 30q6-8 12 0t12 0 12 0 12 0 12 0 12 0",fill:"none",stroke:"#fff3e2","stroke-width":"4"}),s("circle",{cx:"-17",cy:"2",r:"3",fill:"#f2c230"}),s("circle",{cx:"17",cy:"2",r:"3",fill:"#f2c230"})]}),jose:p("g",{...u,children:[s(x,{skin:"#8a5634",coat:"#6f9ec4"}),s(oa,{}),s("path",{d:"M-36-16C-20-26 20-26 36-16 22-8-22-8-36-16z",fill:"#d9b25c"}),s("path",{d:"M-14-20C-12-44 12-44 14-20c-8 3-20 3-28 0z",fill:"#e8c877"}),s("path",{d:"M-14-22c8 3 20 3 28 0",fill:"none",stroke:"#a4472c","stroke-width":"4"}),s("path",{d:"M-12 16-6 40M12 16 6 40",fill:"none",stroke:"#3d5f80","stroke-width":"5"}),s("path",{d:"M28 44 33-6M35 45 41 2",stroke:"#b5c46a","stroke-width":"5"}),s("path",{d:"M33-6c-4-8 4-10 6-14M41 2c2-6 6-6 6-12",fill:"none",stroke:"#6f9a3a","stroke-width":"4"})]}),martinez:p("g",{...u,children:[s(x,{skin:"#7a4a2c",coat:"#fbf5e4"}),s("path",{d:"M-15-12c0-8 4-14 15-14s15 6 15 14c-8-4-22-4-30 0z",fill:"#221710"}),s("path",{d:"M-7 1q7 8 14 0z",fill:"#fff"}),s("path",{d:"M-24-20C-10-26 10-26 24-20 14-16-14-16-24-20z",fill:"#2f4e7c"}),s("path",{d:"M-16-22c0-16 8-18 16-14 8-4 16-2 16 14-10 3-22 3-32 0z",fill:"#3c639c"}),s("path",{d:"M-12 40C-26 40-28 26-16 24c6-1 8-8 16-6 7 2 4 10 0 12-2 8-4 10-12 10z",fill:"#d08a3e"}),s("circle",{cx:"-9",cy:"30",r:"4",fill:"#3a2c22"}),s("path",{d:"M-3 24 36-2",fill:"none",stroke:"#5c3a22","stroke-width":"5"}),s("path",{d:"M-16 34 34 0",fill:"none",stroke:"#f4e8c8","stroke-width":"1"})]}),conchita:p("g",{...u,children:[s("path",{d:"M-19-8c-4 16-2 24 2 28h34c4-4 6-12 2-28z",fill:"#3c2415"}),s(x,{skin:"#d29b6b",coat:"#f6c84b"}),s("path",{d:"M-6 1c4-2 8-2 12 0-3 5-9 5-12 0z",fill:"#b8323d","stroke-width":"1"}),s("path",{d:"M-18-14C-16-32 16-32 18-14c-10-6-26-6-36 0z",fill:"#2f8f82"}),s("path",{d:"M-24-26h48c-4 8-10 9-24 9s-20-1-24-9z",fill:"#b98a57"}),s("circle",{cx:"-12",cy:"-31",r:"7",fill:"#f0953a"}),s("circle",{cx:"12",cy:"-31",r:"7",fill:"#f0953a"}),s("circle",{cy:"-35",r:"8",fill:"#f5b13d"}),s("path",{d:"M0-43c2-5 8-5 10-3-3 4-7 4-10 3z",fill:"#5f9440"}),s("path",{d:"M-30 18C-14 34 14 34 30 18",fill:"none",stroke:"#fdf3dc","stroke-width":"5"})]}),miguel:p("g",{...u,children:[s(x,{skin:"#c08552",coat:"#b33a2e"}),s("path",{d:"M-16-8c-2 18 4 26 16 26s18-8 16-26c-4 8-10 8-16 8s-12 0-16-8z",fill:"#6b4020"}),s("path",{d:"M-6 6q6 4 12 0",fill:"none",stroke:"#f5dcc0"}),s("path",{d:"M-17-12C-18-36 18-36 17-12c-10-5-24-5-34 0z",fill:"#365c3d"}),s("path",{d:"M-17-14c10-5 24-5 34 0",fill:"none",stroke:"#26432c","stroke-width":"6"}),s("path",{d:"M-34 24h24M10 24h24M-22 14v26M22 14v26",fill:"none",stroke:"#6f1d18","stroke-width":"4"}),s("path",{d:"M27 46 37-16",stroke:"#9a6a3a","stroke-width":"5"}),s("path",{d:"M33-22c6-6 14-4 14-4 2 10 0 18-4 22-4-6-8-6-11-6z",fill:"#c9d0d4"})]}),el_zorro:p("g",{...u,children:[s("path",{d:"M-40 34C-34 4-20 0-14 4h28c6-4 20 0 26 30A50 50 0 0 1-40 34z",fill:"#2a2430"}),s(x,{skin:"#d6a877",coat:"#37303f"}),s("path",{d:"M-17-12c8-4 26-4 34 0v7c-4 4-10 4-13-1-2-2-6-2-8 0-3 5-9 5-13 1z",fill:"#17131b"}),s("circle",{cx:"-7",cy:"-8",r:"2.2",fill:"#fff",stroke:"none"}),s("circle",{cx:"7",cy:"-8",r:"2.2",fill:"#fff",stroke:"none"}),s("path",{d:"M-7 3q10 5 13-3",fill:"none"}),s("path",{d:"M-8-1q8-4 16 0",fill:"none","stroke-width":"3"}),s("path",{d:"M-36-18C-20-26 20-26 36-18 22-13-22-13-36-18z",fill:"#17131b"}),s("path",{d:"M-15-22c2-18 28-18 30 0-10 3-20 3-30 0z",fill:"#17131b"}),s("path",{d:"M-15-23c10 3 20 3 30 0",fill:"none",stroke:"#c8402f","stroke-width":"3"}),s("circle",{cx:"27",cy:"28",r:"9",fill:"#f2c230"}),s("path",{d:"M23 24h8l-8 8h8",fill:"none",stroke:"#6b4a08"})]}),pablo:p("g",{...u,children:[s(x,{skin:"#b57a4c",coat:"#4d5f4a"}),s("path",{d:"M-16-2c2 14 8 17 16 17s14-3 16-17c-4 6-28 6-32 0z",fill:"#4a3423",opacity:".55",stroke:"none"}),s("path",{d:"M-5 5q6 2 11-3",fill:"none"}),s("path",{d:"M-19-14c0-20 38-20 38 0-12-4-26-4-38 0z",fill:"#7d6b50"}),s("path",{d:"M-19-14c12-5 28-4 44 2-8 4-30 2-44-2z",fill:"#63533c"}),s("path",{d:"M-26 14 0 34l26-20",fill:"none",stroke:"#2e3a2c","stroke-width":"4"}),s("path",{d:"M-4 26h26v20l-8 3h-18z",fill:"#b98a57"}),s("path",{d:"M-4 33h26M9 26v22",fill:"none"}),s("path",{d:"M-13-9h9M4-9h9",fill:"none",stroke:"#2b1d13","stroke-width":"3"})]}),alonso:p("g",{...u,children:[s(x,{skin:"#e2b98e",coat:"#28303f"}),s("path",{d:"M-10 11 0 32l10-21z",fill:"#fdf8ea"}),s("path",{d:"M-4 16h8L2 20l3 16-5 6-5-6 3-16z",fill:"#8c3b1d"}),s("path",{d:"M-17-8c-2-24 10-22 17-20 8-2 19-2 17 20-2-8-6-12-8-14-8 4-14 4-20 2-4 2-5 8-6 12z",fill:"#8d8880"}),p("g",{fill:"#eaf6fa","fill-opacity":".6","stroke-width":"1.8",children:[s("circle",{cx:"-7",cy:"-9",r:"5.5"}),s("circle",{cx:"7",cy:"-9",r:"5.5"}),s("path",{d:"M-1.5-9h3"})]}),s(G,{hair:"#8d8880"}),s("path",{d:"M20 22h18v20H20z",fill:"#f4ecd6"}),s("path",{d:"M24 28h10M24 33h10",fill:"none","stroke-width":"1.5"}),s("circle",{cx:"33",cy:"39",r:"3.5",fill:"#b3322b","stroke-width":"1"})]})};import{Fragment as y,jsx as a,jsxs as n}from"/static/app/kit.js";var j=["sugar","citrus","tobacco","rum","cigars","wood"],D={pedro:["2","tobacco"],maria:["2","vp"],jose:["2","sugar_cane"],martinez:["3","peso"],conchita:["2","citrus"],miguel:["2","wood"],el_zorro:["mask","peso"],pablo:["1","chest"],alonso:["owner_marker","scales"],casino:["3","peso","⇄","1","vp"],bank:["+2","peso"],church:["+1","vp"],port_office:["◂","flag","▸"],distillery:["sugar_cane","▸","rum"],tobacco_factory:["tobacco","▸","cigars"],office:["die","−1","▸","2","vp"],black_market:["chest","⇄","chest"],sawmill:["wood","▸","vp","peso"],newspaper:["+1","peso","face_down"],cafe:["rum","cigars","▸","2","vp"],customs:["die","▸","0"]},na=[90,118,180,180,242,270,298,0,0,62];function N({of:e,size:l=26}){let o=c=>c in S?l*1.1:l*.62*c.length,r=-e.reduce((c,P)=>c+o(P),0)/2;return a(y,{children:e.map((c,P)=>{let H=r+o(c)/2;return r+=o(c),a("g",{transform:`translate(${H} 0)`,children:c in S?a(M,{name:c,radius:l/2}):a("text",{class:"santiago-number","font-size":l*.92,dy:".35em",children:c})},`${P} ${c}`)})})}function q({board:e},l){return Object.keys(e.places).filter(o=>e.places[o]?.kind===l)}function ca(e){return n(y,{children:[a(fa,{}),a(ha,{scene:e}),q(e,"site").map(l=>a(b,{at:l,children:a("rect",{class:"santiago-lot",x:"-87",y:"-81",width:"174",height:"162",rx:"12",fill:d(e.board.places[l]?.colour??"city")})},l)),a(ka,{scene:e}),a(ma,{scene:e}),a(ba,{scene:e}),k(e,"building").map(l=>a(pa,{scene:e,piece:l},l.key)),[...k(e,"citizen"),...k(e,"citizen_face_down")].map(l=>a(ga,{scene:e,piece:l},l.key)),q(e,"stop").map((l,o)=>{let i=e.view.street[o]?.citizen;return a(b,{at:l,class:i?`santiago-has-${i}`:"",children:a("title",{children:i?e.says.name("citizens",i):e.says.place(l)})},l)}),k(e,"owner_marker").map(l=>n(w,{of:l,shape:{circle:24},name:e.says.owner(l.owner??0),children:[a("title",{children:e.says.label("board.owner",{seat:l.owner})}),a("path",{class:"santiago-pole",d:"M-18-24V26"}),a("path",{class:"santiago-edge",d:"M-18-23H20l-7 16 7 16h-38z",fill:d("paper")}),a("g",{transform:"translate(-3 -7)",children:a(T,{sign:e.sign(l.owner??0),size:1.05})})]},l.key)),k(e,"pawn").map(l=>n(w,{of:l,shape:{circle:28},name:e.says.owner(l.owner??0),children:[a("title",{children:e.says.label("board.pawn",{seat:l.owner})}),a(U,{scene:e,owner:l.owner??0})]},l.key)),k(e,"car").map(l=>a(Ma,{scene:e,piece:l},l.key)),a(ya,{scene:e})]})}function fa(){let e=(l,o)=>a("rect",{x:38+l,y:38+l,width:1004-2*l,height:924-2*l,rx:o});return n("g",{class:"santiago-land",children:[a("rect",{width:"1600",height:"1000",rx:"18",fill:d("ground")}),a("path",{d:"M1092 0H1582a18 18 0 0 1 18 18V548H1092C1072 440 1060 380 1080 300S1074 120 1092 0z",fill:d("sea")}),a("path",{class:"santiago-surf",d:"M1092 0C1074 120 1100 220 1080 300S1072 440 1092 548"}),a("g",{class:"santiago-waves",children:[40,160,220,420,520].map((l,o)=>[1110,1230,1370,1480].map(i=>a("path",{d:`M${i+o%2*50} ${l}q9-9 18 0t18 0 18 0`},`${i} ${l}`)))}),a("g",{fill:d("street"),class:"santiago-kerb",children:e(0,242)}),a("g",{class:"santiago-lane",children:e(42,200)}),a("g",{fill:d("ground"),class:"santiago-kerb",children:e(84,158)}),[["yellow",-1,-1],["blue",1,-1],["red",1,1],["white",-1,1]].map(([l,o,i])=>a("path",{d:"M4 4H404V210A145 145 0 0 1 260 364H4z",transform:`translate(540 500) scale(${o} ${i})`,fill:d(`quarter_${l}`)},l)),[[560,80,0],[250,920,180],[545,920,180],[80,350,270],[80,640,270],[1e3,660,90],[250,80,0]].map(([l,o,i])=>a("path",{class:"santiago-arrow",d:"M-12-13 4 0-12 13M2-13 18 0 2 13",transform:`translate(${l} ${o}) rotate(${i})`},`${l} ${o}`)),[[34,44,1],[1030,60,.8],[36,950,1],[1040,950,.9]].map(([l,o,i])=>a("g",{transform:`translate(${l} ${o}) scale(${i})`,children:a(da,{})},`${l} ${o}`)),a("path",{d:"M1080 548H1600V982a18 18 0 0 1-18 18H1096C1060 900 1066 640 1080 548z",fill:d("street")}),a("path",{class:"santiago-planks",d:"M1079 548H1600M1076 566H1600"})]})}function da(){return n("g",{class:"santiago-palm",children:[a("path",{d:"M-4 30C-2 10 0 0 2-10",stroke:"#8a6137","stroke-width":"7",fill:"none"}),[-160,-115,-65,-20,25,200].map(e=>a("path",{d:"M0 0C12-12 26-10 34 4 22-2 12-2 0 0z",fill:"#4f8f4a",transform:`translate(2 -10) rotate(${e})`},e))]})}function ha({scene:e}){let{places:l}=e.board;return a(y,{children:q(e,"stop").map((o,i)=>n("g",{transform:`translate(${l[o]?.x} ${l[o]?.y})`,children:[a("rect",{class:e.view.car===i?"santiago-stop santiago-here":"santiago-stop",x:"-56",y:"-56",width:"112",height:"112",rx:i===0?26:56,fill:d(i===0?"sea":"paper")}),i===0&&n(y,{children:[a("g",{transform:"translate(0 -12)",children:a(M,{name:"anchor",radius:32})}),a(Q,{y:38,width:108,children:e.says.label("board.harbour")})]})]},o))})}function Q({children:e,y:l,width:o}){return n("g",{transform:`translate(0 ${l})`,class:"santiago-fine",children:[a("rect",{class:"santiago-ribbon",x:-o/2,y:"-14",width:o,height:"28",rx:"8"}),a(m,{box:[o-6,26],max:20,class:"santiago-name",children:e})]})}function ga({scene:e,piece:l}){let o=l.id??"",i=l.type==="citizen_face_down",r=ra(e.tables,"citizens",o)?.flower;return n(w,{of:l,shape:{circle:58},class:`santiago-has-${o}`,children:[a("circle",{r:"51",fill:i?"#58747a":d(r?`quarter_${r}`:"ground")}),a("g",{class:i?"santiago-asleep":"",children:A[o]}),a("circle",{class:"santiago-rim",r:"49",stroke:i?"#58747a":d(r?`flower_${r}`:"street")}),a("circle",{class:"santiago-edge",r:"52",fill:"none"}),i&&n("g",{children:[a("path",{class:"santiago-shutters",d:"M-38-26H38M-46-10H46M-48 6H48M-44 22H44"}),a("title",{children:e.says.label("board.inactive")})]}),r&&n("g",{transform:"translate(-42 -38)",children:[a("circle",{class:"santiago-edge",r:"19",fill:d("paper")}),a(R,{of:r,radius:16})]}),!i&&n("g",{transform:"translate(38 -36)",class:"santiago-fine",children:[a("rect",{class:"santiago-edge",x:"-27",y:"-17",width:"54",height:"34",rx:"17",fill:d("paper")}),a(N,{of:D[o]??[],size:26})]}),a(Q,{y:42,width:112,children:e.says.name("citizens",o)})]})}function pa({scene:e,piece:l}){let o=l.id??"",i=e.view.buildings.find(({building:r})=>r===o)?.flower??"white";return n(w,{of:l,shape:{rect:[174,162]},class:`santiago-has-${o}`,children:[a("rect",{class:"santiago-card",x:"-82",y:"-76",width:"164",height:"152",rx:"9",fill:d("paper")}),a("path",{class:"santiago-sky",d:"M-82-67a9 9 0 0 1 9-9H73a9 9 0 0 1 9 9V-9H-82z",fill:d(`flower_${i}`)}),a("path",{d:"M-82-9H82",class:"santiago-pavement"}),a("g",{class:"santiago-facade",children:a(M,{name:o,radius:37})}),a("g",{transform:"translate(64 -25)",children:a(R,{of:i,radius:13})}),a("g",{class:"santiago-fine",children:a(m,{box:[140,46],at:[0,14],max:20,class:"santiago-name",children:e.says.name("buildings",o)})}),a("g",{transform:"translate(0 55)",class:"santiago-fine",children:a(N,{of:D[o]??[],size:29})})]})}function U({scene:e,owner:l}){let o=e.sign(l);return n(y,{children:[a("path",{class:"santiago-pawn",d:"M0-34a13 13 0 0 1 9 22c8 5 12 16 15 34h-48c3-18 7-29 15-34a13 13 0 0 1 9-22z",fill:d(o.colour)}),a("circle",{cy:"7",r:"13",fill:d("paper"),class:"santiago-edge"}),a("g",{transform:"translate(0 7)",children:a(T,{sign:o,size:.85})})]})}function Ma({scene:e,piece:l}){let o=na[e.view.car]??0,[i,r]=[Math.cos(o*Math.PI/180),Math.sin(o*Math.PI/180)],c=e.board.places[l.place];return n(w,{of:l,at:[(c?.x??0)-98*i,(c?.y??0)-98*r],shape:{circle:44},name:e.says.label("board.car"),children:[a("title",{children:e.says.label("board.car")}),n("g",{transform:`rotate(${o})`,class:"santiago-car",children:[a("path",{d:"M-30-25h13v8h-13zM17-25h13v8H17zM-30 17h13v8h-13zM17 17h13v8H17z",fill:"#2a2522"}),a("path",{d:"M-44-16c0-5 4-6 8-6h70c8 0 12 8 12 22S42 22 34 22h-70c-4 0-8-1-8-6z",fill:"#d8402f"}),a("path",{d:"M14-17h26c4 8 4 26 0 34H14z",fill:"#ef6a52"}),a("path",{d:"M8-17c6 8 6 26 0 34l-7-3c4-8 4-20 0-28z",fill:"#bfe0ea"}),a("path",{d:"M-30-15H-2c3 8 3 22 0 30h-28z",fill:"#f6e9cf"}),a("path",{d:"M-14-15v30",fill:"none"}),a("path",{d:"M-41-14v8M-41 6v8",stroke:"#ffdf6b","stroke-width":"4"}),a("path",{d:"M43-14v7M43 7v7",stroke:"#fff7cf","stroke-width":"4"})]})]})}function ka({scene:e}){let{view:l,says:o}=e,{decider:i,active:r,phase:c}=l,H=(["roll_demand","choose_demand"].includes(c)||l.end_reason==="turn_limit")&&l.turns_done?l.turns_done:l.turns_done+1,C=new Set(l.loading?.passed),g=new Set(l.tribute_queue),O=l.end_reason?o.label(`reason.${l.end_reason}`):i===null?o.label("board.nature"):o.label(`decision.${c}`);return n("g",{transform:"translate(540 500)",class:"santiago-plaza",children:[a("rect",{class:"santiago-card",x:"-176",y:"-158",width:"352",height:"316",rx:"22",fill:d("paper")}),a("rect",{class:"santiago-tiles",x:"-166",y:"-148",width:"332",height:"296",rx:"15"}),a("g",{class:"santiago-fine",children:a(m,{box:[300,30],at:[0,-122],max:22,class:"santiago-quiet",children:o.label("board.turn",{number:H})})}),i!==null&&!l.end_reason?n(y,{children:[a("g",{transform:"translate(0 -68)",children:a(T,{sign:e.sign(i),size:2.6})}),a("g",{class:"santiago-fine",children:a(m,{box:[300,34],at:[0,-10],max:26,class:"santiago-name",children:o.owner(i)})})]}):a("g",{transform:"translate(0 -50)",children:a(M,{name:l.end_reason?"ship":"die",radius:40})}),a("g",{class:"santiago-fine",children:a(m,{box:[310,76],at:[0,42],max:26,children:O})}),a("path",{class:"santiago-pavement",d:"M-140 84H140"}),e.mats.map(({owner:$},K)=>n("g",{transform:`translate(${62*(K-(e.mats.length-1)/2)} 120)`,class:C.has($)?"santiago-out":"",children:[($===r||g.has($))&&a("circle",{class:$===r?"santiago-turn":"santiago-queue",r:"25"}),a(T,{sign:e.sign($),size:1.3}),C.has($)&&a("path",{class:"santiago-cross",d:"M-15-15 15 15M15-15-15 15"})]},$))]})}function ma({scene:e}){let{view:l,says:o}=e;return n(y,{children:[n("g",{class:"santiago-ship",children:[a("path",{d:"M1180 130v110M1500 130v110",stroke:"#6b4526","stroke-width":"9"}),a("path",{d:"M1104 146Q1335 176 1566 146",fill:"none",stroke:"#6b4526","stroke-width":"3"}),a("path",{d:"M1078 238H1598L1548 388H1128z",fill:"#9a5b2c"}),a("path",{d:"M1078 238H1598L1592 258H1085z",fill:"#f4e3b8"}),a("path",{d:"M1107 324H1569M1118 354H1558",stroke:"#6b3d1c","stroke-width":"3",fill:"none"}),a("path",{d:"M1090 396q18-14 36 0t36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0",fill:"none",stroke:"#fff","stroke-width":"6",opacity:".8"})]}),a("g",{class:"santiago-fine",children:a(m,{box:[330,30],at:[1335,364],max:24,class:"santiago-on-hull",children:o.label("board.ship",{number:Math.min(l.ship_number,l.ships),ships:l.ships})})}),[2,3,4,0].map((i,r)=>n(b,{at:`flag_${r}`,children:[a("path",{class:"santiago-edge",d:"M-46-38H46V20L0 40-46 20z",fill:l.value_index===r?"#f2c230":d("paper")}),i>0?a("text",{class:l.value_index===r?"santiago-number santiago-on-gold":"santiago-number","font-size":"50",dy:".3em",children:i}):a("path",{d:"M-36-30h18v16h-18zM0-30h18v16H0zM-18-14H0V2h-18zM18-14h18V2H18zM-36 2h18v12h-18zM0 2h18v16H0z",fill:d("ink")}),a("title",{children:o.place(`flag_${r}`)})]},i)),j.slice(0,5).map(i=>n(b,{at:`die_${i}`,children:[a("rect",{class:"santiago-slot",x:"-44",y:"-44",width:"88",height:"88",rx:"12",fill:d("paper")}),a("g",{class:"santiago-faint",children:a(M,{name:L(e,i),radius:28})}),l.left_out===i&&a("path",{class:"santiago-cross",d:"M-30-30 30 30M30-30-30 30"})]},i)),[...k(e,"demand"),...k(e,"rolled")].map(i=>a(ua,{scene:e,piece:i},i.key)),q(e,"berth").map(i=>{let r=Number(i.slice(5));return n(b,{at:i,children:[a("circle",{class:"santiago-edge",r:"30",fill:d(r<l.ship_number?"sea":"paper")}),r<l.ship_number?a("path",{class:"santiago-gone",d:"M-13 1-4 11 14-10"}):a("text",{class:"santiago-number santiago-fine","font-size":"28",dy:".35em",children:r})]},i)}),k(e,"ship").map(i=>n(w,{of:i,shape:{circle:34},name:o.place(i.place),children:[a("circle",{class:"santiago-edge",r:"34",fill:"#f2c230"}),a(M,{name:"ship",radius:28})]},i.key)),k(e,"value_marker").map(i=>n(w,{of:i,shape:{circle:22},name:o.label("board.value"),children:[a("title",{children:o.label("board.value")}),a("path",{class:"santiago-edge",d:"M0-18 20 12H-20z",fill:"#f2c230"})]},i.key))]})}function L({board:e},l){return e.catalogue.goods?.icons?.[l]??l}function ua({scene:e,piece:l}){let o=l.place.slice(4),i=l.count===0;return a(w,{of:l,shape:{rect:[86,86]},name:e.says.place(l.place),children:n("g",{class:i?"santiago-none":"",children:[a("rect",{class:"santiago-die",x:"-40",y:"-40",width:"80",height:"80",rx:"14",fill:d(o)}),a("circle",{r:"29",cx:"-5",cy:"-5",fill:d("paper")}),a("text",{class:"santiago-number","font-size":"50",x:"-5",y:"-5",dy:".35em",children:l.count}),a("circle",{class:"santiago-edge",r:"19",cx:"24",cy:"24",fill:d("paper")}),a("g",{transform:"translate(24 24)",children:a(M,{name:L(e,o),radius:15})})]})})}function ba({scene:e}){let{says:l,view:o}=e;return n(y,{children:[j.map(i=>n(b,{at:`supply_${i}`,children:[a("rect",{class:"santiago-edge",x:"-40",y:"-125",width:"80",height:"250",rx:"10",fill:d("paper")}),a("path",{d:"M-40-115a10 10 0 0 1 10-10h60a10 10 0 0 1 10 10v15h-80z",class:"santiago-edge",fill:d(i)}),a("g",{class:"santiago-fine",children:a(m,{box:[80,46],at:[0,99],max:20,children:l.name("goods",i)})})]},i)),k(e,"good").map(i=>n(w,{of:i,shape:{rect:[74,190]},children:[n("g",{class:i.count===0?"santiago-none":"",children:[a("g",{transform:"translate(0 -58)",children:a(M,{name:L(e,i.id??""),radius:32})}),a("text",{class:"santiago-number","font-size":"52",y:"6",dy:".35em",children:i.count})]}),Array.from({length:8},(r,c)=>a("rect",{class:c<(i.count??0)?"santiago-crate":"santiago-crate santiago-gap",x:-32+16.5*(c%4),y:40+17*Math.floor(c/4),width:"14",height:"14",rx:"3",fill:d(i.id??"ink")},`${c}`))]},i.key)),a("g",{class:"santiago-fine",children:a(m,{box:[300,28],at:[1335,574],max:20,class:"santiago-quiet",children:l.label("board.supply")})}),n(b,{at:"turns",children:[a("rect",{class:"santiago-edge",x:"-245",y:"-42",width:"490",height:"84",rx:"14",fill:d("paper")}),a("g",{class:"santiago-fine",children:a(m,{box:[300,40],at:[-70,0],max:22,children:l.place("turns")})}),a("text",{class:"santiago-number","font-size":"54",x:"150",dy:".35em",children:o.turns_done})]})]})}function ya({scene:e}){let{says:l,view:o}=e,i=[...o.buildings.map(({building:r})=>["buildings",r]),...o.street.flatMap(({citizen:r})=>r?[["citizens",r]]:[])];return a("g",{class:"santiago-cards",children:i.map(([r,c])=>n("g",{class:`santiago-large santiago-large-${c}`,children:[a("rect",{class:"santiago-card",x:"-176",y:"-158",width:"352",height:"316",rx:"22",fill:d("paper")}),a("g",{transform:r==="citizens"?"translate(0 -82) scale(1.3)":"translate(0 -88)",children:r==="citizens"?A[c]:a(M,{name:c,radius:56})}),a(m,{box:[320,34],at:[0,-4],max:26,class:"santiago-name",children:l.name(r,c)}),a(m,{box:[326,130],at:[0,82],max:26,children:l.text(r,c)})]},c))})}function wa(e,{owner:l,view:o,pieces:i}){let r=o,{says:c,board:P}=e,H=r.goods===null,C={pesos:r.pesos,vp:r.vp};return n(y,{children:[e.view.decider===l&&a("rect",{class:"santiago-deciding",x:"1",y:"1",width:"478",height:"168",rx:"14"}),Object.entries(C).map(([g,O])=>n(b,{at:g,children:[a(E,{}),a("title",{children:c.place(g,!0)}),a("g",{transform:"translate(-28 0)",children:a(M,{name:g==="vp"?"vp":"peso",radius:22})}),a(za,{of:O,x:24})]},g)),n(b,{at:"markers",children:[a(E,{}),a("title",{children:`${c.place("markers",!0)}: ${r.markers_left}`}),[0,1,2].map(g=>n("g",{transform:`translate(${34*(g-1)} 0)`,class:g<r.markers_left?"":"santiago-faint",children:[a("path",{class:"santiago-pole",d:"M-12-22V24"}),a("path",{class:"santiago-edge",d:"M-12-22h26l-4 11 4 11h-26z",fill:d("paper")}),a("g",{transform:"translate(-1 -11)",children:a(T,{sign:e.sign(l),size:.7})})]},g))]}),n(b,{at:"pawn",children:[a(E,{}),a("title",{children:c.place("pawn",!0)}),r.pawn?n(y,{children:[a("g",{transform:"translate(0 -11)",children:a(M,{name:r.pawn,radius:19})}),a(m,{box:[90,20],at:[0,22],max:14,children:c.name("buildings",r.pawn)})]}):a("g",{transform:"scale(.8)",children:a(U,{scene:e,owner:l})})]}),j.map(g=>n(b,{at:`good_${g}`,children:[a("rect",{class:H?"santiago-edge santiago-screen":"santiago-edge",x:"-37",y:"-37",width:"74",height:"74",rx:"9",fill:H?"#b98a57":d("paper")}),a("title",{children:c.name("goods",g)}),H&&n(y,{children:[a("path",{class:"santiago-wicker",d:"M-37-22h74M-37-6h74M-37 10h74M-37 26h74M-22-37v74M0-37v74M22-37v74"}),n("g",{transform:"translate(0 -8)",children:[a("circle",{r:"19",fill:d("paper")}),a(M,{name:P.catalogue.goods?.icons?.[g]??g,radius:14})]}),a("text",{class:"santiago-number santiago-on-gold","font-size":"22",y:"26",dy:".3em",children:"?"})]})]},g)),k({pieces:i},"good").map(g=>a(w,{of:g,shape:{rect:[70,70]},children:n("g",{class:g.count===0?"santiago-none":"",children:[a("rect",{x:"-35",y:"27",width:"70",height:"8",rx:"4",fill:d(g.id??"ink"),class:"santiago-band"}),a("g",{transform:"translate(-14 -5)",children:a(M,{name:L(e,g.id??""),radius:20})}),a("text",{class:"santiago-number","font-size":"32",x:"20",y:"-5",dy:".35em",children:g.count})]})},g.key))]})}function E(){return a("rect",{class:"santiago-edge",x:"-56",y:"-34",width:"112",height:"68",rx:"10",fill:d("paper")})}function za({of:e,x:l}){return e!==null?a("text",{class:"santiago-number","font-size":"36",x:l,dy:".35em",children:e}):n("g",{transform:`translate(${l} 0)`,children:[a("rect",{class:"santiago-edge",x:"-20",y:"-22",width:"40",height:"44",rx:"6",fill:"#b98a57"}),a("text",{class:"santiago-number santiago-on-gold","font-size":"26",dy:".35em",children:"?"})]})}var va=Object.keys(D).map(e=>`.board:has(.santiago-has-${e}:hover) .santiago-large-${e},.board:has(.santiago-has-${e}:focus-visible) .santiago-large-${e}`).join(","),xa={icons:S,draw:ca,mat:wa,style:`${B}${va}{visibility:visible;opacity:1;transition-delay:.25s}`},Oa=xa;export{Oa as default};
