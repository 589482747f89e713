import{Fragment as f,jsx as o,jsxs as u}from"/static/app/kit.js";var X={accomplice:u(f,{children:[o("circle",{cy:"3",r:"6",fill:"#c98f62"}),o("path",{d:"M-9 12a9 7 0 0 1 18 0z",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-11 0Q-2-5 0-12 2-5 11 0 0 4-11 0z",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"})]}),box:u(f,{children:[o("path",{d:"M-10-3V9H10V-3z",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-10-3Q-9-9 0-9T10-3z",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("rect",{x:"-3",y:"-5",width:"6",height:"7",rx:"1",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"})]}),ginseng:u(f,{children:[o("path",{d:"M-6-5V-12M0-6V-12M6-5V-12",stroke:"#3d8b4f","stroke-width":"2.4",fill:"none"}),o("path",{d:"M-5-6Q0-9 5-6 8-1 5 3L9 11M5 3 2 5 1 12M2 4-3 5-5 12M-4 4-6 2-10 9M-6 3Q-8-2-5-6z",fill:"#e8c27a",stroke:"#6d4a17","stroke-width":"1.2","stroke-linejoin":"round"})]}),hammer:o(f,{children:u("g",{transform:"rotate(-38)",children:[o("rect",{x:"-2",y:"-2",width:"4",height:"15",rx:"2",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("rect",{x:"-8",y:"-10",width:"16",height:"9",rx:"2",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-5-10v9M5-10v9",fill:"none",stroke:"var(--board-ink)","stroke-width":"1.8","stroke-linecap":"round"})]})}),harbour_master:u(f,{children:[o("circle",{r:"7.5",fill:"none",stroke:"#a06a32","stroke-width":"3.4"}),o("path",{d:"M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5",fill:"none",stroke:"#a06a32","stroke-width":"1.8","stroke-linecap":"round"}),o("circle",{r:"2.6",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"})]}),insurance:u(f,{children:[o("path",{d:"M0-11Q5-8 10-8 10 6 0 12-10 6-10-8-5-8 0-11z",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-5 0-1 5 6-5",fill:"none",stroke:"#2d8a56","stroke-width":"3","stroke-linecap":"round"})]}),jade:u(f,{children:[o("circle",{r:"10.5",fill:"#3fa36c",stroke:"#14482b","stroke-width":"1.4"}),o("circle",{r:"4",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-7.5-3A8 8 0 0 1-2-7.8",fill:"none",stroke:"#fff","stroke-opacity":"0.75","stroke-width":"1.4"})]}),nutmeg:u(f,{children:[o("ellipse",{rx:"8.5",ry:"10.5",transform:"rotate(28)",fill:"#96602f",stroke:"#47290e","stroke-width":"1.4"}),o("path",{d:"M-5 6Q-7-3 3-8M0 8Q0 0 6-5M5 6Q6 2 7-1",fill:"none",stroke:"#e2683c","stroke-width":"1.8"})]}),peso:u(f,{children:[o("circle",{r:"11.5",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"}),o("circle",{r:"9",fill:"none",stroke:"#8f6715","stroke-width":"0.8","stroke-dasharray":"1.5 1.2"}),o("path",{d:"M-2 5.4v-10.4h2.6a2.9 2.9 0 0 1 0 5.8h-2.6M-4.4 -3.3h9.2M-4.4 -0.9h9.2",fill:"none",stroke:"#33230a","stroke-width":"1.5"})]}),pilot:u(f,{children:[o("path",{d:"M-5 12-3-3H3L5 12z",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-4 4H4L4.6 8H-4.6z",fill:"var(--board-red)"}),o("path",{d:"M-5-3V-8H5V-3zM-6-8 0-12 6-8z",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"}),o("path",{d:"M-6-6-12-8M-6-5-12-4M6-6 12-8M6-5 12-4",fill:"none",stroke:"#e3b341","stroke-width":"1.8","stroke-linecap":"round"})]}),pirate:u(f,{children:[o("path",{d:"M-11 9 11-3M11 9-11-3",fill:"none",stroke:"var(--board-ink)","stroke-width":"3","stroke-linecap":"round"}),o("path",{d:"M-7-1Q-8-10 0-11 8-10 7-1L4 2V6H-4V2z",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("circle",{cx:"-3",cy:"-3",r:"2",fill:"#2b1d10"}),o("circle",{cx:"3",cy:"-3",r:"2",fill:"#2b1d10"}),o("path",{d:"M-1.5 6V3.4M1.5 6V3.4",stroke:"var(--board-ink)","stroke-width":"1.2"})]}),pledge:u(f,{children:[o("rect",{x:"-8",y:"-11",width:"16",height:"21",rx:"2",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-5-7H5M-5-3.5H5",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-3 4-5 12 0 9 5 12 3 4z",fill:"#b3322b",stroke:"#5e120d","stroke-width":"0.8"}),o("circle",{cy:"3",r:"4.6",fill:"#b3322b",stroke:"#5e120d","stroke-width":"0.8"})]}),port:u(f,{children:[o("circle",{cy:"-8",r:"3",fill:"none",stroke:"var(--board-ink)","stroke-width":"2.4","stroke-linecap":"round"}),o("path",{d:"M0-5V11M-6-2H6M-10 3Q-9 11 0 11 9 11 10 3M-12 6-10 2-7 5M12 6 10 2 7 5",fill:"none",stroke:"var(--board-ink)","stroke-width":"2.4","stroke-linecap":"round"})]}),price_marker:u(f,{children:[o("path",{d:"M0-12 11-4V8Q11 11 8 11H-8Q-11 11-11 8V-4z",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("circle",{cy:"-5",r:"2",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"})]}),punt:u(f,{children:[o("path",{d:"M-1-11V4M0-11 9 2H0z",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-12 3H12Q9 11 5 11H-6Q-10 11-12 3z",fill:"var(--board-wood)",stroke:"var(--board-ink)","stroke-width":"1.2"})]}),share:u(f,{children:[o("rect",{x:"-8",y:"-11",width:"16",height:"22",rx:"2",fill:"var(--board-paper)",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("path",{d:"M-5-7H5M-5-4H5M-5 8H1",stroke:"var(--board-ink)","stroke-width":"1.2"}),o("circle",{cy:"2.5",r:"3.4",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"})]}),shipyard:u(f,{children:[o("path",{d:"M-9-8 7 10M9-8-7 10",fill:"none",stroke:"#8a5c2c","stroke-width":"3","stroke-linecap":"round"}),o("path",{d:"M-12-6-6-12-3-9-9-3z",fill:"#9aa4ab",stroke:"#39424a"}),o("path",{d:"M4-10 10-12 12-6 9-4z",fill:"#9aa4ab",stroke:"#39424a"})]}),silk:u(f,{children:[o("path",{d:"M-11-5Q-4-10 11-7V3Q-3 0-11 6z",fill:"#4d86cf",stroke:"#183a68","stroke-width":"1.2"}),o("path",{d:"M-11 6Q-4 11 11 8V3Q-3 0-11 6z",fill:"#3568ab",stroke:"#183a68","stroke-width":"1.2"}),o("circle",{cx:"-9",cy:"0",r:"2.6",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"}),o("path",{d:"M-2-8Q-4-3-2 2M5-8Q3-3 5 2",fill:"none",stroke:"#fff","stroke-opacity":"0.75","stroke-width":"1.4"})]})};var D=`.manila-edge {
  stroke: var(--board-ink);
  stroke-width: 1.6;
}
.manila-card {
  stroke: var(--board-ink);
  stroke-opacity: 0.4;
  stroke-width: 1.5;
}
.board .manila-onto-gold {
  fill: #33230a;
  font-weight: 700;
}
.manila-disc {
  fill: #fbf3de;
  stroke: #5a4425;
  stroke-width: 1.6;
}
.manila-rose {
  fill: #fff;
  fill-opacity: 0.45;
}
.manila-rose circle {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.45;
  stroke-width: 2.5;
}
.manila-trunk {
  fill: none;
  stroke: #8a5c2c;
  stroke-width: 4;
  stroke-linecap: round;
}
.manila-palm {
  fill: #4f9a55;
  stroke: #23522b;
  stroke-width: 1;
}

/* The land and the sea. */
.manila-stall {
  fill: color-mix(in srgb, var(--board-wood) 26%, var(--board-ground));
  stroke: var(--board-wood);
  stroke-width: 2;
}
.manila-surf {
  fill: none;
  stroke: var(--board-paper);
  stroke-opacity: 0.7;
  stroke-width: 4;
}
.manila-pier {
  fill: color-mix(in srgb, var(--board-wood) 62%, var(--board-land));
  stroke: color-mix(in srgb, var(--board-wood) 60%, var(--board-ink));
  stroke-width: 2;
}
.manila-course {
  stroke: var(--board-paper);
  stroke-opacity: 0.6;
  stroke-width: 2;
  stroke-dasharray: 3 9;
}
.manila-ambush {
  fill: none;
  stroke: #b3322b;
  stroke-width: 3;
  stroke-dasharray: 7 6;
}
.manila-wave {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.4;
  stroke-width: 2.4;
  stroke-linecap: round;
}
.manila-water {
  fill: color-mix(in srgb, var(--board-sea) 78%, var(--board-paper));
  stroke: color-mix(in srgb, var(--board-sea) 60%, var(--board-ink));
  stroke-opacity: 0.55;
}
.manila-risky {
  fill: color-mix(in srgb, var(--board-danger) 75%, var(--board-sea));
}
.manila-start {
  stroke-width: 2;
}
.manila-pale {
  opacity: 0.75;
}
.manila-faint {
  opacity: 0.22;
}
.manila-quay,
.manila-plank,
.manila-rope,
.manila-slipway {
  fill: none;
  stroke: color-mix(in srgb, var(--board-wood) 55%, var(--board-ink));
  stroke-width: 2;
}
.manila-quay {
  stroke-dasharray: 8 5;
}
.manila-basin {
  fill: var(--board-sea);
}
.manila-slipway {
  fill: var(--board-wood);
}
.manila-island {
  fill: color-mix(in srgb, var(--board-land) 80%, var(--board-paper));
  stroke: #cfa75c;
  stroke-width: 4;
}
.manila-deck,
.manila-hull {
  fill: var(--board-wood);
  stroke: color-mix(in srgb, var(--board-wood) 45%, #000);
  stroke-width: 2.4;
}
.manila-plank {
  stroke-opacity: 0.5;
}
.manila-wake {
  fill: none;
  stroke: var(--board-paper);
  stroke-width: 4;
  stroke-linecap: round;
}

/* What stands on them. */
.manila-bench {
  fill: #0004;
  stroke: #fff8;
  stroke-width: 1.2;
  stroke-dasharray: 2.5 2;
}
.manila-aboard,
.manila-seat {
  fill: var(--board-paper);
}
.manila-seat {
  stroke: color-mix(in srgb, var(--board-wood) 45%, #000);
  stroke-width: 2.4;
}
.manila-black-flag {
  fill: #26221f;
  stroke: #8a5c2c;
  stroke-width: 2;
}
.manila-shade {
  fill: #0003;
}
.manila-hat {
  fill: #e0bd74;
  stroke: #6b4a1a;
  stroke-width: 1.6;
  stroke-linejoin: round;
}
.manila-frame {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.65;
}
.manila-back {
  fill: #6d2f2a;
  stroke: #2c0f0c;
}
.manila-vacant {
  fill: color-mix(in srgb, var(--board-paper) 70%, var(--board-wood));
  stroke: var(--board-ink);
  stroke-width: 2;
  stroke-dasharray: 5 4;
}
.manila-tray {
  fill: color-mix(in srgb, var(--board-wood) 45%, var(--board-paper));
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
}
.manila-shelf {
  fill-opacity: 0.45;
  stroke: var(--board-ink);
  stroke-opacity: 0.35;
}
.manila-ribbon {
  fill: #b3322b;
}
.manila-none {
  opacity: 0.6;
}
.manila-ashore rect {
  fill: var(--board-paper);
  stroke: var(--board-ink);
}
.manila-out {
  stroke: #c43a2e;
  stroke-width: 4;
  stroke-linecap: round;
}
.manila-asked {
  fill: none;
  stroke: var(--board-ink);
  stroke-width: 3;
}
.manila-coming {
  fill: var(--board-paper);
  stroke: var(--board-ink);
  stroke-width: 1.4;
}
.manila-past {
  fill: var(--board-wood);
  stroke: var(--board-ink);
  stroke-width: 1.4;
}
.manila-pip {
  fill: var(--board-ink);
  stroke: none;
}

/* Words and numbers. */
.board .manila-strong,
.board .manila-payout text {
  font-weight: 750;
}
.board .manila-number {
  font-weight: 600;
  opacity: 0.85;
}
.board .manila-name,
.board .manila-title,
.board .manila-heading {
  font-family: Georgia, "Times New Roman", serif;
  font-weight: 600;
}
.board .manila-caption {
  font-weight: 600;
}
.board .manila-title {
  font-style: italic;
}
.board .manila-slim {
  letter-spacing: -0.04em;
}
/* Beside a question on a phone that is held across, the whole board has room. */
@media (max-height: 30rem) and (min-width: 40.01rem) and (max-width: 72rem) {
  .board-sheet:has(> .manila-land) {
    max-height: calc(100vh - 8px);
  }
}

/* With much contrast every line is drawn in full, and nothing is written palely. */
[data-theme="contrast"] .manila-card,
[data-theme="contrast"] .manila-shelf,
[data-theme="contrast"] .manila-tray,
[data-theme="contrast"] .manila-water {
  stroke: #000;
  stroke-opacity: 1;
  stroke-width: 2;
}
[data-theme="contrast"] .manila-water,
[data-theme="contrast"] .manila-shelf {
  fill-opacity: 0.3;
}
[data-theme="contrast"] .manila-risky {
  fill-opacity: 1;
}
[data-theme="contrast"] .manila-number,
[data-theme="contrast"] .manila-none,
[data-theme="contrast"] .manila-pale {
  opacity: 1;
}
[data-theme="contrast"] .manila-faint {
  opacity: 0.15;
}
`;import{colour as R,Icon as G,Text as Ma,useLeast as za}from"/static/app/kit.js";function v(a){return a.slice(0,1).toUpperCase()+a.slice(1)}import{Fragment as B,jsx as d,jsxs as z}from"/static/app/kit.js";function Z({scene:a}){let[t,r]=a.board.size;return z("g",{class:"manila-land",children:[d("rect",{width:t,height:r,rx:"18",fill:R("ground")}),a.narrow?d(Ha,{scene:a}):d(Va,{scene:a})]})}function Va({scene:a}){return z(B,{children:[d("path",{d:"M8 34Q8 14 28 14H700Q716 14 716 30V230H8z",class:"manila-stall"}),Object.keys(a.view.market).map((t,r)=>z("g",{transform:`translate(0 ${64+48*r})`,children:[d("g",{transform:"translate(34 0)",children:d(G,{name:t,radius:17})}),d(Oa,{scene:a,of:t})]},t)),d(K,{scene:a,at:[360,638,37]}),d("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710H0z",fill:R("sea")}),d("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710",class:"manila-surf"}),d("path",{d:"M938 242H1200V710H776V562H946Q956 500 940 420 952 330 938 242z",fill:R("land")}),d("path",{d:"M944 250H1192V556H944z",class:"manila-pier"}),d("path",{d:"M952 556v14M1000 556v14M1048 556v14M1096 556v14M1144 556v14M1188 556v14",class:"manila-rope"}),d("path",{d:"M780 570H1192V694H780z",class:"manila-pier"}),[0,1,2].map(t=>d("path",{d:`M26 ${300+100*t}H936`,class:"manila-course"},t)),d("path",{d:"M832 552Q836 590 738 608",class:"manila-ambush"}),d("path",{d:"M196 574q9-10 18 0t18 0M192 688q9-10 18 0t18 0M14 572q9-10 18 0t18 0M400 566q9-10 18 0t18 0M400 698q9-10 18 0t18 0",class:"manila-wave"}),z("g",{transform:"translate(414 632)",class:"manila-rose",children:[d("circle",{r:"30"}),d("path",{d:"M0-44 7-7 44 0 7 7 0 44-7 7-44 0-7-7z"}),d("path",{d:"M-22-22-2-8-8-2zM22-22 2-8 8-2zM-22 22-2 8-8 2zM22 22 2 8 8 2z"})]})]})}var Sa=24;function Oa({scene:{says:a},of:t}){return d(Ma,{box:[108,42],at:[105,0],max:20,short:v(a.label(`short.${t}`)),class:za()>Sa?"manila-slim":"manila-name",children:v(a.name("wares",t))})}function Ha({scene:a}){let{board:t,view:r}=a;return z(B,{children:[d("path",{d:"M6 30Q6 10 26 10H576Q594 10 594 28V262H6z",class:"manila-stall"}),Object.keys(r.market).map(n=>z("g",{transform:`translate(34 ${t.places[`supply_${n}`]?.y??0})`,children:[d("title",{children:a.says.name("wares",n)}),d(G,{name:n,radius:19})]},n)),d(K,{scene:a,at:[250,517,35]}),d("path",{d:"M0 502H600V1188H0z",fill:R("sea")}),d("path",{d:"M0 502H600M0 1188H600",class:"manila-surf"}),d("path",{d:"M3 816H597V1052H3z",class:"manila-pier"}),d("path",{d:"M60 922v8M140 922v8M220 922v8M380 922v8M460 922v8M540 922v8",class:"manila-rope"}),[556,656,756].map(n=>d("path",{d:`M22 ${n}H580`,class:"manila-course"},n))]})}function K({scene:{says:a},at:[t,r,n]}){return z(B,{children:[d("text",{x:t,y:n,"font-size":"20",class:"manila-title",children:v(a.label("board.market"))}),d("text",{x:r,y:n,"font-size":"20",class:"manila-title",children:v(a.label("board.supply"))})]})}import{colour as La,Icon as W,Outline as Ea,Piece as Ta,Place as Ba,SeatSign as ja,shapeOf as qa,Text as Ia}from"/static/app/kit.js";import{colour as H,Icon as V,Piece as C,SeatSign as j}from"/static/app/kit.js";import{Fragment as _a,jsx as Y,jsxs as Pa}from"/static/app/kit.js";var aa={coin:Pa(_a,{children:[Y("circle",{r:"11.5",fill:"#e3b341",stroke:"#6b4a0c","stroke-width":"1"}),Y("circle",{r:"9",fill:"none",stroke:"#8f6715","stroke-width":"0.8","stroke-dasharray":"1.5 1.2"})]})};import{Fragment as la,jsx as l,jsxs as g}from"/static/app/kit.js";var Qa={pirate_place:1.2,shipyard:.86,office:.9},$a={wide:{at_sea:1,in_port:1,in_shipyard:.56},narrow:{at_sea:.85,in_port:.66,in_shipyard:.56}};function Ra({sign:a,size:t=1}){return g("g",{transform:`scale(${t})`,children:[l("ellipse",{cy:"27",rx:"22",ry:"5",class:"manila-shade"}),l("circle",{cy:"3",r:"25",fill:H("paper"),stroke:H(a.colour),"stroke-width":"5"}),l("g",{transform:"translate(0 6)",children:l(j,{sign:a,size:1.35})}),l("path",{d:"M-22-12Q-4-18 0-31 4-18 22-12 0-4-22-12z",class:"manila-hat"})]})}function Ca({scene:a,punt:t}){let{ware:r,seats:n,plundered:i}=t,s=88/(n.length+.4);return g(la,{children:[l("path",{d:"M-44 26Q0 36 46 24",class:"manila-wake"}),l("path",{d:"M-30-30H26L31 6H-35z",fill:H(r),class:"manila-edge"}),l("path",{d:"M-32-14H28.5M-10-30-12 6M8-30 10 6",class:"manila-rope"}),l("circle",{cx:"-2",cy:"-15",r:"16",class:"manila-disc"}),l("g",{transform:"translate(-2 -15)",children:l(V,{name:r,radius:12.5})}),l("path",{d:"M-53 0Q0 8 55-5 48 29 32 29H-34Q-48 29-53 0z",class:"manila-hull"}),n.map((c,m)=>g("g",{transform:`translate(${(m-(n.length-1)/2)*s-1} 15)`,children:[l("circle",{r:"9.5",class:c===null?"manila-bench":"manila-aboard"}),c!==null&&l(j,{sign:a.sign(c),size:.66})]},m)),i&&g("g",{transform:"translate(38 -24)",children:[l("path",{d:"M-9 30V-14H22L16-3 22 8H-9",class:"manila-black-flag"}),l("g",{transform:"translate(4 -3)",children:l(V,{name:"pirate",radius:8})})]})]})}function ta({scene:a}){return a.pieces.filter(({type:t})=>t==="punt").map(t=>{let r=a.view.punts.find(({ware:i})=>i===t.id);if(!r)return null;let n=$a[a.narrow?"narrow":"wide"][r.status];return l(C,{of:t,at:r.status==="at_sea"?[t.x,t.y-10]:[t.x,t.y],shape:{rect:[112*n,68*n]},children:l("g",{transform:`scale(${n})${r.status==="in_shipyard"?" rotate(9)":""}`,children:l(Ca,{scene:a,punt:r})})},t.key)})}function ra({scene:a}){return a.pieces.filter(({type:t})=>t==="accomplice").map(t=>{let r=a.board.places[t.place]?.kind??"",n=Qa[r]??1,i=r==="office"?[t.x,t.y+20]:Aa(t,r);return l(na,{scene:a,piece:t,at:i,radius:30*n,children:l(Ra,{sign:a.sign(t.owner??0),size:n})},t.key)})}function Aa({x:a,y:t},r){return r==="pilot"?[a+40,t+14]:[a,t]}function ea({scene:a}){return a.pieces.filter(({type:t})=>t==="harbour_master"||t==="high_bidder").map(t=>g(na,{scene:a,piece:t,at:[t.x,t.y+19],radius:31,children:[l("circle",{r:"27",fill:H("paper"),stroke:H(a.sign(t.owner??0).colour),"stroke-width":"5"}),l(j,{sign:a.sign(t.owner??0),size:1.35}),g("g",{transform:"translate(34 6)",children:[l("circle",{r:"17",class:"manila-disc"}),l(V,{name:t.type==="high_bidder"?"hammer":"harbour_master",radius:13})]})]},t.key))}function na({scene:a,piece:t,at:r,radius:n,children:i}){let s=a.says.owner(t.owner??0);return g(C,{of:t,at:r,shape:{circle:n},name:s,children:[l("title",{children:s}),i]})}function sa({scene:a}){return a.pieces.filter(({type:t})=>t==="price_marker").map(t=>g(C,{of:t,at:[t.x-20,t.y],shape:{circle:20},children:[l("circle",{r:"17",class:"manila-disc"}),l(V,{name:t.id??"",radius:13})]},t.key))}function q({ware:a,width:t=28}){return g("g",{transform:`scale(${t/28})`,children:[l("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",fill:H(a),class:"manila-edge"}),l("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),l("circle",{r:"9.5",class:"manila-disc"}),l(V,{name:a,radius:8})]})}function oa({width:a=28}){return g("g",{transform:`scale(${a/28})`,children:[l("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",class:"manila-back"}),l("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),l(V,{name:"harbour_master",radius:8})]})}function ia({scene:a}){return a.pieces.filter(({type:t})=>t==="share").map(t=>{let[r,n]=[t.id??"",t.count??0],[i,s,c]=a.narrow?[-26,19,0]:[-4.5*(n-1),9,20];return g(C,{of:t,shape:a.narrow?{rect:[136,38]}:{rect:[62,86]},children:[!a.narrow&&l("g",{transform:"translate(-15 -23)",children:l(V,{name:r,radius:15})}),l("text",{x:a.narrow?-54:16,y:a.narrow?9:-14,"font-size":"26",class:"manila-strong",children:n}),Array.from({length:n},(m,k)=>l("g",{transform:`translate(${i+k*s} ${c})`,children:l(q,{ware:r,width:25})},k))]},t.key)})}function I({radius:a}){return l("g",{transform:`scale(${a/12})`,children:aa.coin})}function A({amount:a,radius:t=17}){return g(la,{children:[l(I,{radius:t}),l("text",{class:"manila-onto-gold","font-size":t*(a>9?1.05:1.35),y:t*(a>9?.38:.48),children:`${a} `})]})}import{Fragment as Q,jsx as p,jsxs as S}from"/static/app/kit.js";function ca({scene:a,mat:t}){let r=t.view,n=a.board.mat;if(!n)return null;let{view:i}=a;return S(Q,{children:[i.decider===r.seat&&p("rect",{x:"1",y:"1",width:"478",height:"182",rx:"12",class:"manila-asked"}),Object.entries(n.places).map(([s,c])=>{let m=Na[s]??Xa;return S(Ba,{at:s,children:[p("title",{children:a.says.place(s,!0)}),p(Ea,{shape:qa(n,c),round:10,fill:La(c.colour??"paper"),class:c.kind==="shares"?"manila-shelf":"manila-card"}),p(m,{scene:a,player:r,at:s})]},s)}),t.pieces.map(s=>S(Ta,{of:s,shape:{rect:[40,54]},class:s.count===0?"manila-none":"",children:[s.count!==0&&p("g",{transform:"translate(0 -6)",children:p(q,{ware:s.id??"",width:34})}),p("text",{y:"37","font-size":s.count===0?18:24,class:"manila-strong",children:s.count})]},s.key))]})}var Na={cash:N,funds:N,pledged:N,accomplices:Ua,shares:Ja};function da({scene:a,at:t,width:r=106}){return p(Ia,{box:[r,20],at:[0,-25],max:18,class:"manila-caption",children:v(a.says.label(Wa[t]??""))})}var Wa={cash:"where.cash",funds:"board.funds",pledged:"board.pledged",accomplices:"board.in_hand"},Fa={cash:"peso",funds:"box",pledged:"pledge"};function N({scene:a,player:t,at:r}){let n=t[r];return S(Q,{children:[p(da,{scene:a,at:r}),p("g",{transform:"translate(-33 12)",children:p(W,{name:Fa[r]??"",radius:17})}),p("text",{x:"16",y:"24","font-size":"34",class:"manila-strong",children:n})]})}function Ua({scene:a,player:t,at:r}){let n=a.view.abstained.includes(t.seat),i=t.accomplices_in_hand,s=Math.min(27,96/Math.max(i,1));return S(Q,{children:[p(da,{scene:a,at:r}),Array.from({length:i},(c,m)=>p("g",{transform:`translate(${(m-(i-1)/2)*s} 12)`,children:p(ja,{sign:a.sign(t.seat),size:1.05})},m)),i===0&&p("text",{y:"22","font-size":"28",class:"manila-number",children:"0"}),n&&p("path",{d:"M-44 24 44 2",class:"manila-out"})]})}function Ja({player:a}){let t={...a.dealt},r=Object.values(a.bought),n=[...Object.values(t),...r].reduce((s,c)=>s+c,0),i=a.shares-n;return S(Q,{children:[p("g",{transform:"translate(-26 -22)",children:p(W,{name:"share",radius:13})}),p("text",{x:"12",y:"-12","font-size":"30",class:"manila-strong",children:a.shares}),Array.from({length:i},(s,c)=>p("g",{transform:`translate(${(c-(i-1)/2)*32} 18)`,children:p(oa,{width:28})},c))]})}function Xa({at:a}){let[t,r=""]=a.split("_");return S(Q,{children:[p("g",{transform:"translate(0 -8)",class:"manila-faint",children:p(W,{name:r,radius:15})}),t==="dealt"&&p("path",{d:"M-16-42V-30L-10-35-4-30V-42z",class:"manila-ribbon"})]})}var Da={sea:[36,96],port:[192,96],shipyard:[192,116],pirate:[264,116],pilot:[158,116],office:[192,108],area:[192,108],price:[73,46],supply:[150,46]},ha=["nutmeg","silk","ginseng","jade"],Ga=["0","5","10","20","30"],ma=["a","b","c"],Za=["harbour_master","high_bidder","auction","voyage","left_out","insurance"];function fa(a){let t=Object.entries(a.kinds).map(([n,i])=>{let s=Da[n];return[n,s?{...i,shape:{rect:s}}:i]}),r=Object.entries(a.places).map(([n,i])=>[n,{...i,...Ka(a,n,i)}]);return{...a,size:[600,1650],kinds:Object.fromEntries(t),places:Object.fromEntries(r)}}function Ka(a,t,{kind:r,x:n,y:i}){let[,s="",c=""]=t.split("_");switch(r){case"price":return{x:98+Ga.indexOf(c)*75,y:pa(s)};case"supply":return{x:517,y:pa(s)};case"sea":return{x:48+Number(c)*36,y:456+Number(s)*100};case"port":return{x:F(ma.indexOf(s)),y:872};case"shipyard":return{x:F(ma.indexOf(s)),y:988};case"pirate":case"pirate_place":return{x:n-590+138,y:i-632+1120};case"pilot":return{x:s==="big"?517:354,y:1120};case"punt":case"berth":case"start":{let m=a.places[`punt_${s}`],k=ha.indexOf(s),[x,O]=[150+k%2*300,1302+Math.floor(k/2)*228];return{x:x+n-(m?.x??0),y:O+i-(m?.y??0)}}default:{let m=Za.indexOf(t);return{x:F(m%3),y:326+Math.floor(m/3)*116}}}}var F=a=>103+a*197,pa=a=>72+ha.indexOf(a)*53;import{colour as L,extentOf as Ya,Icon as w,Outline as ua,Place as at,rowOf as ka,SeatSign as tt,shapeOf as U,Text as ba,useLeast as rt}from"/static/app/kit.js";import{Fragment as b,jsx as e,jsxs as h}from"/static/app/kit.js";function ga({scene:a}){return Object.entries(a.board.places).map(([t,{kind:r}])=>{let n=et[r]??wt;return e(at,{at:t,children:e(n,{scene:a,at:t})},t)})}var et={sea:nt,port:st,shipyard:ot,pirate:it,pirate_place:lt,pilot:ct,office:dt,punt:ft,berth:ut,start:kt,price:bt,supply:gt};function _(a,t){return ka(a.tables,"placement_spaces",t)}function $(a,t){let r=a.board.places[t];if(!r)throw new Error(`the board has no place ${t}`);return r}function y({scene:a,at:t,text:r=""}){return e("title",{children:[a.says.place(t),r].filter(Boolean).join(": ")})}function P({scene:a,at:t,fill:r="paper"}){let n=U(a.board,$(a,t));return e(ua,{shape:n,round:12,fill:L(r),class:"manila-card"})}function E({cost:a,x:t=0,y:r=0,radius:n=29}){return h("g",{transform:`translate(${t} ${r})`,children:[e("circle",{r:n,class:"manila-vacant"}),e(A,{amount:a,radius:n*.66})]})}function T(a,t){return Ya(U(a.board,$(a,t)))}function nt({scene:a,at:t}){let{mark:r,colour:n}=$(a,t),[i,s]=T(a,t);return h(b,{children:[e(y,{scene:a,at:t}),e("rect",{x:1-i/2,y:2-s/2,width:i-2,height:s-4,rx:"9",class:n?"manila-water manila-risky":"manila-water"}),i>50&&e("path",{d:"M-18-22q5-6 10 0t10 0M-2 4q5-6 10 0t10 0",class:"manila-wave"}),r?e("text",{y:"39","font-size":"21",class:"manila-number",children:r}):e("g",{transform:"translate(0 29)",class:"manila-pale",children:e(w,{name:"port",radius:12})}),n&&e("g",{transform:"translate(0 -22)",class:"manila-pale",children:e(w,{name:"pirate",radius:14})})]})}function st({scene:a,at:t}){let r=t.slice(-1),{costs:n,payout:i}=_(a,t),{accomplice:s}=a.view.ports[r]??{},c=T(a,t)[0]/2;return h(b,{children:[e(y,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),e(P,{scene:a,at:t}),e("path",{d:`M4 30Q14 24 24 30T44 30 64 30 84 30 ${c-12} 30 ${c-2} 30V40Q${c-2} 47 ${c-9} 47H4z`,class:"manila-basin"}),e("path",{d:"M4-46V46",class:"manila-quay"}),e("text",{x:25-c,y:"-14","font-size":"30",class:"manila-strong",children:`${r.toUpperCase()} `}),e(J,{amount:i??0,x:a.narrow?-27:-37,y:-28,size:a.narrow?20:23}),s==null&&e(E,{cost:n[0]??0,x:-30,y:16,radius:a.narrow?25:27}),e("g",{transform:"translate(52 -4)",class:"manila-faint",children:e(w,{name:"port",radius:24})})]})}function ot({scene:a,at:t}){let r=t.slice(-1),{costs:n,payout:i}=_(a,t),{accomplice:s}=a.view.shipyards[r]??{};return h(b,{children:[e(y,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),e(P,{scene:a,at:t}),e("path",{d:"M-2 46 60 46 60 38 2 38zM10 38 14 2M52 38 48 2",class:"manila-slipway"}),e("text",{x:"-46",y:"-25","font-size":"30",class:"manila-strong",children:`${r.toUpperCase()} `}),e(J,{amount:i??0,x:8,y:-35}),s==null&&e(E,{cost:n[0]??0,x:-32,y:22,radius:26}),e("g",{transform:"translate(30 20)",class:"manila-faint",children:e(w,{name:"shipyard",radius:17})})]})}function J({amount:a,x:t,y:r,size:n=23}){return e("g",{transform:`translate(${t} ${r})`,class:"manila-payout",children:e("text",{"font-size":n,y:"8",children:`+${a} `})})}function it({scene:a,at:t}){return h(b,{children:[e(y,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),e(P,{scene:a,at:t,fill:"danger"}),e("path",{d:"M-132 24Q0 40 132 16 124 54 92 54H-88Q-124 54-132 24z",class:"manila-hull"}),e("path",{d:"M-110 26V-50H-60L-72-32-60-14H-110",class:"manila-black-flag"}),e("g",{transform:"translate(-88 -32)",children:e(w,{name:"pirate",radius:14})})]})}function lt({scene:a,at:t}){let r=t==="pirate_captain"?0:1,n=r?a.view.pirates.second:a.view.pirates.captain;return h(b,{children:[e(y,{scene:a,at:t}),e("circle",{r:"38",fill:L("paper"),class:"manila-edge"}),r===0&&e("g",{transform:"translate(0 46)",children:e(w,{name:"pirate",radius:11})}),n===null&&e(E,{cost:_(a,"pirate").costs[r]??0,radius:32})]})}function ct({scene:a,at:t}){let r=t==="pilot_big",n=r?a.view.pilots.big:a.view.pilots.small;return h(b,{children:[e(y,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),e("path",{d:"M-80 34Q-84 4-56-14-40-58 0-56 44-60 58-26 86-4 80 30 74 58 0 57-76 58-80 34z",class:"manila-island"}),h("g",{transform:"translate(-64 26)",children:[e("path",{d:"M0 14Q4 0 0-14",class:"manila-trunk"}),e("path",{d:"M0-14Q-12-24-18-10-8-16 0-14 12-24 18-10 8-16 0-14 2-28-8-30-2-22 0-14 10-26 14-26 4-18 0-14z",class:"manila-palm"})]}),e("g",{transform:`translate(-24 ${r?0:8})`,children:e(w,{name:"pilot",radius:r?36:27})}),e("text",{x:"36",y:"-25","font-size":"27",class:"manila-strong",children:r?"±2 ":"±1 "}),n===null&&e(E,{cost:_(a,t).costs[0]??0,x:40,y:14})]})}function dt({scene:a,at:t}){let{income_on_placement:r=0}=_(a,t);return h(b,{children:[e(y,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),e(P,{scene:a,at:t}),e(wa,{scene:a,at:t}),a.view.insurance===null&&e("circle",{cy:"19",r:"27",class:"manila-vacant"}),e("g",{transform:"translate(-50 16)",children:e(w,{name:"insurance",radius:18})}),a.view.insurance===null&&e(J,{amount:r,x:0,y:19})]})}var mt=22,pt=.5,ht=30;function wa({scene:a,at:t}){let[r]=T(a,t),n=rt(),i=a.says.place(t),s=a.says.label(`short.${t}`),c=n>mt&&i.length*n*pt>r-14;return e(ba,{box:a.narrow?[r-30,42]:[r-14,40],at:[0,-36],max:18,short:s,class:n>ht?"manila-slim":"manila-heading",children:c?s:i})}function ft({scene:a,at:t}){let r=t.slice(5),{profit:n=0}=ka(a.tables,"wares",r),i=a.view.left_out===r,c=a.view.punts.find(k=>k.ware===r)?.seats.filter(k=>k!==null).length??0,{says:m}=a;return h(b,{children:[e(y,{scene:a,at:t,text:m.text("placement_spaces",t)}),e(P,{scene:a,at:t,fill:r}),e("path",{d:"M-138-36H118Q138-30 138 26 138 84 118 92H-138z",class:"manila-deck"}),e("path",{d:"M-138-12H132M-138 68H132",class:"manila-plank"}),h("g",{transform:"translate(-108 -72)",children:[e("circle",{r:"29",class:"manila-disc"}),e(w,{name:r,radius:23})]}),e(ba,{box:[128,56],at:[-8,-72],max:26,short:v(m.label(`short.${r}`)),class:"manila-name",children:v(m.name("wares",r))}),e("g",{transform:"translate(100 -72)",children:e(A,{amount:n,radius:29})}),c>1&&e("text",{y:"86","font-size":"18",class:"manila-number",children:`${n} ÷ ${c} = ${n/c} `}),i&&h("g",{class:"manila-ashore",children:[e("rect",{x:"-140",y:"-40",width:"280",height:"30",rx:"6"}),e("text",{y:"-18","font-size":"21",children:m.label("where.left_out")})]})]})}function ut({scene:a,at:t}){let[,r,n]=t.split("_"),s=_(a,`punt_${r}`).costs[Number(n)]??0,m=a.view.punts.find(O=>O.ware===r)?.seats[Number(n)]!=null,{left_out:k,phase:x}=a.view;return x==="place_punts"&&r!==k?null:h(b,{children:[e(y,{scene:a,at:t}),e("circle",{r:"31",class:"manila-seat"}),!m&&e(A,{amount:s,radius:19})]})}function kt({scene:a,at:t}){let[,r,n]=t.split("_"),{left_out:i,phase:s}=a.view;return s!=="place_punts"||r===i?null:h(b,{children:[e(y,{scene:a,at:t}),e("rect",{x:"-40",y:"-29",width:"80",height:"58",rx:"9",class:"manila-water manila-start"}),e("text",{y:"10","font-size":"30",class:"manila-strong",children:n})]})}function bt({scene:a,at:t}){let[,r="",n]=t.split("_"),i=a.view.market[r]??0,s=Number(n)<=i,c=Number(n)===i,[m,k]=T(a,t);return h(b,{children:[e(y,{scene:a,at:t}),e("rect",{x:-m/2,y:-k/2,width:m,height:k,rx:"8",fill:L(s?r:"paper"),class:"manila-card"}),e("text",{x:c?18:0,y:"8","font-size":"24",class:c?"manila-strong":"manila-number",children:n})]})}function gt({scene:a,at:t}){let r=U(a.board,$(a,t));return h(b,{children:[e(y,{scene:a,at:t}),e(ua,{shape:r,round:8,class:"manila-tray"})]})}function wt({scene:a,at:t}){let{icon:r}=$(a,t),n=yt[t];return h(b,{children:[e(P,{scene:a,at:t}),e(wa,{scene:a,at:t}),r&&t!=="auction"&&e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(w,{name:r,radius:26})}),n&&e(n,{scene:a})]})}var yt={voyage:xt,auction:vt,left_out:Mt};function xt({scene:a}){let{view:t}=a,n=a.tables.voyage_schedule[String(t.players.length)]??[],i={placement:t.placement_round,movement:t.movement_round},[s,c]=[0,0],m=132/n.length,k=["placement","movement"].flatMap(x=>i[x]?[a.says.label(`board.${x}`,{number:i[x]})]:[]);return h(b,{children:[e("title",{children:k.join(" · ")}),e("text",{y:"18","font-size":"38",class:"manila-strong",children:t.voyage}),n.map((x,O)=>{let ya=(x==="movement"?++c:++s)<=i[x],xa=(O-(n.length-1)/2)*m;return e("g",{transform:`translate(${xa} 38)`,class:ya?"manila-past":"manila-coming",children:x==="movement"?h(b,{children:[e("rect",{x:"-8",y:"-8",width:"16",height:"16",rx:"3"}),e("circle",{cx:"-3.5",cy:"-3.5",r:"1.8",class:"manila-pip"}),e("circle",{cx:"3.5",cy:"3.5",r:"1.8",class:"manila-pip"})]}):e("path",{d:"M-8 6Q-2-2 0-9 2-2 8 6 0 10-8 6z"})},O)})]})}function vt({scene:a}){let{auction:t}=a.view;return t?h(b,{children:[h("g",{transform:"translate(0 8)",children:[e(I,{radius:24}),e("text",{y:"9","font-size":"26",class:"manila-onto-gold",children:t.high})]}),t.passed.map((r,n)=>h("g",{transform:`translate(${(n-(t.passed.length-1)/2)*30} 42)`,children:[e(tt,{sign:a.sign(r),size:.7}),e("path",{d:"M-10 8 10-8",class:"manila-out"})]},r))]}):e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(w,{name:"hammer",radius:26})})}function Mt({scene:a}){let t=a.view.left_out;return t===null?null:h("g",{transform:"translate(0 10)",children:[e("title",{children:a.says.name("wares",t)}),e("rect",{x:"-34",y:"-24",width:"68",height:"52",rx:"6",fill:L(t),class:"manila-edge"}),e("path",{d:"M-34-8H34M-34 12H34",class:"manila-rope"}),e("circle",{cy:"2",r:"20",class:"manila-disc"}),e("g",{transform:"translate(0 2)",children:e(w,{name:t,radius:17})})]})}import{Fragment as Vt,jsx as M,jsxs as St}from"/static/app/kit.js";var zt={icons:X,draw:a=>St(Vt,{children:[M(Z,{scene:a}),M(ga,{scene:a}),M(sa,{scene:a}),M(ia,{scene:a}),M(ea,{scene:a}),M(ra,{scene:a}),M(ta,{scene:a})]}),narrow:fa,mat:(a,t)=>M(ca,{scene:a,mat:t}),beside:({decider:a,abstained:t},r)=>[a===r,t.includes(Number(r))],style:D},or=zt;export{or as default};
