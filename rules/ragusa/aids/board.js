import{colour as pe}from"/static/app/kit.js";var ea=`.ragusa-hex {
  stroke: color-mix(in srgb, var(--board-ground), var(--board-ink) 22%);
  stroke-width: 2;
}
.ragusa-rim {
  fill: color-mix(in srgb, var(--board-ground), var(--board-ink) 30%);
}
.ragusa-art {
  opacity: 0.55;
}
.ragusa-medal {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-opacity: 0.5;
  stroke-width: 1.5;
}
.ragusa-line {
  fill: none;
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
  stroke-width: 2;
  stroke-linecap: round;
}
.ragusa-foundation {
  fill: none;
  stroke: var(--board-stone);
  stroke-width: 12;
  stroke-opacity: 0.55;
  stroke-dasharray: 10 5;
  stroke-linejoin: round;
}
.ragusa-now {
  fill: none;
  stroke: var(--touched);
  stroke-width: 7;
}
.ragusa-pending {
  fill: none;
  stroke: var(--touched);
  stroke-width: 5;
  stroke-dasharray: 14 9;
}
.ragusa-edge {
  stroke: var(--board-ink);
  stroke-width: 1.6;
  stroke-linejoin: round;
}
.ragusa-face {
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
  stroke-width: 1.5;
}
.ragusa-empty {
  fill: var(--board-paper);
  fill-opacity: 0.75;
  stroke: var(--board-ink);
  stroke-opacity: 0.6;
  stroke-width: 2;
}
.ragusa-last {
  fill: none;
  stroke: var(--board-ink);
  stroke-width: 2.5;
  stroke-dasharray: 5 4;
}
.board .ragusa-bold {
  font-weight: 700;
}
.board .ragusa-title {
  font-family: Georgia, "Times New Roman", serif;
  font-style: italic;
  font-weight: 700;
}
.board .ragusa-left {
  text-anchor: start;
}
.ragusa-zero {
  opacity: 0.5;
}
.ragusa-small {
  opacity: 0.75;
}
.ragusa-back {
  fill: color-mix(in srgb, var(--board-wine), var(--board-ink) 25%);
  stroke: var(--board-ink);
  stroke-width: 1.5;
}
.ragusa-inset {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.5;
  stroke-width: 1.5;
}

/* A card that is drawn small comes up large before whoever points at it. */
.ragusa-large {
  display: none;
  pointer-events: none;
}
.piece:is(:hover, :focus-visible) .ragusa-large {
  display: inline;
}
.ragusa-small:is(:hover, :focus-visible),
.piece:hover > .moving > .ragusa-small {
  opacity: 1;
}

/* Who wants more contrast sees lines and pieces, and less of what only adorns. */
:root[data-theme="contrast"] .ragusa-art {
  opacity: 0.2;
}
:root[data-theme="contrast"] :is(.ragusa-hex, .ragusa-face, .ragusa-medal, .ragusa-empty) {
  stroke: var(--board-ink);
  stroke-opacity: 1;
}
:root[data-theme="contrast"] .ragusa-zero {
  opacity: 0.75;
}

/* On a phone the map is as wide as the screen, and the market stands below it, as wide. */
@media (max-width: 40rem) {
  .sheet:not(.larger):has(.ragusa-map) {
    display: flow-root;
    overflow: clip;
  }
  .sheet:not(.larger) > svg:has(.ragusa-map) {
    width: 139.5%;
    max-height: none;
    margin-bottom: 242%;
    filter: none;
  }
  .sheet:not(.larger) .ragusa-market {
    transform: translate(-2577px, 1000px) scale(2.5);
  }
  .sheet:not(.larger) .ragusa-name {
    display: none;
  }
  .sheet:not(.larger) .ragusa-emblem {
    transform: translateY(10px) scale(1.2);
  }
}
.board .ragusa-worth {
  font-weight: 800;
  fill: #2b2113;
}
.ragusa-marker {
  stroke: var(--board-ink);
  stroke-width: 3.5;
}
`;import{colour as ba}from"/static/app/kit.js";import{Fragment as xa,jsx as r,jsxs as h}from"/static/app/kit.js";var E=ba("ink"),d={stroke:E,"stroke-width":1,"stroke-linejoin":"round"},m={fill:"none",stroke:E,"stroke-width":1.6,"stroke-linecap":"round"},va="M0-11 5.5-3H3L8 4H-8L-3-3H-5.5z",ta="M0-11 11-1H8V10H-8V-1h-3z",sa="M-7 11-6-3-8-5v-6h4v3h2.2v-3h3.6v3H4v-3h4v6L6-3 7 11z",ra={house:ta,tower:sa},za=(a,t)=>r("circle",{cx:a,cy:t,r:"3.1"},`${a} ${t}`),na={fish:h("g",{...d,fill:"#5f9fc4",children:[r("path",{d:"M-5 0-11-6v12z"}),r("path",{d:"M-7 0C-3-8 6-8 11 0 6 8-3 8-7 0z"}),r("path",{d:"M4-5q-3 5 0 10",fill:"none"}),r("circle",{cx:"7",cy:"-1.4",r:"1",fill:E})]}),wood:h("g",{...d,children:[r("path",{d:"M-2 3h4v8h-4z",fill:"#7d5a38"}),r("path",{d:va,fill:"#4c8a4a"})]}),stone:h("g",{...d,children:[r("path",{d:"M-11 1h10v9h-10zM1 1h10v9H1z",fill:"#a9a49a"}),r("path",{d:"M-6-9H6v9H-6z",fill:"#c8c3b8"}),r("path",{d:"M-3-6h4M-8 4h3M4 7h4",...m,"stroke-width":"1"})]}),silver_ore:h("g",{...d,children:[r("path",{d:"M-11 10-6-3-1 1 4-9l7 19z",fill:"#7f8b97"}),r("path",{d:"M4-9 1 1l4-2 3 3z",fill:"#e8eef3"}),r("path",{d:"M-3 10V6a3 3 0 0 1 6 0v4z",fill:"#2f2a24"}),r("path",{d:"m-8-9 1 2.2 2.2 1-2.2 1-1 2.2-1-2.2-2.2-1 2.2-1z",fill:"#dfe8ef"})]}),grapes:h("g",{...d,children:[r("path",{d:"M0-7q1-4 5-5",...m,stroke:"#6b4a2c"}),r("path",{d:"M1-7q6-5 9 0-4 4-9 0z",fill:"#5d9a4c"}),r("g",{fill:"#8a56b0",children:[[-6,-3],[0,-3],[6,-3],[-3,2],[3,2],[0,7.5]].map(([a=0,t=0])=>za(a,t))})]}),olives:h("g",{...d,children:[r("path",{d:"M-10 9Q2 4 9-10",...m,stroke:"#6b5a2c"}),r("path",{d:"M-6 7q-6-5-2-11 5 4 2 11zM1 2q-6-6-1-12 5 5 1 12z",fill:"#7fa04e"}),r("ellipse",{cx:"4",cy:"6",rx:"3.8",ry:"5",fill:"#6b7a2a"}),r("ellipse",{cx:"9",cy:"-1",rx:"2.6",ry:"3.6",fill:"#8d9a3c"})]}),wine:h("g",{...d,children:[r("path",{d:"M-6-11H6Q8 1 1.3 3v5H6v3H-6V8h4.7V3Q-8 1-6-11z",fill:"#f4e9dc"}),r("path",{d:"M-6.4-6H6.4Q6.5 1 0 1.7-6.5 1-6.4-6z",fill:"#a3224e"})]}),oil:h("g",{...d,children:[r("path",{d:"M-4-6q-7-2-6 5M4-6q7-2 6 5",...m}),r("path",{d:"M-4-11h8v3L2.5-6Q10-2 6 6L3 11h-6L-6 6q-4-8 3.5-12L-4-8z",fill:"#c77f43"}),r("path",{d:"M-7 1H7q0 3-1 5H-6q-1-2-1-5z",fill:"#e3cf52"})]}),silver:h("g",{...d,fill:"#cfd8df",children:[r("path",{d:"M-12 9-8-3H8l4 12z"}),r("path",{d:"M-8-3-5-7H5l3 4z",fill:"#eef3f6"}),r("path",{d:"M-4 1h8l1.5 4h-11z",fill:"none"})]}),salt:h("g",{...d,children:[r("path",{d:"M-4-7-9 2q-3 8 3 9H6q6-1 3-9L4-7z",fill:"#e9dfc8"}),r("path",{d:"M-5-11H5L4-7h-8z",fill:"#f7f3ea"}),r("path",{d:"M-4 3h8M-3 6h6",...m,"stroke-width":"1.2"})]}),spices:h("g",{...d,children:[r("path",{d:"M-8 2Q0-18 8 2z",fill:"#d1642b"}),r("path",{d:"M-11 2h22q-1 8-7 9h-8q-6-1-7-9z",fill:"#9c6a3a"})]}),silk:h("g",{...d,children:[r("path",{d:"M-7-9H8v12q-4 3-8 0t-7 3z",fill:"#d7578b"}),r("path",{d:"M-10 8V-9q2-3 4 0V8q-2 3-4 0z",fill:"#a93a68"}),r("path",{d:"M-3-5H6M-3-1H6",...m,"stroke-width":"1"})]}),pearls:h("g",{...d,children:[r("path",{d:"M-11-1q11-13 22 0L3 8h-6z",fill:"#d9a7b0"}),r("path",{d:"M-6-3 -1 6M0-6V6M6-3 1 6",...m,"stroke-width":"1"}),r("circle",{cy:"6",r:"4.5",fill:"#fffdf6"})]}),gems:h("g",{...d,children:[r("path",{d:"M-7-8H7l4 6L0 10-11-2z",fill:"#3ba88f"}),r("path",{d:"M-7-8-3-2 0 10 3-2 7-8M-11-2h22M-3-2 0-8 3-2",...m,"stroke-width":"1"})]}),winery:h("g",{...d,children:[r("path",{d:"M-10-6Q0-12 10-6V7Q0 13-10 7z",fill:"#a9713f"}),r("path",{d:"M-10-3Q0-8 10-3M-10 4Q0 9 10 4",...m}),r("circle",{r:"3.6",cy:"0.5",fill:"#a3224e"})]}),oil_press:h("g",{...d,children:[r("path",{d:"M-11 6h22l-2 5H-9z",fill:"#8d877c"}),r("path",{d:"M-8 1H8v5H-8z",fill:"#e3cf52"}),r("path",{d:"M-9-3H9v4H-9z",fill:"#a9a49a"}),r("path",{d:"M-2-11h4v8h-4z",fill:"#8a5f38"}),r("path",{d:"M-9-10H9",...m,"stroke-width":"2.4"})]}),silversmith:h("g",{...d,children:[r("path",{d:"M-11-2H5q6 0 6-3v6q-6 1-8 4v2h3v4H-6V7h3V5q-3-1-3-3-5 0-5-4z",fill:"#6d7680"}),r("path",{d:"M-5-11h8v5h-8z",fill:"#cfd8df"}),r("path",{d:"M3-8.5h7",...m,stroke:"#8a5f38","stroke-width":"2.4"})]}),mason:h("g",{...d,children:[r("path",{d:"M-11 5h7v5h-7zM-3 5h7v5h-7zM5 5h6v5H5zM-7-1h7v5h-7zM1-1h7v5H1z",fill:"#c8b49a"}),r("path",{d:"M-10-8 0-11 3-3z",fill:"#cfd8df"}),r("path",{d:"M2-8 9-11",...m,stroke:"#8a5f38","stroke-width":"2.6"})]}),architect:h("g",{...d,children:[r("path",{d:"M0-8-8 11M0-8 8 11",...m,stroke:"#b5842e","stroke-width":"3"}),r("path",{d:"M-5.5 3Q0 7 5.5 3",...m}),r("circle",{cy:"-8",r:"3.2",fill:"#e6c26a"})]}),fishmonger:h("g",{...d,children:[r("path",{d:"M-11 1h22l-2 10H-9z",fill:"#b78a58"}),r("path",{d:"M-10 5H10",...m,"stroke-width":"1"}),r("path",{d:"M-8 1q3-9 7-9 4 3 2 9zM2 1q1-10 6-9 3 4 1 9z",fill:"#7db3d3"})]}),market:h("g",{...d,children:[r("path",{d:"M-9-1h18v12H-9z",fill:"#f3e3c6"}),r("path",{d:"M-9 5H9v6H-9z",fill:"#a9713f"}),r("path",{d:"M-8-11H8l3 8q-2 4-4.4 0-2.2 4-4.4 0Q0 1-2.2-3q-2.2 4-4.4 0Q-9 1-11-3z",fill:"#c4483c"}),r("path",{d:"M-3.6-11-4.4-3H0v-8zM3.6-11 4.4-3h4.8l-2-8z",fill:"#f7f1e2"})]}),dock:h("g",{children:[r("path",{d:"M0-5V10M-6-2H6M-10 3q1 8 10 8 9 0 10-8",...m,"stroke-width":"2.8"}),r("circle",{cy:"-8",r:"2.7",...m,"stroke-width":"2.2"})]}),rectors_palace:h("g",{...d,children:[r("path",{d:"M-11-5h22v15h-22z",fill:"#f0dfbd"}),r("path",{d:"M-12-9h24v4h-24z",fill:"#b8553a"}),r("path",{d:"M-9 10V4q2.5-4 5 0v6zM-2.5 10V4q2.5-4 5 0v6zM4 10V4q2.5-4 5 0v6z",fill:"#5f5140"}),r("path",{d:"M-8-2h3M-1.5-2h3M5-2h3",...m})]}),cathedral:h("g",{...d,children:[r("path",{d:"M-10 11V1h20v10z",fill:"#f4ead2"}),r("path",{d:"M-6 1q0-8 6-8t6 8z",fill:"#5d8f86"}),r("path",{d:"M0-12v5M-2-10h4",...m}),r("path",{d:"M-2.5 11V7q2.5-4 5 0v4z",fill:"#5f5140"}),r("path",{d:"M-10 1v-4h3v4M10 1v-4H7v4",fill:"#f4ead2"})]}),house:r("path",{d:ta,...d,fill:"#c98a5c"}),tower:r("path",{d:sa,...d,fill:"#b7ae9f"}),wall:r("path",{d:"M-11 8V-4h4v-3h4v3h6v-3h4v3h4V8z",...d,fill:"#b7ae9f"}),chain:h("g",{...d,fill:"#b7ae9f",children:[r("path",{d:"M-12 8V0h24v8z"}),r("path",{d:"M-12 8V-8h2v3h2v-3h2v16zM-3 8V-8h2v3h2v-3h2v16zM6 8V-8h2v3h2v-3h2v16z"})]}),ship:h("g",{...d,children:[r("path",{d:"M-1-10Q9-7 7 2H-1z",fill:"#f7f1e2"}),r("path",{d:"M-3-8Q-9-3-9 2h6z",fill:"#efe2c6"}),r("path",{d:"M-2-11V4",...m}),r("path",{d:"M-11 4h22l-3 7H-8z",fill:"#8a5432"})]}),price_marker:r("path",{d:"M0 10-9-6h18z",...d,fill:E}),patrician:h("g",{...d,children:[r("path",{d:"M-10 11q0-9 10-9t10 9z",fill:"#8b2f3a"}),r("circle",{cy:"-3",r:"5",fill:"#e6bd94"}),r("path",{d:"M-7-5q0-7 7-7t7 7q-7-3-14 0z",fill:"#5d2430"})]}),start_player:h("g",{...d,children:[r("path",{d:"M-7-11V11",...m,"stroke-width":"2.4"}),r("path",{d:"M-6-11H10L5-5l5 6H-6z",fill:"#c4483c"}),r("path",{d:"m-1-8 1 2 2 .3-1.5 1.5.4 2.2L-1-3l-2 1 .4-2.2L-4-5.7l2-.3z",fill:"#f7e9b4"})]}),turn:h("g",{...d,children:[r("path",{d:"M-7-10H7Q7-2 1 0 7 2 7 10H-7Q-7 2-1 0-7-2-7-10z",fill:"#f7f1e2"}),r("path",{d:"M-5 9q5-9 10 0zM-4-5h8L0-1z",fill:"#d9a441"}),r("path",{d:"M-9-11H9M-9 11H9",...m,"stroke-width":"2.4"})]}),vp:r("g",{...d,children:r("path",{d:"M0-12l3.2 8.1 8.6.6-6.6 5.5 2.1 8.5L0 6.1l-7.3 4.6 2.1-8.5-6.6-5.5 8.6-.6z",fill:"#e8b93c"})}),bonus:h("g",{...d,children:[r("path",{d:"M-8-11H8v22H-8z",fill:"#fbf4e0"}),r("path",{d:"M-4-6h8M-4-3h8",...m,"stroke-width":"1.2"}),r("circle",{cy:"4",r:"4",fill:"#a3224e"})]}),arrow:r("path",{d:"M0-11 9-1H4v11h-8V-1h-5z",...d,fill:"#4c8a4a"})},D=(a,t,s)=>r("g",{transform:`translate(${t} ${s}) scale(.58)`,children:na[a]}),oa={...na,commodities:h(xa,{children:[D("wine",-6,-5),D("oil",6,-5),D("silver",0,6)]})};import{colour as q,Icon as J,Outline as F,ofType as qa,Piece as ua,Place as G,rowOf as $a,Text as Va}from"/static/app/kit.js";import{colour as O,Icon as Sa,Outline as I,rowOf as da,SeatSign as _a,signPath as Ha,Text as ia}from"/static/app/kit.js";import{Fragment as pa,jsx as M,jsxs as j}from"/static/app/kit.js";function A({form:a,sign:t,size:s}){return j("g",{transform:`scale(${s})`,children:[M("path",{class:"ragusa-edge",d:ra[a],fill:O(t.colour)}),M("path",{d:Ha(t),transform:a==="house"?"translate(0 2.5) scale(.5)":"translate(0 3) scale(.38)",fill:O("paper"),stroke:O("ink"),"stroke-width":"2"})]})}function g({name:a,at:[t,s],radius:e}){return M("g",{transform:`translate(${t} ${s})`,children:M(Sa,{name:a,radius:e})})}function k({at:[a,t],size:s,children:e}){return M("text",{class:"ragusa-bold",x:a,y:t,dy:"0.35em","font-size":s,children:`${e} `})}var la=[180,104];function Q({scene:a,piece:t,size:s}){let[e,i]=s,o=t.id??"";return e>=110?M(ca,{scene:a,id:o,size:s}):j(pa,{children:[M(I,{shape:{rect:s},round:6,class:"ragusa-edge",fill:O("paper")}),M(g,{name:ha(o),at:[0,-i*.17],radius:Math.min(e,i)*.26}),M(k,{at:[0,i*.3],size:Math.min(22,e*.42),children:Pa(da(a.tables,"bonus_cards",o))}),M("g",{class:"ragusa-large",transform:`translate(${-la[0]/2-e/2-6} 0)`,children:M(ca,{scene:a,id:o,size:la})})]})}function ca({scene:a,id:t,size:s}){let[e,i]=s,c=da(a.tables,"bonus_cards",t)?.name?.[a.says.language]??t;return j(pa,{children:[M("title",{children:a.says.name("bonus_cards",t)}),M(I,{shape:{rect:s},round:8,class:"ragusa-edge",fill:O("paper")}),M(g,{name:ha(t),at:[-e/2+22,-i/2+22],radius:14}),M(ia,{class:"ragusa-bold",box:[e-54,36],at:[18,-i/2+22],max:18,children:c}),M(ia,{box:[e-14,i-46],at:[0,18],max:17,children:a.says.text("bonus_cards",t)})]})}function Pa(a){return a?.per===1?`×${a.vp}`:`÷${a?.per}`}var Ra={fleet:"ship",towers:"tower",gates:"wall",districts:"rectors_palace",warehouse:"commodities"};function ha(a){let t=a.replace("bonus_","");return Ra[t]??t}function z({size:a,at:[t,s]=[0,0],children:e}){let[i,o]=a;return j("g",{transform:`translate(${t} ${s})`,children:[M(I,{shape:{rect:a},round:6,class:"ragusa-back"}),M(I,{shape:{rect:[i-10,o-10]},round:4,class:"ragusa-inset"}),e]})}function _({scene:a,owner:t,at:[s,e],size:i}){return M("g",{transform:`translate(${s} ${e})`,children:M(_a,{sign:a.sign(t),size:i})})}import{Fragment as v,jsx as l,jsxs as w}from"/static/app/kit.js";var Ba={hex:84},Oa={winery:["grapes","wine"],oil_press:["olives","oil"],silversmith:["silver_ore","silver"],mason:[null,"wall"],architect:[null,"tower"],fishmonger:["fish","vp"],market:["commodities","ship"],dock:["commodities","vp"],rectors_palace:[null,"bonus"],cathedral:["commodities","vp"]};function ga({scene:a}){let t=Object.entries(a.board.places),s=e=>t.filter(([,i])=>i.kind===e);return w("g",{class:"ragusa-map",children:[l(Ta,{}),l("g",{class:"ragusa-rim",children:s("hex").map(([e,{x:i,y:o}])=>l("g",{transform:`translate(${i} ${o})`,children:l(F,{shape:{hex:92}})},e))}),s("hex").map(([e,{icon:i="",colour:o="city"}])=>l(G,{at:e,children:l(Qa,{scene:a,id:e,icon:i,tone:o})},e)),l(Ea,{scene:a}),s("wall").map(([e])=>l(G,{at:e,children:l("title",{children:a.says.place(e)})},e)),s("space").map(([e])=>l(G,{at:e,children:l(Aa,{scene:a,id:e})},e)),qa(a,"wall").map(e=>l(Ia,{scene:a,piece:e},e.key)),l(ja,{scene:a}),l(Wa,{scene:a}),l(Fa,{scene:a})]})}function Qa({scene:{says:a,view:t},id:s,icon:e,tone:i}){let o=Oa[s],c=t.pending_hexes.includes(s),u=o?`: ${a.text("city_hexes",s)}`:"";return w(v,{children:[l("title",{children:`${a.place(s)}${u}`}),l(F,{shape:Ba,class:"ragusa-hex",fill:q(i)}),o?w(v,{children:[l("path",{class:"ragusa-line",opacity:"0.4",d:Ca}),w("g",{class:"ragusa-emblem",children:[l("circle",{class:"ragusa-medal",r:"31",cy:"-10"}),l(g,{name:e,at:[0,-10],radius:23}),o[0]&&l(g,{name:o[0],at:[-46,-10],radius:12}),o[1]&&l(g,{name:o[1],at:[46,-10],radius:12})]}),l(Va,{class:"ragusa-name ragusa-bold",box:[100,36],at:[0,47],max:16,children:a.name("hexes",s)})]}):w(v,{children:[l("g",{class:"ragusa-art",children:La[e]}),l("circle",{class:"ragusa-medal",r:"21"}),l(J,{name:e,radius:16})]}),t.current_hex===s&&l(F,{shape:{hex:78},class:"ragusa-now"}),c&&l(F,{shape:{hex:78},class:"ragusa-pending"})]})}var Ca="M-60-20h22M-52 4h24M34 8h26M-22-56h18M8-62h16M-14 62h22M-40 40h14M30 44h18M40-34h18M-44-42h14M-66 22h14",W=(a,t)=>a.map(([s,e,i])=>l(g,{name:t,at:[s,e],radius:i},`${s} ${e}`)),La={wood:W([[-14,-50,11],[14,-46,14],[-42,-22,14],[42,-16,13],[-44,14,11],[46,18,14],[-24,44,15],[18,46,12]],"wood"),stone:W([[-8,-48,13],[40,-22,12],[-44,-8,14],[38,26,15],[-26,40,12],[8,50,11]],"stone"),silver_ore:W([[-4,-48,17],[40,-22,13],[-42,-12,16],[40,26,15],[-22,44,14]],"silver_ore"),grapes:w(v,{children:[l("path",{class:"ragusa-line",d:"M-56-34Q0-50 56-34M-62-6Q0-22 62-6M-62 24Q0 8 62 24M-40 52Q0 40 40 52"}),W([[-36,-36,9],[0,-40,9],[36,-36,9],[-46,-6,9],[46,-6,9],[-44,24,9],[44,24,9],[-18,48,9],[18,48,9]],"grapes")]}),olives:l("g",{class:"ragusa-edge",fill:"#7fa04e",children:[[-2,-46,14],[36,-28,12],[-40,-22,13],[44,10,13],[-44,18,11],[18,46,13],[-18,46,11]].map(([a=0,t=0,s=0])=>w("g",{children:[l("path",{d:`M${a} ${t+s-3}v8`,"stroke-width":"4"}),l("circle",{cx:a,cy:t,r:s})]},`${a} ${t}`))}),fish:l(v,{children:l("path",{class:"ragusa-line",d:"M-44-38q8-9 16 0t16 0M8-50q8-9 16 0t16 0M-62-6q8-9 16 0M34-8q8-9 16 0t14-2M-52 28q8-9 16 0M26 30q8-9 16 0t16 0M-16 52q8-9 16 0t16 0"})})};function Ta(){return w(v,{children:[l("text",{class:"ragusa-title",x:"88",y:"52","font-size":"42",children:"Ragusa"}),w("g",{transform:"translate(86 140)",class:"ragusa-edge",children:[l("circle",{r:"46",fill:"none","stroke-opacity":"0.4"}),l("path",{d:"M0-58 9-9 58 0 9 9 0 58-9 9-58 0-9-9z",fill:q("paper")}),l("path",{d:"M0-58V0H58L9 9 0 0v58L-9 9-58 0H0L-9-9z",fill:q("wine"),stroke:"none"}),l("path",{d:"M0-58 9-9 58 0 9 9 0 58-9 9-58 0-9-9z",fill:"none"})]}),l("g",{transform:"translate(905 905)",children:l(J,{name:"ship",radius:48})}),l("path",{class:"ragusa-line",d:"M790 930q12-13 24 0t24 0M835 965q12-13 24 0t24 0 24 0 24 0M955 950q12-13 24 0t24 0M700 970q12-13 24 0t24 0M968 795q12-13 24 0t24 0M950 168q12-13 24 0t24 0M978 120q12-13 24 0"})]})}function Ea({scene:{board:a}}){let t=Object.entries(a.places).filter(([s])=>/^b\d/.test(s));return l("polygon",{class:"ragusa-foundation",points:t.map(([,{x:s,y:e}])=>`${s},${e}`).join(" ")})}function Ia({scene:a,piece:t}){let s=$a(a.tables,"walls",t.id??""),e=a.board.places[String(s?.from_space)],i=a.board.places[String(s?.to_space)];if(!e||!i)return null;let o=Math.atan2(i.y-e.y,i.x-e.x)*180/Math.PI,c=[-32,-20,-8,4,16,28].map(u=>`M${u}-11h6v5h-6z`).join("");return w(ua,{of:t,shape:{circle:20},children:[l("title",{children:a.says.place(t.place)}),w("g",{transform:`rotate(${o})`,class:"ragusa-edge",fill:q("stone"),children:[l("path",{d:"M-36-7h72V8h-72z"}),l("path",{d:c}),l("path",{d:"M-36 1h72M-24-7v8M0-7v8M24-7v8M-12 1v7M12 1v7","stroke-opacity":"0.5"})]})]})}function Aa({scene:a,id:t}){let{says:s,view:e}=a,i=e.houses[t],o=e.towers[t],c=i!==void 0||o!==void 0,u=e.patricians.find(({spaces:b})=>b.includes(t));return w(v,{children:[l("title",{children:s.place(t)}),l("circle",{r:"20",fill:"transparent"}),!c&&(t.startsWith("b")?l("path",{class:"ragusa-empty",d:"M-9-9H9V9H-9z"}):l("circle",{class:"ragusa-empty",r:"9"})),u&&i===void 0&&w(v,{children:[l("circle",{class:"ragusa-last",r:"17"}),u.owner===null?l(J,{name:"patrician",radius:10}):l(_,{scene:a,owner:u.owner,at:[0,0],size:.7})]}),e.last_space===t&&l("circle",{class:"ragusa-last",r:"27"})]})}function ja({scene:a}){let t=a.view.houses,s=a.view.towers,e=a.pieces.filter(({type:o})=>o==="house"||o==="tower"),i=({type:o,place:c})=>(a.board.places[c]?.y??0)+(o==="house"?1:0);return l(v,{children:e.toSorted((o,c)=>i(o)-i(c)).map(o=>{let{x:c=0,y:u=0}=a.board.places[o.place]??{},b=o.type==="house"?"house":"tower",B=o.place in t&&o.place in s,[y,T]=B?b==="house"?[-9,5]:[13,-9]:[0,0],U=o.owner??"neutral";return w(ua,{of:o,at:[c+y,u+T],shape:{circle:B?18:22},name:a.says.owner(U),children:[l("title",{children:`${a.says.owner(U)}: ${a.says.place(o.place)}`}),l(A,{form:b,sign:a.sign(U),size:B?1.5:1.75})]},o.key)})})}function Wa({scene:{board:a,view:t}}){return l(v,{children:t.activation_queue.map(({space:s},e)=>{let{x:i=0,y:o=0}=a.places[s]??{};return w("g",{transform:`translate(${i-20} ${o-20})`,"pointer-events":"none",children:[l("circle",{class:"ragusa-medal",r:"13"}),l(k,{at:[0,0],size:18,children:String(e+1)})]},s)})})}function Fa({scene:a}){let{sides:t}=a.view,s=984-46*t.length;return l(v,{children:t.map(({side:e,vp:i},o)=>w("g",{transform:`translate(12 ${s+46*o})`,children:[l("title",{children:`${a.says.owner(e)}: ${i.total}`}),l("rect",{width:"126",height:"42",rx:"10",class:"ragusa-face",fill:q("paper")}),e===a.view.active&&l("path",{d:"M130 9 148 21 130 33z",fill:q("wine")}),l(_,{scene:a,owner:e,at:[24,21],size:1.25}),l(k,{at:[66,21],size:30,children:String(i.total)}),l(g,{name:"vp",at:[104,21],radius:13})]},e))})}import{colour as L,Icon as H,Outline as X,ofType as C,Piece as $,Place as x,rowOf as Na,shapeOf as Ua,Text as K}from"/static/app/kit.js";import{Fragment as P,jsx as n,jsxs as f}from"/static/app/kit.js";var fa=1237,Da=["wine","oil","silver"];function ma({scene:a}){let{board:t}=a,s=e=>Object.entries(t.places).filter(([,i])=>i.kind===e);return f("g",{class:"ragusa-market",children:[n("rect",{x:"1036",y:"2",width:"402",height:"996",rx:"14",fill:L("ground")}),n("rect",{x:"1036",y:"2",width:"402",height:"996",rx:"14",class:"ragusa-rim",opacity:"0.35"}),n(Ga,{scene:a}),s("slot").map(([e,i])=>n(x,{at:e,children:n(Ja,{scene:a,id:e,says:i.says??{}})},e)),C(a,"ship").map(e=>n(Ka,{scene:a,piece:e},e.key)),n(Xa,{scene:a}),Da.map(e=>n(g,{name:e,at:[1062,t.places[`price_${e}_0`]?.y??0],radius:19},e)),s("price").map(([e,{mark:i=""}])=>f(x,{at:e,children:[n("title",{children:a.says.place(e)}),n(S,{scene:a,at:e}),n(k,{at:[0,0],size:20,children:i})]},e)),C(a,"price_marker").map(e=>n(Ya,{scene:a,piece:e},e.key)),n(Za,{scene:a})]})}function S({scene:{board:a},at:t,tone:s="paper"}){let e=a.places[t];return e?n(X,{class:"ragusa-face",shape:Ua(a,e),round:8,fill:L(s)}):null}function Ga({scene:a}){let{view:t,says:s}=a,[e]=C(a,"active"),i=t.end_reason?s.label("board.over",{reason:t.end_reason}):t.asked.length>0?s.label(`decision.${t.phase}`):s.label("board.nature"),o=t.asked.filter(c=>c!==t.active);return f(P,{children:[f(x,{at:"active",children:[n("title",{children:s.place("active")}),n(S,{scene:a,at:"active"}),n(K,{class:"ragusa-bold",box:e?[178,54]:[232,54],at:[e?28:0,0],max:18,children:i})]}),e&&f($,{of:e,at:[1070,37],name:s.owner(e.owner??0),children:[n("title",{children:s.owner(e.owner??0)}),n(_,{scene:a,owner:e.owner??0,at:[0,0],size:1.6})]}),f(x,{at:"now",children:[n("title",{children:[s.place("now"),t.current_hex&&s.name("hexes",t.current_hex)].filter(Boolean).join(": ")}),n(S,{scene:a,at:"now"}),t.current_hex?f(P,{children:[n(g,{name:t.current_hex,at:[-26,0],radius:22}),o.slice(0,1).map(c=>n(_,{scene:a,owner:c,at:[28,0],size:1.5},c))]}):n("g",{class:"ragusa-zero",children:n(H,{name:"turn",radius:19})})]}),f(x,{at:"activated",children:[n(S,{scene:a,at:"activated"}),n(K,{box:[122,56],at:[-128,0],max:16,children:s.place("activated")}),t.pending_hexes.map((c,u)=>f("g",{transform:`translate(${-44+48*u} 0)`,children:[n("title",{children:s.name("hexes",c)}),n("circle",{class:"ragusa-medal",r:"22"}),n(H,{name:c,radius:17})]},c)),t.activation_queue.slice(0,6).map(({space:c,owner:u},b)=>f("g",{children:[n("title",{children:`${s.owner(u)}: ${s.name("spaces",c)}`}),n(_,{scene:a,owner:u,at:[180-30*(Math.min(t.activation_queue.length,6)-1-b),0],size:b===0?1.15:.85})]},c))]})]})}function Ja({scene:a,id:t,says:s}){let e=Object.entries(s.cost??{}).flatMap(([i,o])=>Array.from({length:o},()=>i));return f(P,{children:[n("title",{children:a.says.place(t)}),n(S,{scene:a,at:t,tone:"sea"}),e.map((i,o)=>n(g,{name:i,at:[-152+34*(o-(e.length-1)/2),-11],radius:17},o)),n("path",{d:"M-174 16h16l-8 13z",class:"ragusa-edge",fill:L("wine")}),n(g,{name:String(s.falls),at:[-142,23],radius:10})]})}function Ka({scene:a,piece:t}){let s=t.id??"",e=Na(a.tables,"ships",s),i=Object.keys(e?.extra_cost??{});return f($,{of:t,at:[fa+47,t.y],shape:{rect:[288,68]},children:[n("title",{children:a.says.text("ships",s)}),n(X,{shape:{rect:[286,66]},round:10,class:"ragusa-edge",fill:L("paper")}),n(g,{name:"ship",at:[-108,-2],radius:28}),n(g,{name:String(e?.good),at:[-56,2],radius:20}),n(K,{class:"ragusa-bold",box:[92,44],at:[18,i.length>0?-12:0],max:18,children:a.says.name("ships",s)}),i.map(o=>f("g",{children:[n(k,{at:[0,20],size:20,children:"+1"}),n(g,{name:o,at:[30,19],radius:12})]},o)),n(g,{name:"vp",at:[108,0],radius:31}),n("text",{class:"ragusa-worth",x:"108",y:"2",dy:"0.35em","font-size":"24",children:`${e?.stars} `})]})}function Xa({scene:a}){let{says:t,view:s}=a,{cards:e,top_back:i}=s.ship_deck;return f(P,{children:[f(x,{at:"ship_deck",children:[n("title",{children:t.place("ship_deck")}),n(S,{scene:a,at:"ship_deck"}),n(z,{size:[62,44],at:[-46,2]}),n(z,{size:[62,44],at:[-50,-2],children:n(H,{name:"ship",radius:17})}),n(k,{at:[38,0],size:30,children:String(e)})]}),f(x,{at:"next_ship",children:[n("title",{children:t.place("next_ship")}),n(S,{scene:a,at:"next_ship"}),i&&f(P,{children:[n(z,{size:[62,44],at:[-56,0],children:n(H,{name:i.commodity,radius:17})}),Array.from({length:i.arrows},(o,c)=>n("g",{transform:`translate(${4+34*c} 0) rotate(90)`,children:n(H,{name:"arrow",radius:15})},c))]})]})]})}function Ya({scene:a,piece:t}){let s=t.id??"",e=a.view.market;return f($,{of:t,shape:{rect:[34,56]},children:[n("title",{children:a.says.place(t.place)}),n(X,{shape:{rect:[32,54]},round:9,class:"ragusa-marker",fill:L(a.board.catalogue.commodities?.colours?.[s]??"paper")}),n(k,{at:[0,0],size:28,children:String(e[s]?.price??"")})]})}function Za({scene:a}){let{view:t,says:s}=a,e=C(a,"bonus_card"),i=t.phase==="keep_bonus"&&t.asked.includes(a.viewer??-1)?2:0,o=e.slice(0,e.length-i),[c]=C(a,"start_player");return f(P,{children:[f(x,{at:"bonus_deck",children:[n("title",{children:s.place("bonus_deck")}),n(S,{scene:a,at:"bonus_deck"}),n(z,{size:[56,72],at:[-82,4]}),n(z,{size:[56,72],at:[-86,0],children:n(H,{name:"bonus",radius:19})}),n(k,{at:[-22,0],size:30,children:String(t.bonus_deck)})]}),f(x,{at:"start_player",children:[n("title",{children:s.place("start_player")}),n(S,{scene:a,at:"start_player"}),n(g,{name:"start_player",at:[-28,0],radius:24})]}),c&&f($,{of:c,at:[c.x+30,c.y],name:s.owner(c.owner??0),children:[n("title",{children:s.owner(c.owner??0)}),n(_,{scene:a,owner:c.owner??0,at:[0,0],size:1.5})]}),f(x,{at:"patricians",children:[n("title",{children:s.place("patricians")}),n(S,{scene:a,at:"patricians"}),t.solo?n(ae,{scene:a}):n(ee,{})]}),o.map((u,b)=>n($,{of:u,at:[1182+36*(b%3),838+25*Math.floor(b/3)],shape:{rect:[34,24]},children:n("g",{class:"ragusa-small",children:n(Q,{scene:a,piece:u,size:[34,24]})})},u.key)),e.slice(o.length).map((u,b)=>n($,{of:u,at:[fa-99+198*b,u.y],shape:{rect:[190,106]},children:n(Q,{scene:a,piece:u,size:[190,106]})},u.key))]})}function ae({scene:a}){return n(P,{children:a.view.patricians.map(({card:t,owner:s},e)=>f("g",{transform:`translate(${-162+65*e} 0)`,children:[n("title",{children:a.says.text("solo.patrician_cards",t)}),n(z,{size:[60,54],children:s===null?n(H,{name:"patrician",radius:14}):n(_,{scene:a,owner:s,at:[0,0],size:1.2})})]},t))})}function ee(){return f(P,{children:[n(k,{at:[-160,0],size:26,children:"2"}),n(g,{name:"fish",at:[-128,0],radius:19}),n("g",{transform:"translate(-86 0) rotate(90)",children:n(H,{name:"arrow",radius:14})}),n(k,{at:[-50,0],size:26,children:"1"}),["wood","stone","silver_ore","grapes","olives"].map((a,t)=>n(g,{name:a,at:[-16+46*t,0],radius:18},a))]})}import{colour as te,Outline as se,ofType as Z,Piece as ka,Place as re,rowOf as ne,shapeOf as oe}from"/static/app/kit.js";import{Fragment as V,jsx as p,jsxs as R}from"/static/app/kit.js";var ie={walls:"wall",ships:"ship",dock:"dock",fishmonger:"fishmonger",chain:"chain",cathedral:"cathedral",bonus:"bonus"};function wa({scene:a,mat:t}){let s=t.view,e=a.board.mat,i=[...Z(t,"access"),...Z(t,"commodity")];return R(V,{children:[Object.entries(e?.places??{}).map(([o,c])=>R(re,{at:o,children:[p("title",{children:a.says.place(o,!0)}),e&&p(se,{class:"ragusa-face",shape:oe(e,c),round:10,fill:te(c.colour??e.kinds[c.kind]?.colour??"paper")}),p(le,{scene:a,side:s,id:o,icon:c.icon??""})]},o)),i.map(o=>p(ka,{of:o,at:[o.x+20,o.y],class:o.count===0?"ragusa-zero":"",children:p(k,{at:[0,0],size:aa(o.count??0),children:String(o.count??0)})},o.key)),p(ce,{scene:a,side:s}),p(he,{scene:a,mat:t,side:s})]})}function aa(a){return a<10?32:26}function le({scene:a,side:t,id:s,icon:e}){if(s==="ships")return p(de,{scene:a,side:t});if(s==="bonus_cards"||s==="offered")return null;if(s==="houses"||s==="towers"){let i=s==="houses"?t.houses_left:t.towers_left;return R(V,{children:[p("g",{transform:"translate(-19 0)",children:p(A,{form:s==="houses"?"house":"tower",sign:a.sign(t.side),size:1.6})}),p(k,{at:[20,0],size:aa(i),children:String(i)})]})}return R(V,{children:[p(g,{name:e,at:[-20,0],radius:17}),s==="vp"&&p(k,{at:[20,0],size:aa(t.vp.total),children:String(t.vp.total)})]})}function ce({scene:a,side:{vp:t}}){return p(V,{children:Object.entries(ie).map(([s,e],i)=>{let o=t[s];return R("g",{transform:`translate(${8+73*i} 160)`,class:o===0?"ragusa-zero":"",children:[p("title",{children:a.says.label(`breakdown.${s}`)}),p(g,{name:e,at:[16,0],radius:14}),p(k,{at:[48,0],size:20,children:String(o)})]},s)})})}function de({scene:a,side:t}){let s=Math.min(66,440/Math.max(1,t.ships.length));return R(V,{children:[p(g,{name:"ship",at:[-234,0],radius:17}),t.ships.map((e,i)=>{let o=ne(a.tables,"ships",e);return R("g",{transform:`translate(${-186+s*i} 0)`,children:[p("title",{children:a.says.name("ships",e)}),p(g,{name:String(o?.good),at:[0,0],radius:15}),s>44&&p(k,{at:[27,0],size:20,children:String(o?.stars)})]},e)})]})}function he({scene:a,mat:t,side:s}){let e=Z(t,"bonus_card"),i=e.filter(({place:y})=>y==="bonus_cards"),o=e.filter(({place:y})=>y==="offered"),c=a.view.phase==="choose_bonus"&&i.length===0,u=s.bonus_cards.length-i.length,b=a.view.asked.includes(s.side),B=a.view.phase==="choose_bonus"&&b&&o.length===0;return R(V,{children:[B&&[0,1,2].map(y=>p("g",{class:"ragusa-zero",children:p(z,{size:[66,92],at:[88+172*y,294],children:p(g,{name:"bonus",at:[0,0],radius:20})})},y)),Array.from({length:u},(y,T)=>p(z,{size:[66,92],at:[46+50*T,294],children:p(g,{name:"bonus",at:[0,0],radius:20})},T)),Y(i,u*50+8,384-u*50).map(y=>p(Ma,{scene:a,...y},y.piece.key)),(c?Y(o,4,512):Y(o,400,112)).map(y=>p(Ma,{scene:a,...y,faded:!c},y.piece.key))]})}function Y(a,t,s){let e=Math.min(170,s/Math.max(1,a.length));return a.map((i,o)=>({piece:i,x:t+e*(o+.5),width:e-6}))}function Ma({scene:a,piece:t,x:s,width:e,faded:i=!1}){let o=[e,e<60?62:108];return p(ka,{of:t,at:[s,294],shape:{rect:o},class:i?"ragusa-small":"",children:p(Q,{scene:a,piece:t,size:o})})}import{Fragment as ge,jsx as N,jsxs as fe}from"/static/app/kit.js";var ue={icons:oa,style:ea,draw:a=>fe(ge,{children:[N("rect",{width:"1440",height:"1000",rx:"18",fill:pe("ground")}),N(ga,{scene:a}),N(ma,{scene:a})]}),mat:(a,t)=>N(wa,{scene:a,mat:t})},je=ue;export{je as default};
