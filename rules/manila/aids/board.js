import{colour as j,Icon as ft,Text as ut}from"/static/app/kit.js";var W=`.manila-line,
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
[data-theme="contrast"] .manila-number,
[data-theme="contrast"] .manila-none,
[data-theme="contrast"] .manila-pale {
  opacity: 1;
}
[data-theme="contrast"] .manila-faint {
  opacity: 0.15;
}
`;import{colour as h}from"/static/app/kit.js";import{Fragment as g,jsx as s,jsxs as u}from"/static/app/kit.js";var f={class:"manila-line"},z="manila-gold",ma=u(g,{children:[s("circle",{cy:"3",r:"6",class:"manila-skin"}),s("path",{d:"M-9 12a9 7 0 0 1 18 0z",fill:h("paper"),...f}),s("path",{d:"M-11 0Q-2-5 0-12 2-5 11 0 0 4-11 0z",fill:h("wood"),...f})]}),da=u(g,{children:[s("path",{d:"M-10-3V9H10V-3z",fill:h("wood"),...f}),s("path",{d:"M-10-3Q-9-9 0-9T10-3z",fill:h("wood"),...f}),s("rect",{x:"-3",y:"-5",width:"6",height:"7",rx:"1",class:z})]}),pa=u(g,{children:[s("path",{d:"M-6-5V-12M0-6V-12M6-5V-12",class:"manila-leaf"}),s("path",{d:"M-5-6Q0-9 5-6 8-1 5 3L9 11M5 3 2 5 1 12M2 4-3 5-5 12M-4 4-6 2-10 9M-6 3Q-8-2-5-6z",class:"manila-root"})]}),fa=u(g,{children:[s("circle",{r:"10.5",class:"manila-jade"}),s("circle",{r:"4",fill:h("paper"),...f}),s("path",{d:"M-7.5-3A8 8 0 0 1-2-7.8",class:"manila-glint"})]}),ua=u(g,{children:[s("ellipse",{rx:"8.5",ry:"10.5",class:"manila-nut",transform:"rotate(28)"}),s("path",{d:"M-5 6Q-7-3 3-8M0 8Q0 0 6-5M5 6Q6 2 7-1",class:"manila-mace"})]}),ha=u(g,{children:[s("path",{d:"M-11-5Q-4-10 11-7V3Q-3 0-11 6z",class:"manila-silk"}),s("path",{d:"M-11 6Q-4 11 11 8V3Q-3 0-11 6z",class:"manila-silk manila-fold"}),s("circle",{cx:"-9",cy:"0",r:"2.6",class:z}),s("path",{d:"M-2-8Q-4-3-2 2M5-8Q3-3 5 2",class:"manila-glint"})]}),ga=u("g",{transform:"rotate(-38)",children:[s("rect",{x:"-2",y:"-2",width:"4",height:"15",rx:"2",fill:h("wood"),...f}),s("rect",{x:"-8",y:"-10",width:"16",height:"9",rx:"2",fill:h("wood"),...f}),s("path",{d:"M-5-10v9M5-10v9",class:"manila-band"})]}),ka=u(g,{children:[s("circle",{r:"7.5",class:"manila-helm"}),s("path",{d:"M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5",class:"manila-spoke"}),s("circle",{r:"2.6",class:z})]}),ya=u(g,{children:[s("path",{d:"M0-11Q5-8 10-8 10 6 0 12-10 6-10-8-5-8 0-11z",fill:h("paper"),...f}),s("path",{d:"M-5 0-1 5 6-5",class:"manila-tick"})]}),Q=({radius:t=12})=>u("g",{transform:`scale(${t/12})`,children:[s("circle",{r:"11.5",class:z}),s("circle",{r:"9",class:"manila-milled"})]}),ba=u(g,{children:[s(Q,{}),s("text",{class:"manila-onto-gold","font-size":"13",y:"4.6",children:"₱"})]}),wa=u(g,{children:[s("path",{d:"M-5 12-3-3H3L5 12z",fill:h("paper"),...f}),s("path",{d:"M-4 4H4L4.6 8H-4.6z",fill:h("red")}),s("path",{d:"M-5-3V-8H5V-3zM-6-8 0-12 6-8z",class:z}),s("path",{d:"M-6-6-12-8M-6-5-12-4M6-6 12-8M6-5 12-4",class:"manila-ray"})]}),xa=u(g,{children:[s("path",{d:"M-11 9 11-3M11 9-11-3",class:"manila-bone"}),s("path",{d:"M-7-1Q-8-10 0-11 8-10 7-1L4 2V6H-4V2z",fill:h("paper"),...f}),s("circle",{cx:"-3",cy:"-3",r:"2",class:"manila-dark"}),s("circle",{cx:"3",cy:"-3",r:"2",class:"manila-dark"}),s("path",{d:"M-1.5 6V3.4M1.5 6V3.4",...f})]}),Ma=u(g,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"21",rx:"2",fill:h("paper"),...f}),s("path",{d:"M-5-7H5M-5-3.5H5",...f}),s("path",{d:"M-3 4-5 12 0 9 5 12 3 4z",class:"manila-seal"}),s("circle",{cy:"3",r:"4.6",class:"manila-seal"})]}),va=u(g,{children:[s("circle",{cy:"-8",r:"3",class:"manila-stroke"}),s("path",{d:"M0-5V11M-6-2H6M-10 3Q-9 11 0 11 9 11 10 3M-12 6-10 2-7 5M12 6 10 2 7 5",class:"manila-stroke"})]}),za=u(g,{children:[s("path",{d:"M-1-11V4M0-11 9 2H0z",fill:h("paper"),...f}),s("path",{d:"M-12 3H12Q9 11 5 11H-6Q-10 11-12 3z",fill:h("wood"),...f})]}),Va=u(g,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"22",rx:"2",fill:h("paper"),...f}),s("path",{d:"M-5-7H5M-5-4H5M-5 8H1",...f}),s("circle",{cy:"2.5",r:"3.4",class:z})]}),Ha=u(g,{children:[s("path",{d:"M-9-8 7 10M9-8-7 10",class:"manila-handle"}),s("path",{d:"M-12-6-6-12-3-9-9-3z",class:"manila-steel"}),s("path",{d:"M4-10 10-12 12-6 9-4z",class:"manila-steel"})]}),Sa=u(g,{children:[s("path",{d:"M0-12 11-4V8Q11 11 8 11H-8Q-11 11-11 8V-4z",fill:h("wood"),...f}),s("circle",{cy:"-5",r:"2",fill:h("paper"),...f})]}),J={accomplice:ma,box:da,ginseng:pa,hammer:ga,harbour_master:ka,insurance:ya,jade:fa,nutmeg:ua,peso:ba,pilot:wa,pirate:xa,pledge:Ma,port:va,price_marker:Sa,punt:za,share:Va,shipyard:Ha,silk:ha};import{colour as $a,Icon as E,Outline as Ca,Piece as Aa,Place as La,SeatSign as Ta,shapeOf as qa,Text as Ia}from"/static/app/kit.js";import{colour as V,Icon as H,Piece as R,SeatSign as T}from"/static/app/kit.js";import{Fragment as aa,jsx as i,jsxs as y}from"/static/app/kit.js";var Oa={pirate_place:1.2,shipyard:.86,office:.9},_a={at_sea:1,in_port:1,in_shipyard:.56};function Qa({sign:t,size:a=1}){return y("g",{transform:`scale(${a})`,children:[i("ellipse",{cy:"27",rx:"22",ry:"5",class:"manila-shade"}),i("circle",{cy:"3",r:"25",fill:V("paper"),stroke:V(t.colour),"stroke-width":"5"}),i("g",{transform:"translate(0 6)",children:i(T,{sign:t,size:1.35})}),i("path",{d:"M-22-12Q-4-18 0-31 4-18 22-12 0-4-22-12z",class:"manila-hat"})]})}function Pa({scene:t,punt:a}){let{ware:r,seats:n,plundered:l}=a,o=88/(n.length+.4);return y(aa,{children:[i("path",{d:"M-44 26Q0 36 46 24",class:"manila-wake"}),i("path",{d:"M-30-30H26L31 6H-35z",fill:V(r),class:"manila-edge"}),i("path",{d:"M-32-14H28.5M-10-30-12 6M8-30 10 6",class:"manila-rope"}),i("circle",{cx:"-2",cy:"-15",r:"16",class:"manila-disc"}),i("g",{transform:"translate(-2 -15)",children:i(H,{name:r,radius:12.5})}),i("path",{d:"M-53 0Q0 8 55-5 48 29 32 29H-34Q-48 29-53 0z",class:"manila-hull"}),n.map((p,w)=>y("g",{transform:`translate(${(w-(n.length-1)/2)*o-1} 15)`,children:[i("circle",{r:"9.5",class:p===null?"manila-bench":"manila-aboard"}),p!==null&&i(T,{sign:t.sign(p),size:.66})]},w)),l&&y("g",{transform:"translate(38 -24)",children:[i("path",{d:"M-9 30V-14H22L16-3 22 8H-9",class:"manila-black-flag"}),i("g",{transform:"translate(4 -3)",children:i(H,{name:"pirate",radius:8})})]})]})}function X({scene:t}){return t.pieces.filter(({type:a})=>a==="punt").map(a=>{let r=t.view.punts.find(({ware:l})=>l===a.id);if(!r)return null;let n=_a[r.status];return i(R,{of:a,at:r.status==="at_sea"?[a.x,a.y-10]:[a.x,a.y],shape:{rect:[112*n,68*n]},children:i("g",{transform:`scale(${n})${n<1?" rotate(9)":""}`,children:i(Pa,{scene:t,punt:r})})},a.key)})}function U({scene:t}){return t.pieces.filter(({type:a})=>a==="accomplice").map(a=>{let r=t.board.places[a.place]?.kind??"",n=Oa[r]??1,l=r==="office"?[a.x,a.y+20]:Ra(a,r);return i(D,{scene:t,piece:a,at:l,radius:30*n,children:i(Qa,{sign:t.sign(a.owner??0),size:n})},a.key)})}function Ra({x:t,y:a},r){return r==="pilot"?[t+40,a+14]:[t,a]}function G({scene:t}){return t.pieces.filter(({type:a})=>a==="harbour_master"||a==="high_bidder").map(a=>y(D,{scene:t,piece:a,at:[a.x,a.y+19],radius:31,children:[i("circle",{r:"27",fill:V("paper"),stroke:V(t.sign(a.owner??0).colour),"stroke-width":"5"}),i(T,{sign:t.sign(a.owner??0),size:1.35}),y("g",{transform:"translate(34 6)",children:[i("circle",{r:"17",class:"manila-disc"}),i(H,{name:a.type==="high_bidder"?"hammer":"harbour_master",radius:13})]})]},a.key))}function D({scene:t,piece:a,at:r,radius:n,children:l}){let o=t.says.owner(a.owner??0);return y(R,{of:a,at:r,shape:{circle:n},name:o,children:[i("title",{children:o}),l]})}function K({scene:t}){return t.pieces.filter(({type:a})=>a==="price_marker").map(a=>y(R,{of:a,at:[a.x-18,a.y],shape:{circle:20},children:[i("circle",{r:"19",class:"manila-disc"}),i(H,{name:a.id??"",radius:14})]},a.key))}function q({ware:t,width:a=28}){return y("g",{transform:`scale(${a/28})`,children:[i("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",fill:V(t),class:"manila-edge"}),i("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),i("circle",{r:"9.5",class:"manila-disc"}),i(H,{name:t,radius:8})]})}function Y({width:t=28}){return y("g",{transform:`scale(${t/28})`,children:[i("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",class:"manila-back"}),i("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),i(H,{name:"harbour_master",radius:8})]})}function Z({scene:t}){return t.pieces.filter(({type:a})=>a==="share").map(a=>{let r=a.count??0;return y(R,{of:a,shape:{rect:[136,38]},children:[i("text",{x:"-54",y:"9","font-size":"26",class:"manila-strong",children:r}),Array.from({length:r},(n,l)=>i("g",{transform:`translate(${l*19-26} 0)`,children:i(q,{ware:a.id??"",width:25})},l))]},a.key)})}function $({amount:t,radius:a=17}){return y(aa,{children:[i(Q,{radius:a}),i("text",{class:"manila-onto-gold","font-size":a*(t>9?1.05:1.35),y:a*(t>9?.38:.48),children:t})]})}function M(t){return t.slice(0,1).toUpperCase()+t.slice(1)}import{Fragment as P,jsx as m,jsxs as v}from"/static/app/kit.js";function ta({scene:t,mat:a}){let r=a.view,n=t.board.mat;if(!n)return null;let{view:l}=t;return v(P,{children:[l.decider===r.seat&&m("rect",{x:"1",y:"1",width:"478",height:"182",rx:"12",class:"manila-asked"}),Object.entries(n.places).map(([o,p])=>{let w=Ea[o]??Wa;return v(La,{at:o,children:[m("title",{children:t.says.place(o,!0)}),m(Ca,{shape:qa(n,p),round:10,fill:$a(p.colour??"paper"),class:p.kind==="shares"?"manila-shelf":"manila-card"}),m(w,{scene:t,player:r,at:o})]},o)}),a.pieces.map(o=>v(Aa,{of:o,shape:{rect:[40,54]},class:o.count===0?"manila-none":"",children:[o.count!==0&&m("g",{transform:"translate(0 -6)",children:m(q,{ware:o.id??"",width:34})}),m("text",{y:"37","font-size":o.count===0?18:24,class:"manila-strong",children:o.count})]},o.key))]})}var Ea={cash:I,funds:I,pledged:I,accomplices:ja,shares:Ba};function ea({scene:t,at:a,width:r=106}){return m(Ia,{box:[r,20],at:[0,-25],max:18,class:"manila-caption",children:M(t.says.label(Fa[a]??""))})}var Fa={cash:"where.cash",funds:"board.funds",pledged:"board.pledged",accomplices:"board.in_hand"},Na={cash:"peso",funds:"box",pledged:"pledge"};function I({scene:t,player:a,at:r}){let n=a[r];return v(P,{children:[m(ea,{scene:t,at:r}),m("g",{transform:"translate(-33 12)",children:m(E,{name:Na[r]??"",radius:17})}),m("text",{x:"16",y:"24","font-size":"34",class:"manila-strong",children:n})]})}function ja({scene:t,player:a,at:r}){let n=t.view.abstained.includes(a.seat),l=a.accomplices_in_hand,o=Math.min(27,96/Math.max(l,1));return v(P,{children:[m(ea,{scene:t,at:r}),Array.from({length:l},(p,w)=>m("g",{transform:`translate(${(w-(l-1)/2)*o} 12)`,children:m(Ta,{sign:t.sign(a.seat),size:1.05})},w)),l===0&&m("text",{y:"22","font-size":"28",class:"manila-number",children:"0"}),n&&m("path",{d:"M-44 24 44 2",class:"manila-out"})]})}function Ba({player:t}){let a={...t.dealt},r=Object.values(t.bought),n=[...Object.values(a),...r].reduce((o,p)=>o+p,0),l=t.shares-n;return v(P,{children:[m("g",{transform:"translate(-26 -22)",children:m(E,{name:"share",radius:13})}),m("text",{x:"12",y:"-12","font-size":"30",class:"manila-strong",children:t.shares}),Array.from({length:l},(o,p)=>m("g",{transform:`translate(${(p-(l-1)/2)*32} 18)`,children:m(Y,{width:28})},p))]})}function Wa({at:t}){let[a,r=""]=t.split("_");return v(P,{children:[m("g",{transform:"translate(0 -8)",class:"manila-faint",children:m(E,{name:r,radius:15})}),a==="dealt"&&m("path",{d:"M-16-42V-30L-10-35-4-30V-42z",class:"manila-ribbon"})]})}import{colour as C,Icon as b,Outline as Ja,Place as Xa,rowOf as ra,SeatSign as Ua,shapeOf as Ga,Text as na}from"/static/app/kit.js";import{Fragment as k,jsx as e,jsxs as d}from"/static/app/kit.js";function sa({scene:t}){return Object.entries(t.board.places).map(([a,{kind:r}])=>{let n=Da[r]??ot;return e(Xa,{at:a,children:e(n,{scene:t,at:a})},a)})}var Da={sea:Ka,port:Ya,shipyard:Za,pirate:at,pirate_place:tt,pilot:et,office:rt,punt:nt,berth:st,price:it,supply:lt};function S(t,a){return ra(t.tables,"placement_spaces",a)}function F(t,a){let r=t.board.places[a];if(!r)throw new Error(`the board has no place ${a}`);return r}function x({scene:t,at:a,text:r=""}){return e("title",{children:[t.says.place(a),r].filter(Boolean).join(": ")})}function O({scene:t,at:a,fill:r="paper"}){let n=Ga(t.board,F(t,a));return e(Ja,{shape:n,round:12,fill:C(r),class:"manila-card"})}function A({cost:t,x:a=0,y:r=0,radius:n=29}){return d("g",{transform:`translate(${a} ${r})`,children:[e("circle",{r:n,class:"manila-vacant"}),e($,{amount:t,radius:n*.66})]})}function Ka({scene:t,at:a}){let{mark:r,colour:n}=F(t,a);return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-28",y:"-46",width:"56",height:"92",rx:"9",class:n?"manila-water manila-risky":"manila-water"}),e("path",{d:"M-18-22q5-6 10 0t10 0M-2 4q5-6 10 0t10 0",class:"manila-wave"}),r?e("text",{y:"39","font-size":"21",class:"manila-number",children:r}):e("g",{transform:"translate(0 29)",class:"manila-pale",children:e(b,{name:"port",radius:12})}),n&&e("g",{transform:"translate(0 -22)",class:"manila-pale",children:e(b,{name:"pirate",radius:14})})]})}function Ya({scene:t,at:a}){let r=a.slice(-1),{costs:n,payout:l}=S(t,a),{accomplice:o}=t.view.ports[r]??{};return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(O,{scene:t,at:a}),e("path",{d:"M4 30Q14 24 24 30T44 30 64 30 84 30 104 30 114 30V40Q114 47 107 47H4z",class:"manila-basin"}),e("path",{d:"M4-46V46",class:"manila-quay"}),e("text",{x:"-91",y:"-14","font-size":"30",class:"manila-strong",children:r.toUpperCase()}),e(N,{amount:l??0,x:-89,y:22}),o==null&&e(A,{cost:n[0]??0,x:-30}),e("g",{transform:"translate(52 -4)",class:"manila-faint",children:e(b,{name:"port",radius:24})})]})}function Za({scene:t,at:a}){let r=a.slice(-1),{costs:n,payout:l}=S(t,a),{accomplice:o}=t.view.shipyards[r]??{};return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(O,{scene:t,at:a}),e("path",{d:"M-2 46 60 46 60 38 2 38zM10 38 14 2M52 38 48 2",class:"manila-slipway"}),e("text",{x:"-46",y:"-25","font-size":"30",class:"manila-strong",children:r.toUpperCase()}),e(N,{amount:l??0,x:8,y:-35}),o==null&&e(A,{cost:n[0]??0,x:-32,y:22,radius:26}),e("g",{transform:"translate(30 20)",class:"manila-faint",children:e(b,{name:"shipyard",radius:17})})]})}function N({amount:t,x:a,y:r}){return e("g",{transform:`translate(${a} ${r})`,class:"manila-payout",children:d("text",{"font-size":"23",y:"8",children:["+",t]})})}function at({scene:t,at:a}){return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(O,{scene:t,at:a,fill:"danger"}),e("path",{d:"M-132 24Q0 40 132 16 124 54 92 54H-88Q-124 54-132 24z",class:"manila-hull"}),e("path",{d:"M-110 26V-50H-60L-72-32-60-14H-110",class:"manila-black-flag"}),e("g",{transform:"translate(-88 -32)",children:e(b,{name:"pirate",radius:14})})]})}function tt({scene:t,at:a}){let r=a==="pirate_captain"?0:1,n=r?t.view.pirates.second:t.view.pirates.captain;return d(k,{children:[e(x,{scene:t,at:a}),e("circle",{r:"38",fill:C("paper"),class:"manila-edge"}),r===0&&e("g",{transform:"translate(0 46)",children:e(b,{name:"pirate",radius:11})}),n===null&&e(A,{cost:S(t,"pirate").costs[r]??0,radius:32})]})}function et({scene:t,at:a}){let r=a==="pilot_big",n=r?t.view.pilots.big:t.view.pilots.small;return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e("path",{d:"M-80 34Q-84 4-56-14-40-58 0-56 44-60 58-26 86-4 80 30 74 58 0 57-76 58-80 34z",class:"manila-island"}),d("g",{transform:"translate(-64 26)",children:[e("path",{d:"M0 14Q4 0 0-14",class:"manila-trunk"}),e("path",{d:"M0-14Q-12-24-18-10-8-16 0-14 12-24 18-10 8-16 0-14 2-28-8-30-2-22 0-14 10-26 14-26 4-18 0-14z",class:"manila-palm"})]}),e("g",{transform:`translate(-24 ${r?0:8})`,children:e(b,{name:"pilot",radius:r?36:27})}),e("text",{x:"36",y:"-25","font-size":"27",class:"manila-strong",children:r?"±2":"±1"}),n===null&&e(A,{cost:S(t,a).costs[0]??0,x:40,y:14})]})}function rt({scene:t,at:a}){let{income_on_placement:r=0}=S(t,a);return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(O,{scene:t,at:a}),e(ia,{words:t.says.place(a)}),t.view.insurance===null&&e("circle",{cy:"19",r:"27",class:"manila-vacant"}),e("g",{transform:"translate(-50 16)",children:e(b,{name:"insurance",radius:18})}),t.view.insurance===null&&e(N,{amount:r,x:0,y:19})]})}function ia({words:t}){return e(na,{box:[122,40],at:[0,-36],max:18,class:"manila-heading",children:t})}function nt({scene:t,at:a}){let r=a.slice(5),{profit:n=0}=ra(t.tables,"wares",r),l=t.view.left_out===r,{says:o}=t;return d(k,{children:[e(x,{scene:t,at:a,text:o.text("placement_spaces",a)}),e(O,{scene:t,at:a,fill:r}),e("path",{d:"M-138-36H118Q138-30 138 26 138 84 118 92H-138z",class:"manila-deck"}),e("path",{d:"M-138-12H132M-138 68H132",class:"manila-plank"}),d("g",{transform:"translate(-108 -72)",children:[e("circle",{r:"29",class:"manila-disc"}),e(b,{name:r,radius:23})]}),e(na,{box:[128,56],at:[-8,-72],max:26,class:"manila-name",children:M(o.name("wares",r))}),e("g",{transform:"translate(100 -72)",children:e($,{amount:n,radius:29})}),l&&d("g",{class:"manila-ashore",children:[e("rect",{x:"-140",y:"-40",width:"280",height:"30",rx:"6"}),e("text",{y:"-18","font-size":"21",children:o.label("where.left_out")})]})]})}function st({scene:t,at:a}){let[,r,n]=a.split("_"),o=S(t,`punt_${r}`).costs[Number(n)]??0,w=t.view.punts.find(_=>_.ware===r)?.seats[Number(n)]!=null;return d(k,{children:[e(x,{scene:t,at:a}),e("circle",{r:"31",class:"manila-seat"}),!w&&e($,{amount:o,radius:19})]})}function it({scene:t,at:a}){let[,r="",n]=a.split("_"),l=t.view.market[r]??0,o=Number(n)<=l,p=Number(n)===l;return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-38",y:"-21",width:"76",height:"42",rx:"8",fill:C(o?r:"paper"),class:"manila-card"}),e("text",{x:p?20:0,y:"8","font-size":"24",class:p?"manila-strong":"manila-number",children:n})]})}function lt({scene:t,at:a}){return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-70",y:"-21",width:"140",height:"42",rx:"8",class:"manila-tray"})]})}function ot({scene:t,at:a}){let{icon:r}=F(t,a),n=ct[a];return d(k,{children:[e(O,{scene:t,at:a}),e(ia,{words:t.says.place(a)}),r&&a!=="auction"&&e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(b,{name:r,radius:26})}),n&&e(n,{scene:t})]})}var ct={voyage:mt,auction:dt,left_out:pt};function mt({scene:t}){let{view:a}=t,n=t.tables.voyage_schedule[String(a.players.length)]??[],l={placement:a.placement_round,movement:a.movement_round},[o,p]=[0,0],w=132/n.length;return d(k,{children:[e("text",{y:"18","font-size":"38",class:"manila-strong",children:a.voyage}),n.map((_,B)=>{let la=(_==="movement"?++p:++o)<=l[_],oa=(B-(n.length-1)/2)*w;return e("g",{transform:`translate(${oa} 38)`,class:la?"manila-past":"manila-coming",children:_==="movement"?d(k,{children:[e("rect",{x:"-8",y:"-8",width:"16",height:"16",rx:"3"}),e("circle",{cx:"-3.5",cy:"-3.5",r:"1.8",class:"manila-pip"}),e("circle",{cx:"3.5",cy:"3.5",r:"1.8",class:"manila-pip"})]}):e("path",{d:"M-8 6Q-2-2 0-9 2-2 8 6 0 10-8 6z"})},B)})]})}function dt({scene:t}){let{auction:a}=t.view;return a?d(k,{children:[d("g",{transform:"translate(0 8)",children:[e(Q,{radius:24}),e("text",{y:"9","font-size":"26",class:"manila-onto-gold",children:a.high})]}),a.passed.map((r,n)=>d("g",{transform:`translate(${(n-(a.passed.length-1)/2)*30} 42)`,children:[e(Ua,{sign:t.sign(r),size:.7}),e("path",{d:"M-10 8 10-8",class:"manila-out"})]},r))]}):e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(b,{name:"hammer",radius:26})})}function pt({scene:t}){let a=t.view.left_out;return a===null?null:d("g",{transform:"translate(0 10)",children:[e("title",{children:t.says.name("wares",a)}),e("rect",{x:"-34",y:"-24",width:"68",height:"52",rx:"6",fill:C(a),class:"manila-edge"}),e("path",{d:"M-34-8H34M-34 12H34",class:"manila-rope"}),e("circle",{cy:"2",r:"20",class:"manila-disc"}),e("g",{transform:"translate(0 2)",children:e(b,{name:a,radius:17})})]})}import{Fragment as kt,jsx as c,jsxs as L}from"/static/app/kit.js";var ht={icons:J,draw:t=>L(kt,{children:[c(gt,{scene:t}),c(sa,{scene:t}),c(K,{scene:t}),c(Z,{scene:t}),c(G,{scene:t}),c(U,{scene:t}),c(X,{scene:t})]}),mat:(t,a)=>c(ta,{scene:t,mat:a}),style:W},Jt=ht;function gt({scene:t}){let[a,r]=t.board.size,{says:n}=t;return L("g",{class:"manila-land",children:[c("rect",{width:a,height:r,rx:"18",fill:j("ground")}),c("path",{d:"M8 34Q8 14 28 14H700Q716 14 716 30V230H8z",class:"manila-stall"}),Object.keys(t.view.market).map((l,o)=>L("g",{transform:`translate(0 ${64+48*o})`,children:[c("g",{transform:"translate(34 0)",children:c(ft,{name:l,radius:17})}),c(ut,{box:[100,42],at:[104,0],max:20,class:"manila-name",children:M(n.name("wares",l))})]},l)),c("text",{x:"360",y:"37","font-size":"20",class:"manila-title",children:M(n.label("board.market"))}),c("text",{x:"638",y:"37","font-size":"20",class:"manila-title",children:M(n.label("board.supply"))}),c("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710H0z",fill:j("sea")}),c("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710",class:"manila-surf"}),c("path",{d:"M938 242H1200V710H776V562H946Q956 500 940 420 952 330 938 242z",fill:j("land")}),c("path",{d:"M944 250H1192V556H944z",class:"manila-pier"}),c("path",{d:"M952 556v14M1000 556v14M1048 556v14M1096 556v14M1144 556v14M1188 556v14",class:"manila-rope"}),c("path",{d:"M780 570H1192V694H780z",class:"manila-pier"}),[0,1,2].map(l=>c("path",{d:`M26 ${300+100*l}H936`,class:"manila-course"},l)),c("path",{d:"M832 552Q836 590 738 608",class:"manila-ambush"}),c("path",{d:"M196 574q9-10 18 0t18 0M192 688q9-10 18 0t18 0M14 572q9-10 18 0t18 0M400 566q9-10 18 0t18 0M400 698q9-10 18 0t18 0",class:"manila-wave"}),L("g",{transform:"translate(414 632)",class:"manila-rose",children:[c("circle",{r:"30"}),c("path",{d:"M0-44 7-7 44 0 7 7 0 44-7 7-44 0-7-7z"}),c("path",{d:"M-22-22-2-8-8-2zM22-22 2-8 8-2zM-22 22-2 8-8 2zM22 22 2 8 8 2z"})]})]})}export{Jt as default};
