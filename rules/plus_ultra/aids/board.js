import{colour as or}from"/static/app/kit.js";var bt=`.board .plusultra-left {
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
`;import{colour as rt,extentOf as St,Icon as A,ofType as X,Piece as at,Place as O,rowsOf as $e,SeatSign as Tt}from"/static/app/kit.js";import{colour as Vt,Icon as ye,Outline as be,Piece as we}from"/static/app/kit.js";import{Icon as fe,wrapped as he}from"/static/app/kit.js";import{jsx as B,jsxs as Mt}from"/static/app/kit.js";var ge=.56,Lt=.64,xt=1.14;function _({children:t,at:[e,r],width:a,size:s=17,middle:c=!1,bold:o=!1}){return B("text",{class:[c?"":"plusultra-left",o?"plusultra-title":""].filter(Boolean).join(" "),"font-size":s,children:H(t,a,s,o).map((d,g)=>B("tspan",{x:e,y:r+g*s*xt,dy:"0.35em",...J(d,a,s),children:`${d} `},`${g} ${d}`))})}function J(t,e,r){return t.length*r*Lt<=e||t.includes(" ")?{}:{textLength:e,lengthAdjust:"spacingAndGlyphs"}}function H(t,e,r,a=!1){return he(t,Math.floor(e/(r*(a?Lt:ge))))}function F(t){return t.slice(0,1).toUpperCase()+t.slice(1)}var ke="admiral cardinal merchant constable conquistador pirate king secretary viceroy common_painter common_loan common_recruit common_trade_route common_mission common_court common_workshops common_estate castle palace vineyard trading_house manor glass_workshop barracks abbey shipyard banking_house".split(" "),wt=t=>ke.map(e=>`svg:has(.plusultra-of-${e}${t}) .plusultra-large-${e}`).join(","),_t=`${wt(":is(:focus-visible,[data-looked])")}{visibility:visible}@media(hover:hover){${wt(":hover")}{visibility:visible}}`;function tt({scene:t,table:e,id:r,at:[a,s],room:c}){let{says:o,board:n,narrow:d}=t,[g,M]=d&&c>640?[640,25]:[470,20],L=Math.min(Math.max(a-g/2,8),c-g-8),T=o.text(e,r),K=H(T,g-40,M).length,yt=112+M+(K-1)*M*xt;return Mt("g",{class:`plusultra-large plusultra-large-${r}`,transform:`translate(${L} ${s-yt})`,children:[B("rect",{class:"plusultra-card",width:g,height:yt,rx:"14"}),Mt("g",{transform:"translate(54 54)",children:[B("circle",{class:"plusultra-medal",r:"41"}),B(fe,{name:n.catalogue[e]?.icons?.[r]??"",radius:38})]}),B(_,{at:[106,54],width:g-116,size:M+6,bold:!0,children:o.name(e,r)}),B(_,{at:[20,112],width:g-40,size:M,children:T})]})}import{Fragment as Me,jsx as C,jsxs as it}from"/static/app/kit.js";function z({scene:t,at:e,tone:r}){let a=t.board.places[e],s=a&&t.board.kinds[a.kind];return!a||!s?null:C(be,{class:"face",shape:a.shape??s.shape,round:10,fill:Vt(r??s.colour)})}function I({board:{places:t}},e){return Object.keys(t).filter(r=>t[r]?.kind===e)}function et({says:t},e){let r=e.id??"";return[t.name("tile_kinds",r),t.text("tile_kinds",r)].filter(Boolean).join(": ")}function Y({scene:t,piece:e,size:[r,a]=[124,84]}){let s=e.id??"",c=t.board.catalogue.tile_kinds,o=s==="face_down",n=F(t.says.name("tile_kinds",s)),d=t.narrow?21:18;return it(we,{of:e,shape:{rect:[r+4,a+4]},children:[C("title",{children:et(t,e)}),C("rect",{class:o?"plusultra-back":"face",x:-r/2,y:-a/2,width:r,height:a,rx:"9",fill:Vt(c?.colours?.[s]??"paper")}),o?it("g",{class:"plusultra-pillars",children:[C("path",{d:"M-26 24V-22M26 24V-22M-34 25h16M18 25h16M-34-23h16M18-23h16"}),C("path",{class:"plusultra-ribbon",d:"M-34 12Q-10 24 0 0T34-12"})]}):it(Me,{children:[C("circle",{class:"plusultra-medal",r:"25",cy:"-12"}),C("g",{transform:"translate(0 -12)",children:C(ye,{name:c?.icons?.[s]??"tile",radius:21})}),C("text",{class:"plusultra-on-tile","font-size":d,y:a/2-14,dy:"0.35em",...J(n,r-8,d),children:n})]})]})}import{Fragment as h,jsx as P,jsxs as m}from"/static/app/kit.js";var w="#2b2117",$t="#e6b48c",x="#e2b93b",N="#aeb9c4",Q="#b3322b",V="#8a5a34",ct="#274a78",Zt="#4f8a4a",b="#f6ecd2";function l(t,e){return P("path",{d:t,fill:e,stroke:w,"stroke-width":"0.9","stroke-linejoin":"round"})}function p(t,e=w,r=1.2){return P("path",{d:t,fill:"none",stroke:e,"stroke-width":r,"stroke-linecap":"round","stroke-linejoin":"round"})}function E(t,e,r=$t){return m(h,{children:[l("M-9.5 11.5C-9 5.5-5 4 0 4S9 5.5 9.5 11.5Z",t),l("M-4-3C-4 3-2.2 5.2 0 5.2S4 3 4-3Z",r),P("path",{d:"M-1.8-.6v.4M1.8-.6v.4",stroke:w,"stroke-width":"1.3","stroke-linecap":"round"}),e]})}var vt="M-3.8 1Q0 2.2 3.8 1Q3.6 7.4 0 7.6T-3.8 1Z",Le="M5.5 11.5V-8.5M5.5-12l1.6 3.8H3.9Z",xe="M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",_e=[0,45,90,135,180,225,270,315];function Qt(t,e){return m(h,{children:[l("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0Z","#50443a"),_e.map(r=>P("path",{transform:`rotate(${r})`,d:"M0-2.6C-3.4-5.6-2.4-9.6 0-9.6S3.4-5.6 0-2.6Z",fill:t,stroke:w,"stroke-width":"0.6"},r)),P("circle",{r:"2.6",fill:e,stroke:w,"stroke-width":"0.8"})]})}function Pt(t,e){return m(h,{children:[p(e,"#8f7350",1.6),l("M-6 11.5C-6.5 5-4.5 2.5-1 2.5S4.5 5 4 11.5Z",t),l("M-4.2-3C-4.2 2-2.8 3.6-1 3.6S2.2 2 2.2-3Z",$t),l("M-7.5-3.2Q-1-5 5.5-3.2Q4-10-1-10.5Q-6-10-7.5-3.2Z",N)]})}var Ht={admiral:E(ct,m(h,{children:[l("M-9-3.2Q-8-9.5 0-10.2Q8-9.5 9-3.2Q0-6.6-9-3.2Z",ct),p("M-8-3.9Q0-7.4 8-3.9",x),p("M-6 8.5h3M3 8.5h3",x,1.6)]})),cardinal:E("#a8242c",m(h,{children:[l("M-10.5-3.2Q0-6.2 10.5-3.2Q7.5-5.2 4.6-5.2Q4-10.4 0-10.4T-4.6-5.2Q-7.5-5.2-10.5-3.2Z","#c5303a"),p("M0 6v5.2M-2 8h4",x,1.4)]})),merchant:E("#6b5030",m(h,{children:[l("M-6.5-3.2Q-9.5-9 0-9.8T6.5-3.2Q0-5.4-6.5-3.2Z","#7a3f6c"),p("M-2.4 2.4Q0 1.2 2.4 2.4"),P("circle",{cx:"6.4",cy:"8",r:"3.2",fill:x,stroke:w,"stroke-width":"0.9"})]})),constable:E(N,m(h,{children:[l("M-5.2 1.6V-4Q-5-9.8 0-10.4Q5-9.8 5.2-4V1.6L2.6.2V-2.2H-2.6V.2Z",N),p("M0-10.2V-2.4"),l("M-1-12Q4-13 7-8Q3-9.6 0-10Z",Q)]})),conquistador:E("#7a2f22",m(h,{children:[l("M-9.5-1.6Q-5-4.4 0-4.4T9.5-1.6Q7-8 4.4-8.2Q0-15-4.4-8.2Q-7-8-9.5-1.6Z",x),p("M-1-11.6Q2-8.5 1-5",w,.8),l(vt,"#3b2a1c")]})),pirate:E("#3d3a3f",m(h,{children:[l("M-4.8-2.6Q-4.6-8.6 0-8.8T4.8-2.6Q0-4.4-4.8-2.6Z",Q),l("M4.4-4L9.4-5.4L8-1.8Z",Q),l("M.4-1.8h3v2.4q-1.5 1-3 0Z","#1b1612"),p("M-4-2.4L4-2",w,.8),p("M-2 3Q0 2 2 3.2")]})),king:E("#7b2442",m(h,{children:[l("M-6-3.2L-7-10L-3.2-7L0-11.5L3.2-7L7-10L6-3.2Q0-4.6-6-3.2Z",x),l(vt,"#70513a"),p("M-7 8.4Q0 12 7 8.4",b,2.4)]})),secretary:E("#2d2a33",m(h,{children:[l("M-5-3Q-5.6-8.4 0-8.6T5-3Q0-5-5-3Z","#2d2a33"),l("M-6 5.2Q-3 3.6 0 5T6 5.2Q4.6 8.6 0 8.2T-6 5.2Z",b),p("M5 11L10-3Q7-1 6.2 4",b,1.6)]})),viceroy:E("#2f6b57",m(h,{children:[l("M-8.5-3.2Q0-6 8.5-3.2Q6-5 5-5.6Q4-9.8 0-9.8T-5-5.6Q-6-5-8.5-3.2Z","#2f6b57"),l("M3-7Q5-13 10.5-9.5Q7-9.6 5-5.8Z",b),p("M-6 6.2L5 11.2",x,2)]})),character:m(h,{children:[l("M-8.5-11.5h17v23h-17Z","#7b2f3a"),p("M-5.8-8.8h11.6v17.6h-11.6Z",x,.9),l("M-4.5 3L-5.5-3.5L-2.4-1L0-5L2.4-1L5.5-3.5L4.5 3Z",x)]}),crown:m(h,{children:[l("M-9 6.5L-11-6.5L-4.8-1L0-9.5L4.8-1L11-6.5L9 6.5Z",x),p("M-8.4 9.4H8.4",w,2),P("circle",{cy:"2.6",r:"1.8",fill:Q})]}),ducat:m(h,{children:[l("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z",x),P("circle",{r:"7.6",fill:"none",stroke:"#8a661a","stroke-width":"1"}),p("M0-5V5M-4 0H4M-3-3L3 3M3-3L-3 3","#8a661a",1.1)]}),pg:m(h,{children:[l("M-7 0L-9 10.5L-3 7.5L0 11.8L3 7.5L9 10.5L7 0Z",Q),l("M-8.5-2.5a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0Z",x),l("M0-8.6L1.8-4.4L6.2-4.2L2.8-1.4L4-3L4 3L0 .6L-4 3L-2.8-1.4L-6.2-4.2L-1.8-4.4Z",b)]}),bull:m(h,{children:[l("M-7-11H5L9-7V8H-7Z",b),p("M-4-6.5H3M-4-3.5H5.5M-4-.5H5.5","#8b7650",1),p("M-1 2.6L-2.5 11M1 2.6L3 11",Q,1.6),P("circle",{cy:"3.6",r:"4",fill:N,stroke:w,"stroke-width":"0.9"}),p("M0 1.4V5.8M-1.6 2.8H1.6",w,1)]}),church:m(h,{children:[l("M-9 11V0L0-5L9 0V11Z",b),l("M-3 11V6Q0 2 3 6V11Z",V),p("M0-12V-5M-2.6-9.6H2.6",w,1.5)]}),estate:m(h,{children:[l("M-10 10V-1H10V10Z",b),l("M-11.5 0L-6-6.5H6L11.5 0Z",Q),l("M-2.4 10V4.4Q0 2 2.4 4.4V10Z",V),p("M-6.5 3.4V6M6.5 3.4V6",w,1.8),l("M-2.5-6.5V-10.5H2.5V-6.5Z",b)]}),house:m(h,{children:[l("M-8 10V-.5H8V10Z",b),l("M-10.5 0L0-10L10.5 0Z","#a8503a"),l("M-2.2 10V4H2.2V10Z",V)]}),settlement:m(h,{children:[l("M-11 10V3L-6.5-1.5L-2 3V10Z",b),l("M2 10V3L6.5-1.5L11 3V10Z",b),l("M-4.5 10V-3.5L0-8.5L4.5-3.5V10Z","#dcbf8c"),p("M0-12.4V-8.6M-1.8-10.8H1.8",w,1.2)]}),magellan:m(h,{children:[l("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z","#6ea6c4"),l("M-7-6Q-2-9 0-4Q-3-2-2 2Q-5 3-7-1Z","#9bb06a"),l("M2 1Q6-3 8 0Q8 5 4 7Q1 5 2 1Z","#9bb06a"),p("M-11.6 2.8Q0 8.6 11.6-3.2",Q,1.5)]}),ship:m(h,{children:[p("M0 5V-11M-6 5V-6.5",w,1.2),l("M-.8-10.5Q8-6 5.6 2.5H-.8Z",b),l("M-6.2-6.4Q-.6-3.4-2 2.5H-6.2Z",b),l("M-11 3.6L-9 6H9L11.5 2.6Q11 11.5 4 11.5H-5Q-10 10.5-11 3.6Z",V)]}),gold:m(h,{children:[l("M-11 9.5L-9 2.5H-2.5L-.5 9.5Z",x),l("M.5 9.5L2.5 2.5H9L11 9.5Z",x),l("M-5.3 1.6L-3.3-5.4H3.3L5.3 1.6Z","#f0cf5c"),p("M-2-3.4H2M-7.5 4.6H-4M4 4.6H7.5","#fff4c4",1.1)]}),silver:m(h,{children:[l("M-10 8L-7-1L7.5-4L10.5 4.5Z","#c9d3dc"),l("M-7-1L7.5-4L5-7.5L-8-4.6Z","#e9eef2"),l("M-10 8L-7-1L-8-4.6L-11 3Z","#8d9aa7"),p("M-3 3.6L4 2","#6c7985",1.2)]}),gems:m(h,{children:[l("M0 11L-11-2.5L-6-9H6L11-2.5Z","#a65bc0"),l("M0 11L-4.6-2.5L0-9L4.6-2.5Z","#cf9be0"),p("M-11-2.5H11",w,.9)]}),spices:m(h,{children:[l("M-8-2Q-12 11 0 11T8-2Z","#b98a52"),l("M-8.5-2Q-6-9 0-9T8.5-2Q0 1.4-8.5-2Z","#c8462c"),[-4,0,4].map(t=>P("circle",{cx:t,cy:t?-3:-5.4,r:"1.3",fill:"#f1b04a"},t)),p("M-6.5 2.6Q0 5 6.5 2.6","#7d5527",1.2)]}),natives:m(h,{children:[l("M-10.5 10.5Q-11-1 0-7.5Q11-1 10.5 10.5Z","#c99a55"),l("M-2.8 10.5Q-3.4 4 0 2Q3.4 4 2.8 10.5Z","#4a3320"),p("M-8.5 3.5Q-4-1 0-7.5Q4-1 8.5 3.5M-5-1.8H5","#7d5527",1),p("M-1.5-7L-3-11.5M0-7.5V-12M1.5-7L3-11.5","#4f8a4a",1.4)]}),peer:m(h,{children:[l("M-9.5-10.5H9.5V0Q9 8.5 0 12Q-9 8.5-9.5 0Z",b),p("M0-10V11.4M-9-2H9",Q,2.2)]}),rosette:Qt("#e9776b",x),rosette_used:Qt("#a39b90","#d8d2c6"),tercio:Pt(Q,Le),tercio_tired:m(h,{children:[Pt("#8d857b","M5.5 11.5L9 1"),p("M4-7H8L4-2.4H8M8.6-11.4H11L8.6-8.6H11","#8f7350",1.3)]}),tile:m(h,{children:[l("M-11-8.5H11V8.5H-11Z","#3f5f4d"),p("M-5.5 6V-5.5M5.5 6V-5.5M-7.5 6H-3.5M3.5 6H7.5M-7.5-5.5H-3.5M3.5-5.5H7.5",b,1.5),p("M-5.5 2.5Q0 5.5 5.5-1.5",x,1.3)]}),surplus:m(h,{children:[l("M-10.5 10.5V0H0V10.5Z",V),l("M0 10.5V2H10.5V10.5Z","#a06c42"),l("M-5 0V-9H5V0Z","#a06c42"),p("M-10.5 5.2H0M0 6.2H10.5M-5-4.6H5",w,.9)]}),taken:m(h,{children:[l("M0-11.5L3-9L7-9.6L8-5.6L11.4-3.2L9.6.6L10.4 4.8L6.4 6.2L4.2 9.8L0 8.4L-4.2 9.8L-6.4 6.2L-10.4 4.8L-9.6.6L-11.4-3.2L-8-5.6L-7-9.6L-3-9Z","#96262a"),p("M-4-5L4 3M4-5L-4 3",b,2.2)]}),turn:m(h,{children:[l("M-7-11H7V-8.6Q6-3 1.2 0Q6 3 7 8.6V11H-7V8.6Q-6 3-1.2 0Q-6-3-7-8.6Z",b),l("M-4 9.6Q-3.4 5 0 4T4 9.6Z","#d8a54a"),l("M-3.6-5H3.6Q2.4-2 0-.6Q-2.4-2-3.6-5Z","#d8a54a"),p("M-8.5-11H8.5M-8.5 11H8.5",V,2.2)]}),war:m(h,{children:[p("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",w,4),p("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",N,2),p("M-9.8 3.4L-3.4 9.8M9.8 3.4L3.4 9.8",x,2.4),l("M7-7.5L10.5-11L9.6-6Z",N),l("M-7-7.5L-10.5-11L-9.6-6Z",N)]}),common_painter:m(h,{children:[l("M-11 1Q-11-9 0-9T11-1Q11 4 5.5 3.2Q2 3 2.6 6Q3 9.5-2 9.5Q-11 8.5-11 1Z","#c39a66"),[[-6,-2,Q],[-2,-5.6,x],[3.5,-5,ct],[-5.6,3.6,Zt]].map(([t,e,r])=>P("circle",{cx:t,cy:e,r:"1.9",fill:String(r),stroke:w,"stroke-width":"0.5"},r)),p("M1 11.5L11-9",V,1.7)]}),common_loan:m(h,{children:[l("M-6-4Q-11 2-9.5 7.5Q-8 11.5 0 11.5T9.5 7.5Q11 2 6-4Z","#a77b49"),l("M-6.5-4L-8-10L-3-8.4L0-11L3-8.4L8-10L6.5-4Z","#bf935c"),l("M-4.4 3.6a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z",x)]}),common_recruit:m(h,{children:[p("M-8 11.5V-11.5",V,1.8),l("M-8-11Q0-14 3-9.6T11.5-9.4V3.4Q6 6.6 2 2.6T-8 2Z",b),p("M-5-8L8.5 1.4M8.5-8L-5 1.4",Q,2.2)]}),common_trade_route:m(h,{children:[p("M-10.5 8Q-7 4.8-3.5 8T3.5 8T10.5 8M-10.5 11.4Q-7 8.2-3.5 11.4T3.5 11.4T10.5 11.4","#3f7fa6",1.4),p("M0 3.5V-11",w,1.2),l("M1-10.6Q8.5-6.4 7 .8H1Z",b),l("M-1-8.6Q-6-5-5.6.8H-1Z",b),l("M-9.5 2.4H9.5Q8.4 7-.4 7T-9.5 2.4Z",V)]}),common_mission:m(h,{children:[l("M-10.5 11V1H3V11Z",b),l("M3 11V-5L7-8.6L11-5V11Z",b),l("M-11.5 1.4L-4-4.6L4 1.4Z","#a8503a"),p("M7-12.4V-8.6M5.4-11H8.6",w,1.3),l("M-6 11V6.6Q-4 4.6-2 6.6V11Z",V),l("M5.6-.5V-3.4H8.4V-.5Z",V)]}),common_court:m(h,{children:[l("M-7 11.5V3H7V11.5H4.6V7H-4.6V11.5Z",V),l("M-6 3V-8Q0-14 6-8V3Z","#8e2f45"),l("M-3.6-2.6L-4.6-7.4L-2-6L0-8.6L2-6L4.6-7.4L3.6-2.6Z",x),p("M-9-1V4H9V-1",V,1.8)]}),common_workshops:m(h,{children:[p("M-8 10L3.5-3",V,2.6),l("M-2.4-7L2-11.4L10-3.4L5.6 1Z",N),p("M8.5 10.5L-1.5 1",V,2.2),p("M-10.6-6.4L-8-9.4L-2 .6L-4.4 2.4Z",w,1)]}),common_estate:m(h,{children:[l("M-11.5 9Q-4 3 11.5 8V11.5H-11.5Z","#8aa35c"),l("M-6 8V-1H6V7.4Z",b),l("M-8 0L0-6.6L8 0Z",Q),l("M8-1.4a3 3 0 1 1 3-5a3 3 0 0 1-3 5Z",Zt),l("M-2 8V3H2V8Z",V)]})};function ut({ducats:t}){return m("g",{class:"plusultra-price",children:[P("path",{d:xe,transform:"scale(1.9)",fill:x,stroke:w,"stroke-width":"0.8"}),P("text",{"font-size":"21",dy:"0.35em",children:t})]})}var Ve=[692,2490],j={turns:[-680,0],world:[10,784],court:[-680,1504]},Ze={row:"world",settlement:"world",sea:"world",turn:"turns",order:"court",church:"court",market:"court",surplus:"court",war:"court",level:"court",crown:"court"},ve={round:[606,56],pack:[346,280],common_painter:[88,538],common_loan:[260,538],common_recruit:[432,538],common_trade_route:[604,538],common_mission:[88,700],common_court:[260,700],common_workshops:[432,700],common_estate:[604,700],pile:[117,2196],bank:[346,2196],bulls:[575,2196],rosettes:[117,2312],magellan:[346,2312],estates:[575,2312],estates_used:[346,2428]},Qe={wide:{rect:[680,340]},common:{rect:[166,154]},area:{rect:[222,108]},used:{rect:[680,104]}};function Ot(t){let e=Object.entries(t.kinds).map(([a,s])=>[a,{...s,shape:Qe[a]??s.shape}]),r=Object.entries(t.places).map(([a,s])=>[a,Pe(a,s)]);return{...t,size:Ve,kinds:Object.fromEntries(e),places:Object.fromEntries(r)}}function Pe(t,e){let r=ve[t];if(r)return{...e,x:r[0],y:r[1]};let[a,s]=j[Ze[e.kind]??"court"];return{...e,x:e.x+a,y:e.y+s}}import{Fragment as q,jsx as i,jsxs as y}from"/static/app/kit.js";function W({box:[t,e,r,a],title:s}){return y("g",{class:"plusultra-panel",children:[i("rect",{x:t,y:e,width:r,height:a,rx:"12"}),s&&i(_,{at:[(t??0)+16,(e??0)+20],width:(r??0)+24,size:21,bold:!0,children:s})]})}var He="M810 364h326v12q-16 14-32 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0Z";function Ct({scene:{says:t,view:e,narrow:r}}){return y(q,{children:[r?y(q,{children:[i("rect",{class:"plusultra-city",x:"2",y:"6",width:"688",height:"776",rx:"16"}),i("rect",{class:"plusultra-city",x:"2",y:"1606",width:"688",height:"880",rx:"16"})]}):i("rect",{class:"plusultra-city",x:"672",y:"8",width:"920",height:"812",rx:"16"}),i("g",{transform:r?`translate(${j.turns})`:void 0,children:i(W,{box:[682,14,688,86]})}),y("g",{transform:r?`translate(${j.court})`:void 0,children:[i(W,{box:[682,108,344,108],title:t.label("board.peer_order")}),i(W,{box:[1034,108,336,108],title:t.label("board.next_order")}),i(W,{box:[682,222,346,130],title:t.label("board.church")}),i(W,{box:[1036,222,334,130],title:t.label("where.crown",{ducats:e.crown})}),i(W,{box:[682,358,464,134],title:t.label("board.market")}),i(W,{box:[1150,358,220,134],title:t.label("board.surplus")}),i(W,{box:[682,500,688,128],title:t.label("board.war")}),i("path",{class:"plusultra-awning",d:He})]})]})}function Et({scene:t}){let{says:e,view:r,board:a}=t;return y(q,{children:[a.tracks?.turns?.places.map((s,c)=>y(O,{at:s,children:[i("title",{children:e.place(s)}),i("circle",{class:c+1<r.turn?"face plusultra-past":"face",r:"30",fill:rt("paper")}),i("text",{class:"plusultra-title","font-size":"26",dy:"0.35em",children:c+1})]},s)),y(O,{at:"round",children:[i("title",{children:e.place("round")}),i(z,{scene:t,at:"round"}),i("text",{class:"plusultra-title","font-size":"24",dy:"0.35em",children:r.round?F(e.label("board.round",{round:r.round})):"–"})]}),X(t,"turn_marker").map(s=>y(at,{of:s,shape:{circle:33},name:e.place(s.place),children:[i("circle",{class:"plusultra-now",r:"30"}),i("g",{transform:"translate(22 -20)",children:i(A,{name:"turn",radius:14})})]},s.key))]})}function At({scene:t}){let{says:e}=t,r=I(t,"order");return y(q,{children:[r.map(a=>y(O,{at:a,children:[i("title",{children:e.place(a)}),i("circle",{class:"face",r:"34",fill:rt("paper")}),i("text",{class:"plusultra-faint","font-size":"28",dy:"0.35em",children:a.split("_")[1]})]},a)),X(t,"peer").map(a=>y(at,{of:a,shape:{circle:30},name:e.owner(a.owner??0),children:[i("title",{children:e.owner(a.owner??0)}),i("path",{class:"plusultra-shield",d:"M-24-26H24V2Q22 20 0 30Q-22 20-24 2Z"}),i(Tt,{sign:t.sign(a.owner??0),size:1.45})]},a.key))]})}function qt({scene:t}){return y(q,{children:[I(t,"church").map(e=>y(O,{at:e,children:[i("title",{children:t.says.place(e)}),i("path",{class:"plusultra-arch",d:"M-53 44V-8Q-50-32 0-44Q50-32 53-8V44Z"}),i("g",{class:"plusultra-faint",children:i(A,{name:"rosette",radius:20})})]},e)),X(t,"tile").filter(({place:e})=>e.startsWith("church_")).map(e=>i(Y,{scene:t,piece:e,size:[94,74]},e.key))]})}function Oe({tables:t},e){let r=$e(t,"king_favor").find(({crown_min:a,crown_max:s})=>Number(a)<=e&&e<=Number(s));return String(r?.pg??0)}function Rt({scene:t}){let{says:e,board:r}=t;return y(q,{children:[r.tracks?.crown?.places.map((a,s)=>y(O,{at:a,children:[i("title",{children:e.place(a)}),i(z,{scene:t,at:a}),i("text",{class:"plusultra-title","font-size":"22",y:"-20",dy:"0.35em",children:s}),i("g",{transform:"translate(-8 20)",children:i(A,{name:"pg",radius:10})}),i("text",{"font-size":"21",x:"12",y:"20",dy:"0.35em",children:Oe(t,s)})]},a)),X(t,"crown_ducats").map(a=>y(at,{of:a,shape:{rect:[44,74]},name:e.place(a.place),children:[i("rect",{class:"plusultra-now",x:"-21",y:"-36",width:"42",height:"72",rx:"10"}),i("g",{transform:"translate(0 -44)",children:i(A,{name:"crown",radius:15})})]},a.key))]})}function zt({tables:t,view:e},r,a){let{base_price:s,minimum:c}=t.merchant,o=e.market.filter(n=>n===r).length-Number(a);return Math.max(s-o,c)}function It({scene:t}){let{says:e,view:r,board:a}=t,s=X(t,"tile"),c=s.filter(({place:d})=>d==="surplus"),o=r.merchant_market_slot==="slot_1"?1:r.market.length,n=c.at(-1);return y(q,{children:[[1,2,3,4].map(d=>y(O,{at:`market_${d}`,children:[i("title",{children:e.place(`market_${d}`)}),i(z,{scene:t,at:`market_${d}`}),i("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:d})]},d)),y(O,{at:"surplus",children:[i("title",{children:e.place("surplus")}),i(z,{scene:t,at:"surplus"})]}),s.filter(({place:d})=>d.startsWith("market_")).map(d=>i(Y,{scene:t,piece:d,size:[96,86]},d.key)),c.map(d=>i(Se,{scene:t,piece:d},d.key)),r.market[o-1]&&i(Dt,{place:a.places[`market_${o}`],by:[36,-36],children:i(ut,{ducats:zt(t,r.market[o-1]??"",!0)})}),n&&i(Dt,{place:a.places.surplus,by:[86,-36],children:i(ut,{ducats:zt(t,n.id??"",!1)})})]})}function Dt({place:{x:t,y:e}={x:0,y:0},by:[r,a],children:s}){return i("g",{transform:`translate(${t+r} ${e+a})`,children:s})}function Se({scene:t,piece:e}){let{nth:r,among:a,x:s,y:c,id:o}=e;if(r===a-1)return i("g",{children:i(Y,{scene:t,piece:{...e,x:s+56},size:[92,86]})});let n=Math.max(4,Math.ceil((a-1)/3)),d=98/n,g=[s-90+r%n*d,c-28+Math.floor(r/n)*28],M=t.board.catalogue.tile_kinds;return y(at,{of:e,at:g,shape:{circle:14},children:[i("title",{children:et(t,e)}),i("circle",{class:"face",r:"13",fill:rt(M?.colours?.[o??""]??"paper")}),i(A,{name:M?.icons?.[o??""]??"tile",radius:10})]})}function Nt({scene:t}){let{says:e,view:r}=t;return y(q,{children:[[1,2,3,4,5,6].map(a=>y(O,{at:`war_${a}`,class:a>r.war_level?"plusultra-needless":"",children:[i("title",{children:e.place(`war_${a}`)}),i("circle",{class:"plusultra-drum",r:"40"}),i("circle",{class:"face",r:"33",fill:rt("paper")}),i("text",{class:"plusultra-faint","font-size":"30",dy:"0.35em",children:a})]},a)),y(O,{at:"war_level",children:[i("title",{children:e.place("war_level")}),i(z,{scene:t,at:"war_level"}),i("g",{transform:"translate(-36 0)",children:i(A,{name:"war",radius:24})}),i("text",{class:"plusultra-title","font-size":"32",x:"30",dy:"0.35em",children:`${r.war.length}/${r.war_level}`})]}),X(t,"tercio").map(a=>{let s=t.sign(a.owner??0);return y(at,{of:a,shape:{circle:36},name:e.owner(a.owner??0),children:[i("title",{children:e.owner(a.owner??0)}),i("circle",{r:"33",class:"plusultra-edge",fill:rt(s.colour)}),i("circle",{r:"33",fill:`url(#pattern-${s.pattern})`}),i("circle",{r:"24",class:"plusultra-medal"}),i("g",{transform:"translate(-5 0)",children:i(A,{name:"tercio",radius:20})}),i("g",{transform:"translate(17 14)",children:i(Tt,{sign:s,size:.95})})]},a.key)})]})}var ze={pile:"tile",bank:"ducat",bulls:"bull",rosettes:"rosette",magellan:"magellan",estates:"estate"};function jt({scene:t}){let{says:e,view:r,board:a,narrow:s}=t,c=s?21:17,[o]=St(a.kinds.area?.shape??{}),[n,d]=St(a.kinds.used?.shape??{}),g=r.estates_used.map(L=>e.name("estates",L)),M={pile:r.pile,bank:r.bank,bulls:r.bull_supply,rosettes:r.rosette_supply,magellan:r.magellan_supply,estates:r.estate_stack};return y(q,{children:[Object.entries(ze).map(([L,T])=>y(O,{at:L,children:[i(z,{scene:t,at:L}),i("g",{transform:`translate(-50 ${s?-26:-16})`,children:i(A,{name:T,radius:22})}),i("text",{class:"plusultra-title","font-size":"32",x:"14",y:s?-27:-17,dy:"0.35em",children:M[L]}),i(De,{width:o+(s?18:-2),y:24,size:c,children:e.place(L)})]},L)),y(O,{at:"estates_used",children:[i(z,{scene:t,at:"estates_used"}),r.estates_used.length===0&&i("g",{class:"plusultra-faint",transform:"translate(0 20)",children:i(A,{name:"estate",radius:s?28:50})}),i(_,{at:[0,20-d/2],width:n-12,size:c,middle:!0,bold:!0,children:e.place("estates_used")}),(s?[g.join(", ")]:g).flatMap(L=>H(L,n-10,c)).map((L,T)=>i(_,{at:[0,48-d/2+T*c*1.24],width:n-10,size:c,middle:!0,children:L},L))]})]})}function De({children:t,width:e,y:r,size:a}){let s=H(t,e,a).length;return i(_,{at:[0,r-(s-1)*a*.57],width:e,size:a,middle:!0,children:t})}import{extentOf as Te,Icon as G,ofType as Wt,Piece as dt,Place as st,rowOf as Ce,shapeOf as Ee}from"/static/app/kit.js";import{jsx as f,jsxs as $}from"/static/app/kit.js";function Ut(t,e){let r=e.view,[a,s]=t.board.mat?.size??[520,326],c={pg:r.pg,ducats:r.ducats,active:r.tercios.active,tired:r.tercios.tired,reserve:r.houses.reserve,rosettes_ready:r.rosettes.ready,rosettes_used:r.rosettes.used,own_bulls:r.bulls,own_magellan:r.magellan,natives:r.natives,estate_count:r.estate_count};return $("g",{class:"plusultra-board",children:[t.view.decider===e.owner&&f("rect",{class:"plusultra-turn",x:"-4",y:"-4",width:a+8,height:s+8,rx:"14"}),Object.entries(c).map(([o,n])=>f(qe,{scene:t,at:o,count:n},o)),$(st,{at:"characters",children:[f("title",{children:t.says.place("characters",!0)}),f("rect",{class:"plusultra-cell",x:"-173",y:"-39",width:"346",height:"78",rx:"10"}),r.characters?.length===0&&f(Bt,{icon:"character"}),r.characters===null&&[...Array(Ae(t.view,r.seat)).keys()].map(o=>f("g",{transform:`translate(${o*172-86} 0)`,children:f(G,{name:"character",radius:32})},o))]}),$(st,{at:"characters_used",children:[f("title",{children:t.says.place("characters_used",!0)}),f("rect",{class:"plusultra-cell",x:"-82",y:"-39",width:"164",height:"78",rx:"10"})]}),$(st,{at:"own_estates",children:[f("title",{children:t.says.place("own_estates",!0)}),f("rect",{class:"plusultra-cell",x:"-206",y:"-52",width:"413",height:"104",rx:"10"}),r.estate_count===0&&f(Bt,{icon:"estate"}),r.estates===null&&[...Array(r.estate_count).keys()].map(o=>$("g",{transform:`translate(${(o-(r.estate_count-1)/2)*64} 0)`,children:[f("rect",{class:"plusultra-back",x:"-27",y:"-38",width:"54",height:"76",rx:"7"}),f(G,{name:"estate",radius:20})]},o))]}),r.common_used&&f(Gt,{icon:"taken",x:30,words:t.says.label("board.common_used")}),r.bull_used&&f(Gt,{icon:"bull",x:76,words:t.says.label("board.bull_used")}),Wt(e,"character").map(o=>o.place==="characters"?f(Re,{scene:t,piece:o,spent:r.characters_used.some(n=>n===o.id)},o.key):f(Ie,{scene:t,piece:o},o.key)),Wt(e,"estate").map(o=>f(Ne,{scene:t,piece:o},o.key)),[...new Map(e.pieces.map(o=>[o.id,o])).values()].map(({id:o,type:n})=>f(tt,{scene:t,table:n==="estate"?"estates":"characters",id:o??"",at:[260,n==="estate"?216:132],room:a},o))]})}function Bt({icon:t}){return f("g",{class:"plusultra-hollow",children:f(G,{name:t,radius:26})})}function Gt({icon:t,x:e,words:r}){return $("g",{transform:`translate(${e} 306)`,children:[f("title",{children:r}),f(G,{name:t,radius:15}),f("path",{class:"plusultra-tick",transform:"scale(.7)",d:"M4 14l8 9L26 4"})]})}function Ae(t,e){let r=t.peer_order.indexOf(e),a=t.players.length;return Math.max(0,Math.ceil((t.picks-r)/a))}function qe({scene:t,at:e,count:r}){let a=t.board.mat,s=a?.places[e];if(!a||!s)return null;let[c,o]=Te(Ee(a,s));return $(st,{at:e,class:r===0?"plusultra-none":"",children:[f("title",{children:t.says.place(e,!0)}),f("rect",{class:"plusultra-cell",x:-c/2,y:-o/2,width:c,height:o,rx:"10"}),f("g",{transform:"translate(-22 0)",children:f(G,{name:s.icon??"",radius:e==="pg"?25:21})}),f("text",{class:"plusultra-title","font-size":"32",x:"24",dy:"0.35em",children:r})]})}function pt({says:t},e,r){return`${t.name(e,r)}: ${t.text(e,r)}`}function Re({scene:t,piece:e,spent:r}){let a=e.id??"",s=t.says.name("characters",a),c=H(s,106,17).length;return $(dt,{of:e,at:[e.x+(e.nth?86:-86),e.y],shape:{rect:[168,72]},class:`plusultra-of-${a}`,looks:!0,children:[f("title",{children:pt(t,"characters",a)}),$("g",{class:r?"plusultra-spent":"",children:[f("rect",{class:"plusultra-card",x:"-82",y:"-34",width:"164",height:"68",rx:"9"}),$("g",{transform:"translate(-57 1)",children:[f("circle",{class:"plusultra-medal",r:"25"}),f(G,{name:a,radius:23})]}),f(_,{at:[-27,-(c-1)*9.7],width:106,children:s})]})]})}function Ie({scene:t,piece:e}){let r=e.id??"";return $(dt,{of:e,at:[e.x+(e.nth?42:-42),e.y],shape:{circle:34},class:`plusultra-of-${r}`,looks:!0,children:[f("title",{children:pt(t,"characters",r)}),f("circle",{class:"plusultra-medal",r:"32"}),f(G,{name:r,radius:28}),f("path",{class:"plusultra-tick",d:"M8 20l7 8L30 8"})]})}function Ne({scene:t,piece:e}){let{says:r,tables:a}=t,s=e.id??"",c=Math.min(e.among,3),o=Math.ceil(e.among/3),n=(e.nth%3-(c-1)/2)*136,d=(Math.floor(e.nth/3)-(o-1)/2)*50,g=r.name("estates",s),M=H(g,94,17).length;return $(dt,{of:e,at:[e.x+n,e.y+d],shape:{rect:[132,48]},class:`plusultra-of-${s}`,looks:!0,children:[f("title",{children:pt(t,"estates",s)}),f("rect",{class:"plusultra-card",x:"-65",y:"-23",width:"130",height:"46",rx:"7"}),f("circle",{class:"plusultra-pg",cx:"-47",r:"15"}),f("text",{class:"plusultra-estate-pg","font-size":"19",x:"-47",dy:"0.35em",children:String(Ce(a,"estates",s)?.pg??"")}),f(_,{at:[-28,-(M-1)*9.7],width:98,children:g})]})}import{colour as Kt}from"/static/app/kit.js";import{Fragment as Ge,jsx as R,jsxs as mt}from"/static/app/kit.js";var je=[...Array(34).keys()].map(t=>{let e=384+t*97%250,r=24+t*173%780;return`M${e} ${r}q7-8 14 0t14 0`}),Ft=mt("g",{class:"plusultra-ocean",children:[R("path",{class:"plusultra-waves",d:je.join("")}),mt("g",{transform:"translate(514 700)",children:[R("circle",{r:"25"}),R("path",{d:"M0-29L6-6L29 0L6 6L0 29L-6 6L-29 0L-6-6Z"}),R("path",{class:"plusultra-north",d:"M0-29L6-6L0 0L-6-6Z"})]}),R("path",{class:"plusultra-serpent",d:"M494 452q-2-26 14-26t14 22q2 14 12 8M496 396q10-18 24-2q8 10 18 2M502 478q8-14 22 0"})]}),We=[[24,58],[330,152],[170,160],[18,266],[172,376],[344,368],[20,482],[338,584],[172,592],[22,698],[340,806],[174,806]],Be=[[12,160],[344,262],[168,268],[14,372],[340,478],[172,484],[16,590],[342,692],[174,700],[20,806]],Yt=mt(Ge,{children:[R("rect",{x:"8",y:"8",width:"656",height:"812",rx:"16",fill:Kt("sea")}),R("path",{class:"plusultra-land",fill:Kt("land"),d:"M24 8H352q22 40 4 84t6 90t-8 86t12 92t-14 88t12 92t-10 90t10 84t-6 106H24a16 16 0 0 1-16-16V24A16 16 0 0 1 24 8Z"}),R("path",{class:"plusultra-hills",d:We.map(([t,e])=>`M${t-10} ${e}l9-15l9 15m-4-7l6-9l9 16`).join("")}),R("path",{class:"plusultra-trees",d:Be.map(([t,e])=>`M${t} ${e}v-12m-8-3q8-10 16 0q-8-4-16 0m3-6q5-8 11-1`).join("")})]});import{extentOf as Jt,Icon as U,Outline as ot,ofType as ft,Piece as te,Place as ee,rowOf as Ue,SeatSign as re}from"/static/app/kit.js";import{Fragment as D,jsx as u,jsxs as v}from"/static/app/kit.js";function ae({scene:t}){let{says:e,board:r}=t,a=ft(t,"character");return v(D,{children:[v(ee,{at:"pack",children:[u(ot,{class:"plusultra-stage",shape:r.kinds.wide?.shape??{},round:14}),a.length===0&&u(Ye,{scene:t}),a.length>0&&u("title",{children:e.place("pack")})]}),a.map(s=>u(Ke,{scene:t,piece:s},s.key))]})}function se({x:t,y:e,nth:r,among:a},s){let c=s&&a>4?Math.ceil(a/2):a,o=Math.ceil(a/c),n=Math.min(s?168:124,672/c);return[t+(r%c-(c-1)/2)*n,e+(Math.floor(r/c)-(o-1)/2)*166,n]}function Ke({scene:t,piece:e}){let{says:r,narrow:a}=t,s=e.id??"",[c,o,n]=se(e,a),d=a?162:154;return v(te,{of:e,at:[c,o],shape:{rect:[n-4,d]},class:`plusultra-of-${s}`,looks:!0,children:[u("title",{children:`${r.name("characters",s)}: ${r.text("characters",s)}`}),u(ot,{class:"plusultra-card",shape:{rect:[n-8,d-4]},round:10}),u("circle",{class:"plusultra-medal",cy:"-30",r:Math.min(40,n/2-6)}),u("g",{transform:"translate(0 -29)",children:u(U,{name:s,radius:Math.min(38,n/2-9)})}),u(Fe,{width:n-10,size:a?22:17,children:r.name("characters",s)})]})}function Fe({children:t,width:e,size:r}){let a=H(t,e+6,r);return u("text",{"font-size":r,children:a.map((s,c)=>u("tspan",{x:"0",y:42+(c-(a.length-1)/2)*r*1.12,dy:"0.35em",...J(s,e,r),children:s},s))})}function Ye({scene:t}){let{says:e,view:r,narrow:a}=t,{decider:s,activation:c,phase:o}=r,[n,d]=a?[-112,22]:[-58,17],g=c?.character??null,M=s===null?r.end_reason?e.label(`reason.${r.end_reason}`):"":e.label(`decision.${o}`),L=o==="draft"?8-r.picks:0,T=L===0&&r.players.some(({characters:K})=>K?.length);return v(D,{children:[u("g",{class:"plusultra-pillars plusultra-faint",transform:a?"scale(1 1.8)":void 0,children:u("path",{d:"M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36"})}),g===null&&T&&u(Xe,{scene:t}),g===null&&L===0&&!T&&v(D,{children:[u("path",{class:"plusultra-banner",d:"M-306 36Q-150-4 0 18T306 4V44Q150 76 0 54T-306 76L-286 54Z"}),u("text",{class:"plusultra-motto","font-size":"34",dy:"0.35em",y:"36",children:"PLVS · VLTRA"})]}),s!==null&&u("g",{transform:`translate(-240 ${n})`,children:u(re,{sign:t.sign(s),size:1.5})}),u(_,{at:[s===null?-250:-212,n],width:500,size:22,bold:!0,children:s===null?F(M):`${e.owner(s)}: ${M}`}),g!==null&&v(D,{children:[u("circle",{class:"plusultra-medal",cx:"-228",cy:"26",r:a?60:46}),u("g",{transform:"translate(-228 27)",children:u(U,{name:g,radius:a?56:43})}),u(_,{at:[-148,n+34],width:400,size:a?24:20,bold:!0,children:e.name("characters",g)}),u(_,{at:[-148,n+(a?66:56)],width:a?474:460,size:d,children:e.text("characters",g)})]}),g===null&&[...Array(L).keys()].map(K=>u("g",{transform:`translate(${(K-(L-1)/2)*52} 38)`,children:u(U,{name:"character",radius:34})},K))]})}function Xe({scene:t}){let{view:e,narrow:r}=t,a=e.peer_order.length,[s,c]=r?[34,44]:[27,26];return u(D,{children:e.peer_order.map((o,n)=>{let d=e.players[o],g=d?.characters_used;return v("g",{transform:`translate(${(n-(a-1)/2)*(r?158:150)} ${c})`,children:[u("g",{transform:`translate(0 ${r?-74:-44})`,children:u(re,{sign:t.sign(o),size:r?1.3:1})}),d?.characters?.map((M,L)=>v("g",{transform:`translate(${(L-.5)*(2*s+6)} ${r?0:10})`,children:[u("circle",{class:"plusultra-medal",r:s}),u(U,{name:M,radius:s-2}),g?.includes(M)&&u("path",{class:"plusultra-tick",d:"M8 20l7 8L30 8"})]},M))]},o)})})}var Je={ducats:"ducat",ducats_per_step:"ducat",pg:"pg",tercio:"tercio",sea_trade:"ship",place_house:"house",pending_order_steps:"peer",estate:"estate"};function tr({tables:t},e){let r=Ue(t,"common_actions",e),a=[r?.cost,r?.gain],[s=[],c=[]]=a.map(o=>Object.entries(o??{}).flatMap(([n,d])=>Array.isArray(d)?d:[d,Je[n]??n]));return[...s,"▸",...c.filter((o,n)=>o!==1||n>0)]}function er({scene:t,id:e}){return u(D,{children:tr(t,e).map((r,a)=>u("g",{transform:`translate(${-26+a*24} -45)`,children:t.board.icons.includes(String(r))?u(U,{name:String(r),radius:12.5}):u("text",{class:"plusultra-title","font-size":"25",dy:"0.35em",children:r})},a))})}function oe({scene:t}){let{says:e,board:r,narrow:a}=t,s=r.kinds.common?.shape??{},[c,o]=Jt(s);return v(D,{children:[I(t,"common").map(n=>v(ee,{at:n,class:`plusultra-of-${n}`,looks:!0,children:[u(ot,{class:"plusultra-card",shape:s,round:12}),u("path",{class:"plusultra-head",d:`M${-c/2} ${64-o/2}v-52a12 12 0 0 1 12-12h${c-24}a12 12 0 0 1 12 12v52Z`}),u("g",{transform:`translate(${(a?24:30)-c/2} ${32-o/2})`,children:u(U,{name:n,radius:a?19:23})}),a?v(D,{children:[u(er,{scene:t,id:n}),u(Xt,{at:[0,32],width:c-8,size:21,middle:!0,children:e.name("common_actions",n)})]}):v(D,{children:[u(Xt,{at:[-36,-62],width:126,size:18,children:e.name("common_actions",n)}),u(_,{at:[-86,-14],width:180,size:17,children:e.text("common_actions",n)})]})]},n)),ft(t,"taken").map(n=>v(te,{of:n,shape:s,class:`plusultra-of-${n.place}`,name:e.label("board.taken",{spaces:[n.place]}),looks:!0,children:[u(ot,{class:"plusultra-veil",shape:s,round:12}),u("g",{transform:`translate(${c/2-34} ${o/2-34})`,children:u(U,{name:"taken",radius:30})})]},n.key))]})}function Xt({children:t,at:[e,r],width:a,size:s,middle:c=!1}){let o=H(t,a,s,!0).length;return u(_,{at:[e,r-(o-1)*s*.57],width:a,size:s,bold:!0,middle:c,children:t})}function le({scene:t}){let{board:e,narrow:r}=t,[a]=e.size,[,s]=Jt(e.kinds.common?.shape??{});return v(D,{children:[ft(t,"character").map(c=>{let{id:o,x:n,nth:d,among:g}=c;return u(tt,{scene:t,table:"characters",id:o??"",at:r?[n,se(c,r)[1]-84]:[n+(d-(g-1)/2)*84,644],room:a},o)}),I(t,"common").map(c=>{let{x:o=0,y:n=0}=e.places[c]??{};return u(tt,{scene:t,table:"common_actions",id:c,at:[o,n-s/2-(r?3:6)],room:a},c)})]})}import{colour as kt,Icon as ne,ofType as lt,Piece as ht,Place as gt,rowOf as rr,signPath as ce}from"/static/app/kit.js";import{Fragment as nt,jsx as k,jsxs as S}from"/static/app/kit.js";function ue({scene:t}){let{says:e,view:r,tables:a}=t,[s,c]=t.narrow?j.world:[0,0];return S(nt,{children:[k(_,{at:[26+s,31+c],width:330,size:24,bold:!0,children:e.label("board.land")}),I(t,"row").map((o,n)=>S("g",{children:[k("path",{class:"plusultra-path",d:`M${150+s} ${102+c+n*108}h30`}),S(gt,{at:`row_${n+1}`,children:[k("title",{children:e.place(`row_${n+1}`)}),k(z,{scene:t,at:`row_${n+1}`}),k("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:n+1})]}),S(gt,{at:`settlement_${n+1}`,children:[k("title",{children:e.place(`settlement_${n+1}`)}),k("rect",{class:"plusultra-clearing",x:"-86",y:"-48",width:"172",height:"96",rx:"30"})]})]},`row ${n+1}`)),lt(t,"settlement").map(o=>{let n=Number(o.id?.split("_")[1]),d=rr(a,"settlements",o.id??"")?.majority_pg;return S(ht,{of:o,shape:{rect:[168,92]},children:[k("title",{children:et(t,o)}),k("rect",{x:"-82",y:"-44",width:"164",height:"88",rx:"12",class:"face",fill:kt("settlement")}),k("g",{transform:"translate(-58 -23)",children:k(ne,{name:"settlement",radius:17})}),k("g",{transform:"translate(24 -23)",children:k(ne,{name:"pg",radius:14})}),k("text",{class:"plusultra-title","font-size":"24",x:"54",y:"-23",dy:"0.35em",children:String(d??"")}),[...Array(n).keys()].map(g=>k("rect",{class:"plusultra-slot",x:ie(g,n)-16,y:"2",width:"32",height:"34",rx:"6"},g))]},o.key)}),lt(t,"tile").filter(({place:o})=>o.startsWith("row_")).map(o=>k(Y,{scene:t,piece:o},o.key)),Object.values(Object.groupBy(lt(t,"house"),({place:o})=>o)).flatMap(o=>o?.map((n,d)=>{let g=Number(n.place.split("_")[1]),M=r.settlements[g-1]?.size??4;return S(ht,{of:n,at:[n.x+ie(d,M),n.y+18],shape:{circle:20},name:t.says.owner(n.owner??0),children:[k("title",{children:t.says.owner(n.owner??0)}),k(ar,{scene:t,owner:n.owner})]},n.key)})??[])]})}function ie(t,e){return(t-(e-1)/2)*38}function ar({scene:t,owner:e}){let r=t.sign(e??0),a="M-15 16V0L0-17L15 0V16Z";return S(nt,{children:[k("path",{d:a,class:"plusultra-edge",fill:kt(r.colour)}),k("path",{d:a,fill:`url(#pattern-${r.pattern})`}),k("path",{d:ce(r),transform:"translate(0 4) scale(.7)",class:"plusultra-badge"})]})}function de({scene:t}){let e=t.board.tracks?.sea_trade?.places??[],a=e.map(s=>t.board.places[s]).map(s=>`${s?.x},${s?.y}`).join(" ");return S(nt,{children:[k("polyline",{class:"plusultra-route",points:a}),e.map((s,c)=>S(gt,{at:s,children:[k("title",{children:t.says.place(s)}),k("rect",{class:"plusultra-water",x:"-48",y:"-46",width:"96",height:"92",rx:"16"}),k("text",{class:"plusultra-title","font-size":"22",x:"-30",y:"-28",dy:"0.35em",children:c})]},s)),lt(t,"sea_marker").map(s=>{let c=s.among===1,o=c?4:(s.nth%2-.5)*47,n=c?4:s.among<3?10:(Math.floor(s.nth/2)-.5)*44;return S(ht,{of:s,at:[s.x+o,s.y+n],shape:c?{circle:32}:{rect:[49,49]},name:t.says.owner(s.owner??0),children:[k("title",{children:t.says.owner(s.owner??0)}),k("g",{transform:`scale(${c?1.5:1.1})`,children:k(sr,{scene:t,owner:s.owner})})]},s.key)})]})}function sr({scene:t,owner:e}){let r=t.sign(e??0),a="M-13-15Q0-20 13-15Q17-4 13 6Q0 1-13 6Q-17-4-13-15Z";return S(nt,{children:[k("path",{class:"plusultra-mast",d:"M0 10V-20"}),k("path",{d:a,class:"plusultra-edge",fill:kt(r.colour)}),k("path",{d:a,fill:`url(#pattern-${r.pattern})`}),k("path",{d:ce(r),transform:"translate(0 -5) scale(.72)",class:"plusultra-badge"}),k("path",{class:"plusultra-hull",d:"M-19 6L-14 10H14L19 4Q19 18 9 19H-9Q-18 18-19 6Z"})]})}import{jsx as Z,jsxs as pe}from"/static/app/kit.js";var lr={icons:Ht,style:`${bt}${_t}`,draw:t=>Z(nr,{scene:t}),mat:Ut,narrow:Ot},ta=lr;function nr({scene:t}){let[e,r]=t.board.size,[a,s]=t.narrow?j.world:[0,0];return pe("g",{class:"plusultra-board",children:[Z("rect",{width:e,height:r,rx:"18",fill:or("ground")}),pe("g",{transform:`translate(${a} ${s})`,children:[Yt,Ft]}),Z(Ct,{scene:t}),Z(ue,{scene:t}),Z(de,{scene:t}),Z(Et,{scene:t}),Z(At,{scene:t}),Z(qt,{scene:t}),Z(Rt,{scene:t}),Z(It,{scene:t}),Z(Nt,{scene:t}),Z(jt,{scene:t}),Z(ae,{scene:t}),Z(oe,{scene:t}),Z(le,{scene:t})]})}export{ta as default};
