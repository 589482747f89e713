import{colour as B,Icon as ut,Text as ht}from"/static/app/kit.js";var J=`.manila-line,
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
`;import{colour as h}from"/static/app/kit.js";import{Fragment as g,jsx as s,jsxs as u}from"/static/app/kit.js";var f={class:"manila-line"},H="manila-gold",da=u(g,{children:[s("circle",{cy:"3",r:"6",class:"manila-skin"}),s("path",{d:"M-9 12a9 7 0 0 1 18 0z",fill:h("paper"),...f}),s("path",{d:"M-11 0Q-2-5 0-12 2-5 11 0 0 4-11 0z",fill:h("wood"),...f})]}),pa=u(g,{children:[s("path",{d:"M-10-3V9H10V-3z",fill:h("wood"),...f}),s("path",{d:"M-10-3Q-9-9 0-9T10-3z",fill:h("wood"),...f}),s("rect",{x:"-3",y:"-5",width:"6",height:"7",rx:"1",class:H})]}),fa=u(g,{children:[s("path",{d:"M-6-5V-12M0-6V-12M6-5V-12",class:"manila-leaf"}),s("path",{d:"M-5-6Q0-9 5-6 8-1 5 3L9 11M5 3 2 5 1 12M2 4-3 5-5 12M-4 4-6 2-10 9M-6 3Q-8-2-5-6z",class:"manila-root"})]}),ua=u(g,{children:[s("circle",{r:"10.5",class:"manila-jade"}),s("circle",{r:"4",fill:h("paper"),...f}),s("path",{d:"M-7.5-3A8 8 0 0 1-2-7.8",class:"manila-glint"})]}),ha=u(g,{children:[s("ellipse",{rx:"8.5",ry:"10.5",class:"manila-nut",transform:"rotate(28)"}),s("path",{d:"M-5 6Q-7-3 3-8M0 8Q0 0 6-5M5 6Q6 2 7-1",class:"manila-mace"})]}),ga=u(g,{children:[s("path",{d:"M-11-5Q-4-10 11-7V3Q-3 0-11 6z",class:"manila-silk"}),s("path",{d:"M-11 6Q-4 11 11 8V3Q-3 0-11 6z",class:"manila-silk manila-fold"}),s("circle",{cx:"-9",cy:"0",r:"2.6",class:H}),s("path",{d:"M-2-8Q-4-3-2 2M5-8Q3-3 5 2",class:"manila-glint"})]}),ya=u("g",{transform:"rotate(-38)",children:[s("rect",{x:"-2",y:"-2",width:"4",height:"15",rx:"2",fill:h("wood"),...f}),s("rect",{x:"-8",y:"-10",width:"16",height:"9",rx:"2",fill:h("wood"),...f}),s("path",{d:"M-5-10v9M5-10v9",class:"manila-band"})]}),ka=u(g,{children:[s("circle",{r:"7.5",class:"manila-helm"}),s("path",{d:"M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5",class:"manila-spoke"}),s("circle",{r:"2.6",class:H})]}),ba=u(g,{children:[s("path",{d:"M0-11Q5-8 10-8 10 6 0 12-10 6-10-8-5-8 0-11z",fill:h("paper"),...f}),s("path",{d:"M-5 0-1 5 6-5",class:"manila-tick"})]}),P=({radius:t=12})=>u("g",{transform:`scale(${t/12})`,children:[s("circle",{r:"11.5",class:H}),s("circle",{r:"9",class:"manila-milled"})]}),wa=u(g,{children:[s(P,{}),s("text",{class:"manila-onto-gold","font-size":"13",y:"4.6",children:"₱"})]}),xa=u(g,{children:[s("path",{d:"M-5 12-3-3H3L5 12z",fill:h("paper"),...f}),s("path",{d:"M-4 4H4L4.6 8H-4.6z",fill:h("red")}),s("path",{d:"M-5-3V-8H5V-3zM-6-8 0-12 6-8z",class:H}),s("path",{d:"M-6-6-12-8M-6-5-12-4M6-6 12-8M6-5 12-4",class:"manila-ray"})]}),Ma=u(g,{children:[s("path",{d:"M-11 9 11-3M11 9-11-3",class:"manila-bone"}),s("path",{d:"M-7-1Q-8-10 0-11 8-10 7-1L4 2V6H-4V2z",fill:h("paper"),...f}),s("circle",{cx:"-3",cy:"-3",r:"2",class:"manila-dark"}),s("circle",{cx:"3",cy:"-3",r:"2",class:"manila-dark"}),s("path",{d:"M-1.5 6V3.4M1.5 6V3.4",...f})]}),va=u(g,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"21",rx:"2",fill:h("paper"),...f}),s("path",{d:"M-5-7H5M-5-3.5H5",...f}),s("path",{d:"M-3 4-5 12 0 9 5 12 3 4z",class:"manila-seal"}),s("circle",{cy:"3",r:"4.6",class:"manila-seal"})]}),za=u(g,{children:[s("circle",{cy:"-8",r:"3",class:"manila-stroke"}),s("path",{d:"M0-5V11M-6-2H6M-10 3Q-9 11 0 11 9 11 10 3M-12 6-10 2-7 5M12 6 10 2 7 5",class:"manila-stroke"})]}),Va=u(g,{children:[s("path",{d:"M-1-11V4M0-11 9 2H0z",fill:h("paper"),...f}),s("path",{d:"M-12 3H12Q9 11 5 11H-6Q-10 11-12 3z",fill:h("wood"),...f})]}),Ha=u(g,{children:[s("rect",{x:"-8",y:"-11",width:"16",height:"22",rx:"2",fill:h("paper"),...f}),s("path",{d:"M-5-7H5M-5-4H5M-5 8H1",...f}),s("circle",{cy:"2.5",r:"3.4",class:H})]}),Sa=u(g,{children:[s("path",{d:"M-9-8 7 10M9-8-7 10",class:"manila-handle"}),s("path",{d:"M-12-6-6-12-3-9-9-3z",class:"manila-steel"}),s("path",{d:"M4-10 10-12 12-6 9-4z",class:"manila-steel"})]}),Oa=u(g,{children:[s("path",{d:"M0-12 11-4V8Q11 11 8 11H-8Q-11 11-11 8V-4z",fill:h("wood"),...f}),s("circle",{cy:"-5",r:"2",fill:h("paper"),...f})]}),X={accomplice:da,box:pa,ginseng:fa,hammer:ya,harbour_master:ka,insurance:ba,jade:ua,nutmeg:ha,peso:wa,pilot:xa,pirate:Ma,pledge:va,port:za,price_marker:Oa,punt:Va,share:Ha,shipyard:Sa,silk:ga};import{colour as Ca,Icon as E,Outline as Aa,Piece as La,Place as Ta,SeatSign as qa,shapeOf as Ia,Text as ja}from"/static/app/kit.js";import{colour as S,Icon as O,Piece as R,SeatSign as q}from"/static/app/kit.js";import{Fragment as ta,jsx as l,jsxs as b}from"/static/app/kit.js";var _a={pirate_place:1.2,shipyard:.86,office:.9},Qa={at_sea:1,in_port:1,in_shipyard:.56};function Pa({sign:t,size:a=1}){return b("g",{transform:`scale(${a})`,children:[l("ellipse",{cy:"27",rx:"22",ry:"5",class:"manila-shade"}),l("circle",{cy:"3",r:"25",fill:S("paper"),stroke:S(t.colour),"stroke-width":"5"}),l("g",{transform:"translate(0 6)",children:l(q,{sign:t,size:1.35})}),l("path",{d:"M-22-12Q-4-18 0-31 4-18 22-12 0-4-22-12z",class:"manila-hat"})]})}function $a({scene:t,punt:a}){let{ware:r,seats:n,plundered:i}=a,o=88/(n.length+.4);return b(ta,{children:[l("path",{d:"M-44 26Q0 36 46 24",class:"manila-wake"}),l("path",{d:"M-30-30H26L31 6H-35z",fill:S(r),class:"manila-edge"}),l("path",{d:"M-32-14H28.5M-10-30-12 6M8-30 10 6",class:"manila-rope"}),l("circle",{cx:"-2",cy:"-15",r:"16",class:"manila-disc"}),l("g",{transform:"translate(-2 -15)",children:l(O,{name:r,radius:12.5})}),l("path",{d:"M-53 0Q0 8 55-5 48 29 32 29H-34Q-48 29-53 0z",class:"manila-hull"}),n.map((p,y)=>b("g",{transform:`translate(${(y-(n.length-1)/2)*o-1} 15)`,children:[l("circle",{r:"9.5",class:p===null?"manila-bench":"manila-aboard"}),p!==null&&l(q,{sign:t.sign(p),size:.66})]},y)),i&&b("g",{transform:"translate(38 -24)",children:[l("path",{d:"M-9 30V-14H22L16-3 22 8H-9",class:"manila-black-flag"}),l("g",{transform:"translate(4 -3)",children:l(O,{name:"pirate",radius:8})})]})]})}function U({scene:t}){return t.pieces.filter(({type:a})=>a==="punt").map(a=>{let r=t.view.punts.find(({ware:i})=>i===a.id);if(!r)return null;let n=Qa[r.status];return l(R,{of:a,at:r.status==="at_sea"?[a.x,a.y-10]:[a.x,a.y],shape:{rect:[112*n,68*n]},children:l("g",{transform:`scale(${n})${n<1?" rotate(9)":""}`,children:l($a,{scene:t,punt:r})})},a.key)})}function G({scene:t}){return t.pieces.filter(({type:a})=>a==="accomplice").map(a=>{let r=t.board.places[a.place]?.kind??"",n=_a[r]??1,i=r==="office"?[a.x,a.y+20]:Ra(a,r);return l(K,{scene:t,piece:a,at:i,radius:30*n,children:l(Pa,{sign:t.sign(a.owner??0),size:n})},a.key)})}function Ra({x:t,y:a},r){return r==="pilot"?[t+40,a+14]:[t,a]}function D({scene:t}){return t.pieces.filter(({type:a})=>a==="harbour_master"||a==="high_bidder").map(a=>b(K,{scene:t,piece:a,at:[a.x,a.y+19],radius:31,children:[l("circle",{r:"27",fill:S("paper"),stroke:S(t.sign(a.owner??0).colour),"stroke-width":"5"}),l(q,{sign:t.sign(a.owner??0),size:1.35}),b("g",{transform:"translate(34 6)",children:[l("circle",{r:"17",class:"manila-disc"}),l(O,{name:a.type==="high_bidder"?"hammer":"harbour_master",radius:13})]})]},a.key))}function K({scene:t,piece:a,at:r,radius:n,children:i}){let o=t.says.owner(a.owner??0);return b(R,{of:a,at:r,shape:{circle:n},name:o,children:[l("title",{children:o}),i]})}function Y({scene:t}){return t.pieces.filter(({type:a})=>a==="price_marker").map(a=>b(R,{of:a,at:[a.x-18,a.y],shape:{circle:20},children:[l("circle",{r:"19",class:"manila-disc"}),l(O,{name:a.id??"",radius:14})]},a.key))}function I({ware:t,width:a=28}){return b("g",{transform:`scale(${a/28})`,children:[l("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",fill:S(t),class:"manila-edge"}),l("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),l("circle",{r:"9.5",class:"manila-disc"}),l(O,{name:t,radius:8})]})}function Z({width:t=28}){return b("g",{transform:`scale(${t/28})`,children:[l("rect",{x:"-14",y:"-19",width:"28",height:"38",rx:"3",class:"manila-back"}),l("rect",{x:"-11",y:"-16",width:"22",height:"32",rx:"2",class:"manila-frame"}),l(O,{name:"harbour_master",radius:8})]})}function aa({scene:t}){return t.pieces.filter(({type:a})=>a==="share").map(a=>{let r=a.count??0;return b(R,{of:a,shape:{rect:[136,38]},children:[l("text",{x:"-54",y:"9","font-size":"26",class:"manila-strong",children:r}),Array.from({length:r},(n,i)=>l("g",{transform:`translate(${i*19-26} 0)`,children:l(I,{ware:a.id??"",width:25})},i))]},a.key)})}function C({amount:t,radius:a=17}){return b(ta,{children:[l(P,{radius:a}),l("text",{class:"manila-onto-gold","font-size":a*(t>9?1.05:1.35),y:a*(t>9?.38:.48),children:t})]})}function M(t){return t.slice(0,1).toUpperCase()+t.slice(1)}import{Fragment as $,jsx as m,jsxs as V}from"/static/app/kit.js";function ea({scene:t,mat:a}){let r=a.view,n=t.board.mat;if(!n)return null;let{view:i}=t;return V($,{children:[i.decider===r.seat&&m("rect",{x:"1",y:"1",width:"478",height:"182",rx:"12",class:"manila-asked"}),Object.entries(n.places).map(([o,p])=>{let y=Ea[o]??Ja;return V(Ta,{at:o,children:[m("title",{children:t.says.place(o,!0)}),m(Aa,{shape:Ia(n,p),round:10,fill:Ca(p.colour??"paper"),class:p.kind==="shares"?"manila-shelf":"manila-card"}),m(y,{scene:t,player:r,at:o})]},o)}),a.pieces.map(o=>V(La,{of:o,shape:{rect:[40,54]},class:o.count===0?"manila-none":"",children:[o.count!==0&&m("g",{transform:"translate(0 -6)",children:m(I,{ware:o.id??"",width:34})}),m("text",{y:"37","font-size":o.count===0?18:24,class:"manila-strong",children:o.count})]},o.key))]})}var Ea={cash:j,funds:j,pledged:j,accomplices:Ba,shares:Wa};function ra({scene:t,at:a,width:r=106}){return m(ja,{box:[r,20],at:[0,-25],max:18,class:"manila-caption",children:M(t.says.label(Fa[a]??""))})}var Fa={cash:"where.cash",funds:"board.funds",pledged:"board.pledged",accomplices:"board.in_hand"},Na={cash:"peso",funds:"box",pledged:"pledge"};function j({scene:t,player:a,at:r}){let n=a[r];return V($,{children:[m(ra,{scene:t,at:r}),m("g",{transform:"translate(-33 12)",children:m(E,{name:Na[r]??"",radius:17})}),m("text",{x:"16",y:"24","font-size":"34",class:"manila-strong",children:n})]})}function Ba({scene:t,player:a,at:r}){let n=t.view.abstained.includes(a.seat),i=a.accomplices_in_hand,o=Math.min(27,96/Math.max(i,1));return V($,{children:[m(ra,{scene:t,at:r}),Array.from({length:i},(p,y)=>m("g",{transform:`translate(${(y-(i-1)/2)*o} 12)`,children:m(qa,{sign:t.sign(a.seat),size:1.05})},y)),i===0&&m("text",{y:"22","font-size":"28",class:"manila-number",children:"0"}),n&&m("path",{d:"M-44 24 44 2",class:"manila-out"})]})}function Wa({player:t}){let a={...t.dealt},r=Object.values(t.bought),n=[...Object.values(a),...r].reduce((o,p)=>o+p,0),i=t.shares-n;return V($,{children:[m("g",{transform:"translate(-26 -22)",children:m(E,{name:"share",radius:13})}),m("text",{x:"12",y:"-12","font-size":"30",class:"manila-strong",children:t.shares}),Array.from({length:i},(o,p)=>m("g",{transform:`translate(${(p-(i-1)/2)*32} 18)`,children:m(Z,{width:28})},p))]})}function Ja({at:t}){let[a,r=""]=t.split("_");return V($,{children:[m("g",{transform:"translate(0 -8)",class:"manila-faint",children:m(E,{name:r,radius:15})}),a==="dealt"&&m("path",{d:"M-16-42V-30L-10-35-4-30V-42z",class:"manila-ribbon"})]})}import{colour as A,Icon as w,Outline as Xa,Place as Ua,rowOf as na,SeatSign as Ga,shapeOf as Da,Text as sa}from"/static/app/kit.js";import{Fragment as k,jsx as e,jsxs as d}from"/static/app/kit.js";function ia({scene:t}){return Object.entries(t.board.places).map(([a,{kind:r}])=>{let n=Ka[r]??ct;return e(Ua,{at:a,children:e(n,{scene:t,at:a})},a)})}var Ka={sea:Ya,port:Za,shipyard:at,pirate:tt,pirate_place:et,pilot:rt,office:nt,punt:st,berth:it,price:lt,supply:ot};function _(t,a){return na(t.tables,"placement_spaces",a)}function F(t,a){let r=t.board.places[a];if(!r)throw new Error(`the board has no place ${a}`);return r}function x({scene:t,at:a,text:r=""}){return e("title",{children:[t.says.place(a),r].filter(Boolean).join(": ")})}function Q({scene:t,at:a,fill:r="paper"}){let n=Da(t.board,F(t,a));return e(Xa,{shape:n,round:12,fill:A(r),class:"manila-card"})}function L({cost:t,x:a=0,y:r=0,radius:n=29}){return d("g",{transform:`translate(${a} ${r})`,children:[e("circle",{r:n,class:"manila-vacant"}),e(C,{amount:t,radius:n*.66})]})}function Ya({scene:t,at:a}){let{mark:r,colour:n}=F(t,a);return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-28",y:"-46",width:"56",height:"92",rx:"9",class:n?"manila-water manila-risky":"manila-water"}),e("path",{d:"M-18-22q5-6 10 0t10 0M-2 4q5-6 10 0t10 0",class:"manila-wave"}),r?e("text",{y:"39","font-size":"21",class:"manila-number",children:r}):e("g",{transform:"translate(0 29)",class:"manila-pale",children:e(w,{name:"port",radius:12})}),n&&e("g",{transform:"translate(0 -22)",class:"manila-pale",children:e(w,{name:"pirate",radius:14})})]})}function Za({scene:t,at:a}){let r=a.slice(-1),{costs:n,payout:i}=_(t,a),{accomplice:o}=t.view.ports[r]??{};return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(Q,{scene:t,at:a}),e("path",{d:"M4 30Q14 24 24 30T44 30 64 30 84 30 104 30 114 30V40Q114 47 107 47H4z",class:"manila-basin"}),e("path",{d:"M4-46V46",class:"manila-quay"}),e("text",{x:"-91",y:"-14","font-size":"30",class:"manila-strong",children:r.toUpperCase()}),e(N,{amount:i??0,x:-89,y:22}),o==null&&e(L,{cost:n[0]??0,x:-30}),e("g",{transform:"translate(52 -4)",class:"manila-faint",children:e(w,{name:"port",radius:24})})]})}function at({scene:t,at:a}){let r=a.slice(-1),{costs:n,payout:i}=_(t,a),{accomplice:o}=t.view.shipyards[r]??{};return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(Q,{scene:t,at:a}),e("path",{d:"M-2 46 60 46 60 38 2 38zM10 38 14 2M52 38 48 2",class:"manila-slipway"}),e("text",{x:"-46",y:"-25","font-size":"30",class:"manila-strong",children:r.toUpperCase()}),e(N,{amount:i??0,x:8,y:-35}),o==null&&e(L,{cost:n[0]??0,x:-32,y:22,radius:26}),e("g",{transform:"translate(30 20)",class:"manila-faint",children:e(w,{name:"shipyard",radius:17})})]})}function N({amount:t,x:a,y:r}){return e("g",{transform:`translate(${a} ${r})`,class:"manila-payout",children:d("text",{"font-size":"23",y:"8",children:["+",t]})})}function tt({scene:t,at:a}){return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(Q,{scene:t,at:a,fill:"danger"}),e("path",{d:"M-132 24Q0 40 132 16 124 54 92 54H-88Q-124 54-132 24z",class:"manila-hull"}),e("path",{d:"M-110 26V-50H-60L-72-32-60-14H-110",class:"manila-black-flag"}),e("g",{transform:"translate(-88 -32)",children:e(w,{name:"pirate",radius:14})})]})}function et({scene:t,at:a}){let r=a==="pirate_captain"?0:1,n=r?t.view.pirates.second:t.view.pirates.captain;return d(k,{children:[e(x,{scene:t,at:a}),e("circle",{r:"38",fill:A("paper"),class:"manila-edge"}),r===0&&e("g",{transform:"translate(0 46)",children:e(w,{name:"pirate",radius:11})}),n===null&&e(L,{cost:_(t,"pirate").costs[r]??0,radius:32})]})}function rt({scene:t,at:a}){let r=a==="pilot_big",n=r?t.view.pilots.big:t.view.pilots.small;return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e("path",{d:"M-80 34Q-84 4-56-14-40-58 0-56 44-60 58-26 86-4 80 30 74 58 0 57-76 58-80 34z",class:"manila-island"}),d("g",{transform:"translate(-64 26)",children:[e("path",{d:"M0 14Q4 0 0-14",class:"manila-trunk"}),e("path",{d:"M0-14Q-12-24-18-10-8-16 0-14 12-24 18-10 8-16 0-14 2-28-8-30-2-22 0-14 10-26 14-26 4-18 0-14z",class:"manila-palm"})]}),e("g",{transform:`translate(-24 ${r?0:8})`,children:e(w,{name:"pilot",radius:r?36:27})}),e("text",{x:"36",y:"-25","font-size":"27",class:"manila-strong",children:r?"±2":"±1"}),n===null&&e(L,{cost:_(t,a).costs[0]??0,x:40,y:14})]})}function nt({scene:t,at:a}){let{income_on_placement:r=0}=_(t,a);return d(k,{children:[e(x,{scene:t,at:a,text:t.says.text("placement_spaces",a)}),e(Q,{scene:t,at:a}),e(la,{words:t.says.place(a)}),t.view.insurance===null&&e("circle",{cy:"19",r:"27",class:"manila-vacant"}),e("g",{transform:"translate(-50 16)",children:e(w,{name:"insurance",radius:18})}),t.view.insurance===null&&e(N,{amount:r,x:0,y:19})]})}function la({words:t}){return e(sa,{box:[122,40],at:[0,-36],max:18,class:"manila-heading",children:t})}function st({scene:t,at:a}){let r=a.slice(5),{profit:n=0}=na(t.tables,"wares",r),i=t.view.left_out===r,p=t.view.punts.find(v=>v.ware===r)?.seats.filter(v=>v!==null).length??0,{says:y}=t;return d(k,{children:[e(x,{scene:t,at:a,text:y.text("placement_spaces",a)}),e(Q,{scene:t,at:a,fill:r}),e("path",{d:"M-138-36H118Q138-30 138 26 138 84 118 92H-138z",class:"manila-deck"}),e("path",{d:"M-138-12H132M-138 68H132",class:"manila-plank"}),d("g",{transform:"translate(-108 -72)",children:[e("circle",{r:"29",class:"manila-disc"}),e(w,{name:r,radius:23})]}),e(sa,{box:[128,56],at:[-8,-72],max:26,class:"manila-name",children:M(y.name("wares",r))}),e("g",{transform:"translate(100 -72)",children:e(C,{amount:n,radius:29})}),p>1&&d("text",{y:"86","font-size":"18",class:"manila-number",children:[n," ÷ ",p," = ",n/p]}),i&&d("g",{class:"manila-ashore",children:[e("rect",{x:"-140",y:"-40",width:"280",height:"30",rx:"6"}),e("text",{y:"-18","font-size":"21",children:y.label("where.left_out")})]})]})}function it({scene:t,at:a}){let[,r,n]=a.split("_"),o=_(t,`punt_${r}`).costs[Number(n)]??0,y=t.view.punts.find(v=>v.ware===r)?.seats[Number(n)]!=null;return d(k,{children:[e(x,{scene:t,at:a}),e("circle",{r:"31",class:"manila-seat"}),!y&&e(C,{amount:o,radius:19})]})}function lt({scene:t,at:a}){let[,r="",n]=a.split("_"),i=t.view.market[r]??0,o=Number(n)<=i,p=Number(n)===i;return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-38",y:"-21",width:"76",height:"42",rx:"8",fill:A(o?r:"paper"),class:"manila-card"}),e("text",{x:p?20:0,y:"8","font-size":"24",class:p?"manila-strong":"manila-number",children:n})]})}function ot({scene:t,at:a}){return d(k,{children:[e(x,{scene:t,at:a}),e("rect",{x:"-70",y:"-21",width:"140",height:"42",rx:"8",class:"manila-tray"})]})}function ct({scene:t,at:a}){let{icon:r}=F(t,a),n=mt[a];return d(k,{children:[e(Q,{scene:t,at:a}),e(la,{words:t.says.place(a)}),r&&a!=="auction"&&e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(w,{name:r,radius:26})}),n&&e(n,{scene:t})]})}var mt={voyage:dt,auction:pt,left_out:ft};function dt({scene:t}){let{view:a}=t,n=t.tables.voyage_schedule[String(a.players.length)]??[],i={placement:a.placement_round,movement:a.movement_round},[o,p]=[0,0],y=132/n.length,v=["placement","movement"].flatMap(z=>i[z]?[t.says.label(`board.${z}`,{number:i[z]})]:[]);return d(k,{children:[e("title",{children:v.join(" · ")}),e("text",{y:"18","font-size":"38",class:"manila-strong",children:a.voyage}),n.map((z,W)=>{let oa=(z==="movement"?++p:++o)<=i[z],ca=(W-(n.length-1)/2)*y;return e("g",{transform:`translate(${ca} 38)`,class:oa?"manila-past":"manila-coming",children:z==="movement"?d(k,{children:[e("rect",{x:"-8",y:"-8",width:"16",height:"16",rx:"3"}),e("circle",{cx:"-3.5",cy:"-3.5",r:"1.8",class:"manila-pip"}),e("circle",{cx:"3.5",cy:"3.5",r:"1.8",class:"manila-pip"})]}):e("path",{d:"M-8 6Q-2-2 0-9 2-2 8 6 0 10-8 6z"})},W)})]})}function pt({scene:t}){let{auction:a}=t.view;return a?d(k,{children:[d("g",{transform:"translate(0 8)",children:[e(P,{radius:24}),e("text",{y:"9","font-size":"26",class:"manila-onto-gold",children:a.high})]}),a.passed.map((r,n)=>d("g",{transform:`translate(${(n-(a.passed.length-1)/2)*30} 42)`,children:[e(Ga,{sign:t.sign(r),size:.7}),e("path",{d:"M-10 8 10-8",class:"manila-out"})]},r))]}):e("g",{transform:"translate(0 16)",class:"manila-faint",children:e(w,{name:"hammer",radius:26})})}function ft({scene:t}){let a=t.view.left_out;return a===null?null:d("g",{transform:"translate(0 10)",children:[e("title",{children:t.says.name("wares",a)}),e("rect",{x:"-34",y:"-24",width:"68",height:"52",rx:"6",fill:A(a),class:"manila-edge"}),e("path",{d:"M-34-8H34M-34 12H34",class:"manila-rope"}),e("circle",{cy:"2",r:"20",class:"manila-disc"}),e("g",{transform:"translate(0 2)",children:e(w,{name:a,radius:17})})]})}import{Fragment as kt,jsx as c,jsxs as T}from"/static/app/kit.js";var gt={icons:X,draw:t=>T(kt,{children:[c(yt,{scene:t}),c(ia,{scene:t}),c(Y,{scene:t}),c(aa,{scene:t}),c(D,{scene:t}),c(G,{scene:t}),c(U,{scene:t})]}),mat:(t,a)=>c(ea,{scene:t,mat:a}),style:J},Xt=gt;function yt({scene:t}){let[a,r]=t.board.size,{says:n}=t;return T("g",{class:"manila-land",children:[c("rect",{width:a,height:r,rx:"18",fill:B("ground")}),c("path",{d:"M8 34Q8 14 28 14H700Q716 14 716 30V230H8z",class:"manila-stall"}),Object.keys(t.view.market).map((i,o)=>T("g",{transform:`translate(0 ${64+48*o})`,children:[c("g",{transform:"translate(34 0)",children:c(ut,{name:i,radius:17})}),c(ht,{box:[100,42],at:[104,0],max:20,class:"manila-name",children:M(n.name("wares",i))})]},i)),c("text",{x:"360",y:"37","font-size":"20",class:"manila-title",children:M(n.label("board.market"))}),c("text",{x:"638",y:"37","font-size":"20",class:"manila-title",children:M(n.label("board.supply"))}),c("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710H0z",fill:B("sea")}),c("path",{d:"M0 242H938Q952 330 940 420 956 500 946 562H776V710",class:"manila-surf"}),c("path",{d:"M938 242H1200V710H776V562H946Q956 500 940 420 952 330 938 242z",fill:B("land")}),c("path",{d:"M944 250H1192V556H944z",class:"manila-pier"}),c("path",{d:"M952 556v14M1000 556v14M1048 556v14M1096 556v14M1144 556v14M1188 556v14",class:"manila-rope"}),c("path",{d:"M780 570H1192V694H780z",class:"manila-pier"}),[0,1,2].map(i=>c("path",{d:`M26 ${300+100*i}H936`,class:"manila-course"},i)),c("path",{d:"M832 552Q836 590 738 608",class:"manila-ambush"}),c("path",{d:"M196 574q9-10 18 0t18 0M192 688q9-10 18 0t18 0M14 572q9-10 18 0t18 0M400 566q9-10 18 0t18 0M400 698q9-10 18 0t18 0",class:"manila-wave"}),T("g",{transform:"translate(414 632)",class:"manila-rose",children:[c("circle",{r:"30"}),c("path",{d:"M0-44 7-7 44 0 7 7 0 44-7 7-44 0-7-7z"}),c("path",{d:"M-22-22-2-8-8-2zM22-22 2-8 8-2zM-22 22-2 8-8 2zM22 22 2 8 8 2z"})]})]})}export{Xt as default};
