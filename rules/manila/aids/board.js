var Z=`.manila-line,
.manila-edge {
  stroke: var(--board-ink);
  stroke-width: 1.2;
}
.manila-edge {
  stroke-width: 1.6;
}
.manila-card {
  stroke: var(--board-ink);
  stroke-opacity: 0.4;
  stroke-width: 1.5;
}
.manila-gold {
  fill: #e3b341;
  stroke: #6b4a0c;
  stroke-width: 1;
}
.manila-milled {
  fill: none;
  stroke: #8f6715;
  stroke-width: 0.8;
  stroke-dasharray: 1.5 1.2;
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
.manila-skin {
  fill: #c98f62;
}
.manila-leaf {
  stroke: #3d8b4f;
  stroke-width: 2.4;
  fill: none;
}
.manila-root {
  fill: #e8c27a;
  stroke: #6d4a17;
  stroke-width: 1.2;
  stroke-linejoin: round;
}
.manila-jade {
  fill: #3fa36c;
  stroke: #14482b;
  stroke-width: 1.4;
}
.manila-glint {
  fill: none;
  stroke: #fff;
  stroke-opacity: 0.75;
  stroke-width: 1.4;
}
.manila-nut {
  fill: #96602f;
  stroke: #47290e;
  stroke-width: 1.4;
}
.manila-mace {
  fill: none;
  stroke: #e2683c;
  stroke-width: 1.8;
}
.manila-silk {
  fill: #4d86cf;
  stroke: #183a68;
  stroke-width: 1.2;
}
.manila-fold {
  fill: #3568ab;
}
.manila-band,
.manila-spoke,
.manila-tick,
.manila-ray,
.manila-stroke,
.manila-handle,
.manila-bone {
  fill: none;
  stroke: var(--board-ink);
  stroke-width: 1.8;
  stroke-linecap: round;
}
.manila-helm {
  fill: none;
  stroke: #a06a32;
  stroke-width: 3.4;
}
.manila-spoke {
  stroke: #a06a32;
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
.manila-tick {
  stroke: #2d8a56;
  stroke-width: 3;
}
.manila-ray {
  stroke: #e3b341;
}
.manila-stroke {
  stroke-width: 2.4;
}
.manila-bone {
  stroke-width: 3;
}
.manila-dark {
  fill: #2b1d10;
}
.manila-seal {
  fill: #b3322b;
  stroke: #5e120d;
  stroke-width: 0.8;
}
.manila-handle {
  stroke: #8a5c2c;
  stroke-width: 3;
}
.manila-steel {
  fill: #9aa4ab;
  stroke: #39424a;
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
`;import{colour as g}from"/static/app/kit.js";import{Fragment as y,jsx as s,jsxs as h}from"/static/app/kit.js";var u={class:"manila-line"},H="manila-gold",za=h(y,{children:[s("circle",{cy:"3",r:"6",class:"manila-skin"}),s("path",{d:"M-9 12a9 7 0 0 1 18 0z",fill:g("paper"),...u}),s("path",{d:"M-11 0Q-2-5 0-12 2-5 11 0 0 4-11 0z",fill:g("wood"),...u})]}),Va=h(y,{children:[s("path",{d:"M-10-3V9H10V-3z",fill:g("wood"),...u}),s("path",{d:"M-10-3Q-9-9 0-9T10-3z",fill:g("wood"),...u}),s("rect",{x:"-3",y:"-5",width:"6",height:"7",rx:"1",class:H})]}),Sa=h(y,{children:[s("path",{d:"M-6-5V-12M0-6V-12M6-5V-12",class:"manila-leaf"}),s("path",{d:"M-5-6Q0-9 5-6 8-1 5 3L9 11M5 3 2 5 1 12M2 4-3 5-5 12M-4 4-6 2-10 9M-6 3Q-8-2-5-6z",class:"manila-root"})]}),Oa=h(y,{children:[s("circle",{r:"10.5",class:"manila-jade"}),s("circle",{r:"4",fill:g("paper"),...u}),s("path",{d:"M-7.5-3A8 8 0 0 1-2-7.8",class:"manila-glint"})]}),Ha=h(y,{children:[s("ellipse",{rx:"8.5",ry:"10.5",class:"manila-nut",transform:"rotate(28)"}),s("path",{d:"M-5 6Q-7-3 3-8M0 8Q0 0 6-5M5 6Q6 2 7-1",class:"manila-mace"})]}),_a=h(y,{children:[s("path",{d:"M-11-5Q-4-10 11-7V3Q-3 0-11 6z",class:"manila-silk"}),s("path",{d:"M-11 6Q-4 11 11 8V3Q-3 0-11 6z",class:"manila-silk manila-fold"}),s("circle",{cx:"-9",cy:"0",r:"2.6",class:H}),s("path",{d:"M-2-8Q-4-3-2 2M5-8Q3-3 5 2",class:"manila-glint"})]}),Qa=h("g",{transform:"rotate(-38)",children:[s("rect",{x:"-2",y:"-2",width:"4",height:"15",rx:"2",fill:g("wood"),...u}),s("rect",{x:"-8",y:"-10",width:"16",height:"9",rx:"2",fill:g("wood"),...u}),s("path",{d:"M-5-10v9M5-10v9",class:"manila-band"})]}),Pa=h(y,{children:[s("circle",{r:"7.5",class:"manila-helm"}),s("path",{d:"M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5",class:"manila-spoke"}),s("circle",{r:"2.6",class:H})]}),$a=h(y,{children:[s("path",{d:"M0-11Q5-8 10-8 10 6 0 12-10 6-10-8-5-8 0-11z",fill:g("paper"),...u}),s("path",{d:"M-5 0-1 5 6-5",class:"manila-tick"})]}),R=({radius:a=12})=>h("g",{transform:`scale(${a/12})`,children:[s("circle",{r:"11.5",class:H}),s("circle",{r:"9",class:"manila-milled"})]}),Ra=h(y,{children:[s(R,{}),s("text",{class:"manila-onto-gold","font-size":"13",y:"4.6",children:"₱"})]}),Ca=h(y,{children:[s("path",{d:"M-5 12-3-3H3L5 12z",fill:g("paper"),...u}),s("path",{d:"M-4 4H4L4.6 8H-4.6z",fill:g("red")}),s("path",{d:"M-5-3V-8H5V-3zM-6-8 0-12 6-8z",class:H}),s("path",{d:"M-6-6-12-8M-6-5-12-4M6-6 12-8M6-5 12-4",class:"manila-ray"})]}),Aa=h(y,{children:[s("path",{d:"M-11 9 11-3M11 9-11-3",class:"manila-bone"}),s("path",{d:"M-7-1Q-8-10 0-11 8-10 7-1L4 2V6H-4V2z",fill:g("paper"),...u}),s("circle",{cx:"-3",cy:"-3",r:"2",class:"manila-dark"}),s("circle",{cx:"3",cy:"-3",r:"2",class:"manila-dark"}),s("path",{d:"M-1.5 6V3.4M1.5 6V3.4",...u})]}),La=h(y,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"21",rx:"2",fill:g("paper"),...u}),s("path",{d:"M-5-7H5M-5-3.5H5",...u}),s("path",{d:"M-3 4-5 12 0 9 5 12 3 4z",class:"manila-seal"}),s("circle",{cy:"3",r:"4.6",class:"manila-seal"})]}),ja=h(y,{children:[s("circle",{cy:"-8",r:"3",class:"manila-stroke"}),s("path",{d:"M0-5V11M-6-2H6M-10 3Q-9 11 0 11 9 11 10 3M-12 6-10 2-7 5M12 6 10 2 7 5",class:"manila-stroke"})]}),Ta=h(y,{children:[s("path",{d:"M-1-11V4M0-11 9 2H0z",fill:g("paper"),...u}),s("path",{d:"M-12 3H12Q9 11 5 11H-6Q-10 11-12 3z",fill:g("wood"),...u})]}),Ea=h(y,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"22",rx:"2",fill:g("paper"),...u}),s("path",{d:"M-5-7H5M-5-4H5M-5 8H1",...u}),s("circle",{cy:"2.5",r:"3.4",class:H})]}),Ba=h(y,{children:[s("path",{d:"M-9-8 7 10M9-8-7 10",class:"manila-handle"}),s("path",{d:"M-12-6-6-12-3-9-9-3z",class:"manila-steel"}),s("path",{d:"M4-10 10-12 12-6 9-4z",class:"manila-steel"})]}),Ia=h(y,{children:[s("path",{d:"M0-12 11-4V8Q11 11 8 11H-8Q-11 11-11 8V-4z",fill:g("wood"),...u}),s("circle",{cy:"-5",r:"2",fill:g("paper"),...u})]}),K={accomplice:za,box:Va,ginseng:Sa,hammer:Qa,harbour_master:Pa,insurance:$a,jade:Oa,nutmeg:Ha,peso:Ra,pilot:Ca,pirate:Aa,pledge:La,port:ja,price_marker:Ia,punt:Ta,share:Ea,shipyard:Ba,silk:_a};import{colour as T,Icon as Y,Text as qa}from"/static/app/kit.js";function z(a){return a.slice(0,1).toUpperCase()+a.slice(1)}import{Fragment as N,jsx as m,jsxs as S}from"/static/app/kit.js";function aa({scene:a}){let[t,e]=a.board.size;return S("g",{class:"manila-land",children:[m("rect",{width:t,height:e,rx:"18",fill:T("ground")}),a.narrow?m(Fa,{scene:a}):m(Na,{scene:a})]})}function Na({scene:a}){let{says:t}=a;return S(N,{children:[m("path",{d:"M8 34Q8 14 28 14H700Q716 14 716 30V230H8z",class:"manila-stall"}),Object.keys(a.view.market).map((e,n)=>S("g",{transform:`translate(0 ${64+48*n})`,children:[m("g",{transform:"translate(34 0)",children:m(Y,{name:e,radius:17})}),m(qa,{box:[100,42],at:[104,0],max:20,class:"manila-name",children:z(t.name("wares",e))})]},e)),m(ta,{scene:a,at:[360,638,37]}),m("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710H0z",fill:T("sea")}),m("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710",class:"manila-surf"}),m("path",{d:"M938 242H1200V710H776V562H946Q956 500 940 420 952 330 938 242z",fill:T("land")}),m("path",{d:"M944 250H1192V556H944z",class:"manila-pier"}),m("path",{d:"M952 556v14M1000 556v14M1048 556v14M1096 556v14M1144 556v14M1188 556v14",class:"manila-rope"}),m("path",{d:"M780 570H1192V694H780z",class:"manila-pier"}),[0,1,2].map(e=>m("path",{d:`M26 ${300+100*e}H936`,class:"manila-course"},e)),m("path",{d:"M832 552Q836 590 738 608",class:"manila-ambush"}),m("path",{d:"M196 574q9-10 18 0t18 0M192 688q9-10 18 0t18 0M14 572q9-10 18 0t18 0M400 566q9-10 18 0t18 0M400 698q9-10 18 0t18 0",class:"manila-wave"}),S("g",{transform:"translate(414 632)",class:"manila-rose",children:[m("circle",{r:"30"}),m("path",{d:"M0-44 7-7 44 0 7 7 0 44-7 7-44 0-7-7z"}),m("path",{d:"M-22-22-2-8-8-2zM22-22 2-8 8-2zM-22 22-2 8-8 2zM22 22 2 8 8 2z"})]})]})}function Fa({scene:a}){let{board:t,view:e}=a;return S(N,{children:[m("path",{d:"M6 30Q6 10 26 10H576Q594 10 594 28V262H6z",class:"manila-stall"}),Object.keys(e.market).map(n=>S("g",{transform:`translate(34 ${t.places[`supply_${n}`]?.y??0})`,children:[m("title",{children:a.says.name("wares",n)}),m(Y,{name:n,radius:19})]},n)),m(ta,{scene:a,at:[250,517,35]}),m("path",{d:"M0 502H600V1188H0z",fill:T("sea")}),m("path",{d:"M0 502H600M0 1188H600",class:"manila-surf"}),m("path",{d:"M3 816H597V1052H3z",class:"manila-pier"}),m("path",{d:"M60 922v8M140 922v8M220 922v8M380 922v8M460 922v8M540 922v8",class:"manila-rope"}),[556,656,756].map(n=>m("path",{d:`M22 ${n}H580`,class:"manila-course"},n))]})}function ta({scene:{says:a},at:[t,e,n]}){return S(N,{children:[m("text",{x:t,y:n,"font-size":"20",class:"manila-title",children:z(a.label("board.market"))}),m("text",{x:e,y:n,"font-size":"20",class:"manila-title",children:z(a.label("board.supply"))})]})}import{colour as Da,Icon as J,Outline as Za,Piece as Ka,Place as Ya,SeatSign as at,shapeOf as tt,Text as et}from"/static/app/kit.js";import{colour as _,Icon as Q,Piece as E,SeatSign as F}from"/static/app/kit.js";import{Fragment as ca,jsx as o,jsxs as k}from"/static/app/kit.js";var Wa={pirate_place:1.2,shipyard:.86,office:.9},Ua={wide:{at_sea:1,in_port:1,in_shipyard:.56},narrow:{at_sea:.85,in_port:.66,in_shipyard:.56}};function Ja({sign:a,size:t=1}){return k("g",{transform:`scale(${t})`,children:[o("ellipse",{cy:"27",rx:"22",ry:"5",class:"manila-shade"}),o("circle",{cy:"3",r:"25",fill:_("paper"),stroke:_(a.colour),"stroke-width":"5"}),o("g",{transform:"translate(0 6)",children:o(F,{sign:a,size:1.35})}),o("path",{d:"M-22-12Q-4-18 0-31 4-18 22-12 0-4-22-12z",class:"manila-hat"})]})}function Xa({scene:a,punt:t}){let{ware:e,seats:n,plundered:l}=t,i=88/(n.length+.4);return k(ca,{children:[o("path",{d:"M-44 26Q0 36 46 24",class:"manila-wake"}),o("path",{d:"M-30-30H26L31 6H-35z",fill:_(e),class:"manila-edge"}),o("path",{d:"M-32-14H28.5M-10-30-12 6M8-30 10 6",class:"manila-rope"}),o("circle",{cx:"-2",cy:"-15",r:"16",class:"manila-disc"}),o("g",{transform:"translate(-2 -15)",children:o(Q,{name:e,radius:12.5})}),o("path",{d:"M-53 0Q0 8 55-5 48 29 32 29H-34Q-48 29-53 0z",class:"manila-hull"}),n.map((c,f)=>k("g",{transform:`translate(${(f-(n.length-1)/2)*i-1} 15)`,children:[o("circle",{r:"9.5",class:c===null?"manila-bench":"manila-aboard"}),c!==null&&o(F,{sign:a.sign(c),size:.66})]},f)),l&&k("g",{transform:"translate(38 -24)",children:[o("path",{d:"M-9 30V-14H22L16-3 22 8H-9",class:"manila-black-flag"}),o("g",{transform:"translate(4 -3)",children:o(Q,{name:"pirate",radius:8})})]})]})}function ea({scene:a}){return a.pieces.filter(({type:t})=>t==="punt").map(t=>{let e=a.view.punts.find(({ware:l})=>l===t.id);if(!e)return null;let n=Ua[a.narrow?"narrow":"wide"][e.status];return o(E,{of:t,at:e.status==="at_sea"?[t.x,t.y-10]:[t.x,t.y],shape:{rect:[112*n,68*n]},children:o("g",{transform:`scale(${n})${e.status==="in_shipyard"?" rotate(9)":""}`,children:o(Xa,{scene:a,punt:e})})},t.key)})}function ra({scene:a}){return a.pieces.filter(({type:t})=>t==="accomplice").map(t=>{let e=a.board.places[t.place]?.kind??"",n=Wa[e]??1,l=e==="office"?[t.x,t.y+20]:Ga(t,e);return o(sa,{scene:a,piece:t,at:l,radius:30*n,children:o(Ja,{sign:a.sign(t.owner??0),size:n})},t.key)})}function Ga({x:a,y:t},e){return e==="pilot"?[a+40,t+14]:[a,t]}function na({scene:a}){return a.pieces.filter(({type:t})=>t==="harbour_master"||t==="high_bidder").map(t=>k(sa,{scene:a,piece:t,at:[t.x,t.y+19],radius:31,children:[o("circle",{r:"27",fill:_("paper"),stroke:_(a.sign(t.owner??0).colour),"stroke-width":"5"}),o(F,{sign:a.sign(t.owner??0),size:1.35}),k("g",{transform:"translate(34 6)",children:[o("circle",{r:"17",class:"manila-disc"}),o(Q,{name:t.type==="high_bidder"?"hammer":"harbour_master",radius:13})]})]},t.key))}function sa({scene:a,piece:t,at:e,radius:n,children:l}){let i=a.says.owner(t.owner??0);return k(E,{of:t,at:e,shape:{circle:n},name:i,children:[o("title",{children:i}),l]})}function ia({scene:a}){return a.pieces.filter(({type:t})=>t==="price_marker").map(t=>k(E,{of:t,at:[t.x-18,t.y],shape:{circle:20},children:[o("circle",{r:"19",class:"manila-disc"}),o(Q,{name:t.id??"",radius:14})]},t.key))}function W({ware:a,width:t=28}){return k("g",{transform:`scale(${t/28})`,children:[o("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",fill:_(a),class:"manila-edge"}),o("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),o("circle",{r:"9.5",class:"manila-disc"}),o(Q,{name:a,radius:8})]})}function la({width:a=28}){return k("g",{transform:`scale(${a/28})`,children:[o("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",class:"manila-back"}),o("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),o(Q,{name:"harbour_master",radius:8})]})}function oa({scene:a}){return a.pieces.filter(({type:t})=>t==="share").map(t=>{let e=t.count??0;return k(E,{of:t,shape:{rect:[136,38]},children:[o("text",{x:"-54",y:"9","font-size":"26",class:"manila-strong",children:e}),Array.from({length:e},(n,l)=>o("g",{transform:`translate(${l*19-26} 0)`,children:o(W,{ware:t.id??"",width:25})},l))]},t.key)})}function B({amount:a,radius:t=17}){return k(ca,{children:[o(R,{radius:t}),o("text",{class:"manila-onto-gold","font-size":t*(a>9?1.05:1.35),y:t*(a>9?.38:.48),children:a})]})}import{Fragment as C,jsx as d,jsxs as O}from"/static/app/kit.js";function ma({scene:a,mat:t}){let e=t.view,n=a.board.mat;if(!n)return null;let{view:l}=a;return O(C,{children:[l.decider===e.seat&&d("rect",{x:"1",y:"1",width:"478",height:"182",rx:"12",class:"manila-asked"}),Object.entries(n.places).map(([i,c])=>{let f=rt[i]??ot;return O(Ya,{at:i,children:[d("title",{children:a.says.place(i,!0)}),d(Za,{shape:tt(n,c),round:10,fill:Da(c.colour??"paper"),class:c.kind==="shares"?"manila-shelf":"manila-card"}),d(f,{scene:a,player:e,at:i})]},i)}),t.pieces.map(i=>O(Ka,{of:i,shape:{rect:[40,54]},class:i.count===0?"manila-none":"",children:[i.count!==0&&d("g",{transform:"translate(0 -6)",children:d(W,{ware:i.id??"",width:34})}),d("text",{y:"37","font-size":i.count===0?18:24,class:"manila-strong",children:i.count})]},i.key))]})}var rt={cash:U,funds:U,pledged:U,accomplices:it,shares:lt};function da({scene:a,at:t,width:e=106}){return d(et,{box:[e,20],at:[0,-25],max:18,class:"manila-caption",children:z(a.says.label(nt[t]??""))})}var nt={cash:"where.cash",funds:"board.funds",pledged:"board.pledged",accomplices:"board.in_hand"},st={cash:"peso",funds:"box",pledged:"pledge"};function U({scene:a,player:t,at:e}){let n=t[e];return O(C,{children:[d(da,{scene:a,at:e}),d("g",{transform:"translate(-33 12)",children:d(J,{name:st[e]??"",radius:17})}),d("text",{x:"16",y:"24","font-size":"34",class:"manila-strong",children:n})]})}function it({scene:a,player:t,at:e}){let n=a.view.abstained.includes(t.seat),l=t.accomplices_in_hand,i=Math.min(27,96/Math.max(l,1));return O(C,{children:[d(da,{scene:a,at:e}),Array.from({length:l},(c,f)=>d("g",{transform:`translate(${(f-(l-1)/2)*i} 12)`,children:d(at,{sign:a.sign(t.seat),size:1.05})},f)),l===0&&d("text",{y:"22","font-size":"28",class:"manila-number",children:"0"}),n&&d("path",{d:"M-44 24 44 2",class:"manila-out"})]})}function lt({player:a}){let t={...a.dealt},e=Object.values(a.bought),n=[...Object.values(t),...e].reduce((i,c)=>i+c,0),l=a.shares-n;return O(C,{children:[d("g",{transform:"translate(-26 -22)",children:d(J,{name:"share",radius:13})}),d("text",{x:"12",y:"-12","font-size":"30",class:"manila-strong",children:a.shares}),Array.from({length:l},(i,c)=>d("g",{transform:`translate(${(c-(l-1)/2)*32} 18)`,children:d(la,{width:28})},c))]})}function ot({at:a}){let[t,e=""]=a.split("_");return O(C,{children:[d("g",{transform:"translate(0 -8)",class:"manila-faint",children:d(J,{name:e,radius:15})}),t==="dealt"&&d("path",{d:"M-16-42V-30L-10-35-4-30V-42z",class:"manila-ribbon"})]})}var ct={sea:[36,96],port:[192,96],shipyard:[192,116],pirate:[264,116],pilot:[158,116],office:[192,108],area:[192,108],price:[73,46],supply:[150,46]},ua=["nutmeg","silk","ginseng","jade"],mt=["0","5","10","20","30"],pa=["a","b","c"],dt=["harbour_master","high_bidder","auction","voyage","left_out","insurance"];function ha(a){let t=Object.entries(a.kinds).map(([n,l])=>{let i=ct[n];return[n,i?{...l,shape:{rect:i}}:l]}),e=Object.entries(a.places).map(([n,l])=>[n,{...l,...pt(a,n,l)}]);return{...a,size:[600,1650],kinds:Object.fromEntries(t),places:Object.fromEntries(e)}}function pt(a,t,{kind:e,x:n,y:l}){let[,i="",c=""]=t.split("_");switch(e){case"price":return{x:98+mt.indexOf(c)*75,y:fa(i)};case"supply":return{x:517,y:fa(i)};case"sea":return{x:42+Number(c)*37,y:456+Number(i)*100};case"port":return{x:X(pa.indexOf(i)),y:872};case"shipyard":return{x:X(pa.indexOf(i)),y:988};case"pirate":case"pirate_place":return{x:n-590+138,y:l-632+1120};case"pilot":return{x:i==="big"?517:354,y:1120};case"punt":case"berth":case"start":{let f=a.places[`punt_${i}`],w=ua.indexOf(i),[v,j]=[150+w%2*300,1302+Math.floor(w/2)*228];return{x:v+n-(f?.x??0),y:j+l-(f?.y??0)}}default:{let f=dt.indexOf(t);return{x:X(f%3),y:326+Math.floor(f/3)*116}}}}var X=a=>103+a*197,fa=a=>72+ua.indexOf(a)*53;import{colour as I,extentOf as ft,Icon as x,Outline as ga,Place as ut,rowOf as ya,SeatSign as ht,shapeOf as G,Text as ba}from"/static/app/kit.js";import{Fragment as b,jsx as r,jsxs as p}from"/static/app/kit.js";function wa({scene:a}){return Object.entries(a.board.places).map(([t,{kind:e}])=>{let n=gt[e]??_t;return r(ut,{at:t,children:r(n,{scene:a,at:t})},t)})}var gt={sea:yt,port:bt,shipyard:wt,pirate:kt,pirate_place:xt,pilot:Mt,office:vt,punt:zt,berth:Vt,start:St,price:Ot,supply:Ht};function P(a,t){return ya(a.tables,"placement_spaces",t)}function A(a,t){let e=a.board.places[t];if(!e)throw new Error(`the board has no place ${t}`);return e}function M({scene:a,at:t,text:e=""}){return r("title",{children:[a.says.place(t),e].filter(Boolean).join(": ")})}function $({scene:a,at:t,fill:e="paper"}){let n=G(a.board,A(a,t));return r(ga,{shape:n,round:12,fill:I(e),class:"manila-card"})}function q({cost:a,x:t=0,y:e=0,radius:n=29}){return p("g",{transform:`translate(${t} ${e})`,children:[r("circle",{r:n,class:"manila-vacant"}),r(B,{amount:a,radius:n*.66})]})}function L(a,t){return ft(G(a.board,A(a,t)))}function yt({scene:a,at:t}){let{mark:e,colour:n}=A(a,t),[l,i]=L(a,t);return p(b,{children:[r(M,{scene:a,at:t}),r("rect",{x:1-l/2,y:2-i/2,width:l-2,height:i-4,rx:"9",class:n?"manila-water manila-risky":"manila-water"}),l>50&&r("path",{d:"M-18-22q5-6 10 0t10 0M-2 4q5-6 10 0t10 0",class:"manila-wave"}),e?r("text",{y:"39","font-size":"21",class:"manila-number",children:e}):r("g",{transform:"translate(0 29)",class:"manila-pale",children:r(x,{name:"port",radius:12})}),n&&r("g",{transform:"translate(0 -22)",class:"manila-pale",children:r(x,{name:"pirate",radius:14})})]})}function bt({scene:a,at:t}){let e=t.slice(-1),{costs:n,payout:l}=P(a,t),{accomplice:i}=a.view.ports[e]??{},c=L(a,t)[0]/2;return p(b,{children:[r(M,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),r($,{scene:a,at:t}),r("path",{d:`M4 30Q14 24 24 30T44 30 64 30 84 30 ${c-12} 30 ${c-2} 30V40Q${c-2} 47 ${c-9} 47H4z`,class:"manila-basin"}),r("path",{d:"M4-46V46",class:"manila-quay"}),r("text",{x:25-c,y:"-14","font-size":"30",class:"manila-strong",children:e.toUpperCase()}),r(D,{amount:l??0,x:a.narrow?20-c:27-c,y:22,size:a.narrow?20:23}),i==null&&r(q,{cost:n[0]??0,x:-30}),r("g",{transform:"translate(52 -4)",class:"manila-faint",children:r(x,{name:"port",radius:24})})]})}function wt({scene:a,at:t}){let e=t.slice(-1),{costs:n,payout:l}=P(a,t),{accomplice:i}=a.view.shipyards[e]??{};return p(b,{children:[r(M,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),r($,{scene:a,at:t}),r("path",{d:"M-2 46 60 46 60 38 2 38zM10 38 14 2M52 38 48 2",class:"manila-slipway"}),r("text",{x:"-46",y:"-25","font-size":"30",class:"manila-strong",children:e.toUpperCase()}),r(D,{amount:l??0,x:8,y:-35}),i==null&&r(q,{cost:n[0]??0,x:-32,y:22,radius:26}),r("g",{transform:"translate(30 20)",class:"manila-faint",children:r(x,{name:"shipyard",radius:17})})]})}function D({amount:a,x:t,y:e,size:n=23}){return r("g",{transform:`translate(${t} ${e})`,class:"manila-payout",children:p("text",{"font-size":n,y:"8",children:["+",a]})})}function kt({scene:a,at:t}){return p(b,{children:[r(M,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),r($,{scene:a,at:t,fill:"danger"}),r("path",{d:"M-132 24Q0 40 132 16 124 54 92 54H-88Q-124 54-132 24z",class:"manila-hull"}),r("path",{d:"M-110 26V-50H-60L-72-32-60-14H-110",class:"manila-black-flag"}),r("g",{transform:"translate(-88 -32)",children:r(x,{name:"pirate",radius:14})})]})}function xt({scene:a,at:t}){let e=t==="pirate_captain"?0:1,n=e?a.view.pirates.second:a.view.pirates.captain;return p(b,{children:[r(M,{scene:a,at:t}),r("circle",{r:"38",fill:I("paper"),class:"manila-edge"}),e===0&&r("g",{transform:"translate(0 46)",children:r(x,{name:"pirate",radius:11})}),n===null&&r(q,{cost:P(a,"pirate").costs[e]??0,radius:32})]})}function Mt({scene:a,at:t}){let e=t==="pilot_big",n=e?a.view.pilots.big:a.view.pilots.small;return p(b,{children:[r(M,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),r("path",{d:"M-80 34Q-84 4-56-14-40-58 0-56 44-60 58-26 86-4 80 30 74 58 0 57-76 58-80 34z",class:"manila-island"}),p("g",{transform:"translate(-64 26)",children:[r("path",{d:"M0 14Q4 0 0-14",class:"manila-trunk"}),r("path",{d:"M0-14Q-12-24-18-10-8-16 0-14 12-24 18-10 8-16 0-14 2-28-8-30-2-22 0-14 10-26 14-26 4-18 0-14z",class:"manila-palm"})]}),r("g",{transform:`translate(-24 ${e?0:8})`,children:r(x,{name:"pilot",radius:e?36:27})}),r("text",{x:"36",y:"-25","font-size":"27",class:"manila-strong",children:e?"±2":"±1"}),n===null&&r(q,{cost:P(a,t).costs[0]??0,x:40,y:14})]})}function vt({scene:a,at:t}){let{income_on_placement:e=0}=P(a,t);return p(b,{children:[r(M,{scene:a,at:t,text:a.says.text("placement_spaces",t)}),r($,{scene:a,at:t}),r(ka,{words:a.says.place(t),width:L(a,t)[0]-14}),a.view.insurance===null&&r("circle",{cy:"19",r:"27",class:"manila-vacant"}),r("g",{transform:"translate(-50 16)",children:r(x,{name:"insurance",radius:18})}),a.view.insurance===null&&r(D,{amount:e,x:0,y:19})]})}function ka({words:a,width:t}){return r(ba,{box:[t,40],at:[0,-36],max:18,class:"manila-heading",children:a})}function zt({scene:a,at:t}){let e=t.slice(5),{profit:n=0}=ya(a.tables,"wares",e),l=a.view.left_out===e,c=a.view.punts.find(w=>w.ware===e)?.seats.filter(w=>w!==null).length??0,{says:f}=a;return p(b,{children:[r(M,{scene:a,at:t,text:f.text("placement_spaces",t)}),r($,{scene:a,at:t,fill:e}),r("path",{d:"M-138-36H118Q138-30 138 26 138 84 118 92H-138z",class:"manila-deck"}),r("path",{d:"M-138-12H132M-138 68H132",class:"manila-plank"}),p("g",{transform:"translate(-108 -72)",children:[r("circle",{r:"29",class:"manila-disc"}),r(x,{name:e,radius:23})]}),r(ba,{box:[128,56],at:[-8,-72],max:26,class:"manila-name",children:z(f.name("wares",e))}),r("g",{transform:"translate(100 -72)",children:r(B,{amount:n,radius:29})}),c>1&&p("text",{y:"86","font-size":"18",class:"manila-number",children:[n," ÷ ",c," = ",n/c]}),l&&p("g",{class:"manila-ashore",children:[r("rect",{x:"-140",y:"-40",width:"280",height:"30",rx:"6"}),r("text",{y:"-18","font-size":"21",children:f.label("where.left_out")})]})]})}function Vt({scene:a,at:t}){let[,e,n]=t.split("_"),i=P(a,`punt_${e}`).costs[Number(n)]??0,f=a.view.punts.find(w=>w.ware===e)?.seats[Number(n)]!=null;return p(b,{children:[r(M,{scene:a,at:t}),r("circle",{r:"31",class:"manila-seat"}),!f&&r(B,{amount:i,radius:19})]})}function St({scene:a,at:t}){let[,e,n]=t.split("_"),{left_out:l,phase:i}=a.view;return i!=="place_punts"||e===l?null:p(b,{children:[r(M,{scene:a,at:t}),r("rect",{x:"-20",y:"-20",width:"40",height:"40",rx:"9",class:"manila-water manila-start"}),r("text",{y:"8","font-size":"23",class:"manila-strong",children:n})]})}function Ot({scene:a,at:t}){let[,e="",n]=t.split("_"),l=a.view.market[e]??0,i=Number(n)<=l,c=Number(n)===l,[f,w]=L(a,t);return p(b,{children:[r(M,{scene:a,at:t}),r("rect",{x:-f/2,y:-w/2,width:f,height:w,rx:"8",fill:I(i?e:"paper"),class:"manila-card"}),r("text",{x:c?20:0,y:"8","font-size":"24",class:c?"manila-strong":"manila-number",children:n})]})}function Ht({scene:a,at:t}){let e=G(a.board,A(a,t));return p(b,{children:[r(M,{scene:a,at:t}),r(ga,{shape:e,round:8,class:"manila-tray"})]})}function _t({scene:a,at:t}){let{icon:e}=A(a,t),n=Qt[t];return p(b,{children:[r($,{scene:a,at:t}),r(ka,{words:a.says.place(t),width:L(a,t)[0]-14}),e&&t!=="auction"&&r("g",{transform:"translate(0 16)",class:"manila-faint",children:r(x,{name:e,radius:26})}),n&&r(n,{scene:a})]})}var Qt={voyage:Pt,auction:$t,left_out:Rt};function Pt({scene:a}){let{view:t}=a,n=a.tables.voyage_schedule[String(t.players.length)]??[],l={placement:t.placement_round,movement:t.movement_round},[i,c]=[0,0],f=132/n.length,w=["placement","movement"].flatMap(v=>l[v]?[a.says.label(`board.${v}`,{number:l[v]})]:[]);return p(b,{children:[r("title",{children:w.join(" · ")}),r("text",{y:"18","font-size":"38",class:"manila-strong",children:t.voyage}),n.map((v,j)=>{let xa=(v==="movement"?++c:++i)<=l[v],Ma=(j-(n.length-1)/2)*f;return r("g",{transform:`translate(${Ma} 38)`,class:xa?"manila-past":"manila-coming",children:v==="movement"?p(b,{children:[r("rect",{x:"-8",y:"-8",width:"16",height:"16",rx:"3"}),r("circle",{cx:"-3.5",cy:"-3.5",r:"1.8",class:"manila-pip"}),r("circle",{cx:"3.5",cy:"3.5",r:"1.8",class:"manila-pip"})]}):r("path",{d:"M-8 6Q-2-2 0-9 2-2 8 6 0 10-8 6z"})},j)})]})}function $t({scene:a}){let{auction:t}=a.view;return t?p(b,{children:[p("g",{transform:"translate(0 8)",children:[r(R,{radius:24}),r("text",{y:"9","font-size":"26",class:"manila-onto-gold",children:t.high})]}),t.passed.map((e,n)=>p("g",{transform:`translate(${(n-(t.passed.length-1)/2)*30} 42)`,children:[r(ht,{sign:a.sign(e),size:.7}),r("path",{d:"M-10 8 10-8",class:"manila-out"})]},e))]}):r("g",{transform:"translate(0 16)",class:"manila-faint",children:r(x,{name:"hammer",radius:26})})}function Rt({scene:a}){let t=a.view.left_out;return t===null?null:p("g",{transform:"translate(0 10)",children:[r("title",{children:a.says.name("wares",t)}),r("rect",{x:"-34",y:"-24",width:"68",height:"52",rx:"6",fill:I(t),class:"manila-edge"}),r("path",{d:"M-34-8H34M-34 12H34",class:"manila-rope"}),r("circle",{cy:"2",r:"20",class:"manila-disc"}),r("g",{transform:"translate(0 2)",children:r(x,{name:t,radius:17})})]})}import{Fragment as At,jsx as V,jsxs as Lt}from"/static/app/kit.js";var Ct={icons:K,draw:a=>Lt(At,{children:[V(aa,{scene:a}),V(wa,{scene:a}),V(ia,{scene:a}),V(oa,{scene:a}),V(na,{scene:a}),V(ra,{scene:a}),V(ea,{scene:a})]}),narrow:ha,mat:(a,t)=>V(ma,{scene:a,mat:t}),style:Z},ge=Ct;export{ge as default};
