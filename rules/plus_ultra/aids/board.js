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
`;import{colour as et,extentOf as St,Icon as E,ofType as F,Piece as rt,Place as S,rowsOf as He,SeatSign as Tt}from"/static/app/kit.js";import{colour as Vt,Icon as ye,Outline as be,Piece as we}from"/static/app/kit.js";import{Icon as fe,wrapped as he}from"/static/app/kit.js";import{jsx as B,jsxs as Mt}from"/static/app/kit.js";var ge=.56,Lt=.64,xt=1.14;function _({children:t,at:[e,r],width:a,size:s=17,middle:c=!1,bold:i=!1}){return B("text",{class:[c?"":"plusultra-left",i?"plusultra-title":""].filter(Boolean).join(" "),"font-size":s,children:O(t,a,s,i).map((d,y)=>B("tspan",{x:e,y:r+y*s*xt,dy:"0.35em",...X(d,a,s),children:`${d} `},`${y} ${d}`))})}function X(t,e,r){return t.length*r*Lt<=e||t.includes(" ")?{}:{textLength:e,lengthAdjust:"spacingAndGlyphs"}}function O(t,e,r,a=!1){return he(t,Math.floor(e/(r*(a?Lt:ge))))}function U(t){return t.slice(0,1).toUpperCase()+t.slice(1)}var ke="admiral cardinal merchant constable conquistador pirate king secretary viceroy common_painter common_loan common_recruit common_trade_route common_mission common_court common_workshops common_estate castle palace vineyard trading_house manor glass_workshop barracks abbey shipyard banking_house".split(" "),wt=t=>ke.map(e=>`svg:has(.plusultra-of-${e}${t}) .plusultra-large-${e}`).join(","),_t=`${wt(":is(:focus-visible,[data-looked])")}{visibility:visible}@media(hover:hover){${wt(":hover")}{visibility:visible}}`;function J({scene:t,table:e,id:r,at:[a,s],room:c,below:i=!1}){let{says:l,board:d,narrow:y}=t,[x,b]=y&&c>640?[640,25]:[470,20],$=Math.min(Math.max(a-x/2,8),c-x-8),kt=l.text(e,r),pe=O(kt,x-40,b).length,yt=112+b+(pe-1)*b*xt;return Mt("g",{class:`plusultra-large plusultra-large-${r}`,transform:`translate(${$} ${i?s:s-yt})`,children:[B("rect",{class:"plusultra-card",width:x,height:yt,rx:"14"}),Mt("g",{transform:"translate(54 54)",children:[B("circle",{class:"plusultra-medal",r:"41"}),B(fe,{name:d.catalogue[e]?.icons?.[r]??"",radius:38})]}),B(_,{at:[106,54],width:x-116,size:b+6,bold:!0,children:l.name(e,r)}),B(_,{at:[20,112],width:x-40,size:b,children:kt})]})}import{Fragment as Me,jsx as T,jsxs as nt}from"/static/app/kit.js";function D({scene:t,at:e,tone:r}){let a=t.board.places[e],s=a&&t.board.kinds[a.kind];return!a||!s?null:T(be,{class:"face",shape:a.shape??s.shape,round:10,fill:Vt(r??s.colour)})}function I({board:{places:t}},e){return Object.keys(t).filter(r=>t[r]?.kind===e)}function tt({says:t},e){let r=e.id??"";return[t.name("tile_kinds",r),t.text("tile_kinds",r)].filter(Boolean).join(": ")}function K({scene:t,piece:e,size:[r,a]=[124,84]}){let s=e.id??"",c=t.board.catalogue.tile_kinds,i=s==="face_down",l=U(t.says.name("tile_kinds",s)),d=t.narrow?21:18;return nt(we,{of:e,shape:{rect:[r+4,a+4]},children:[T("title",{children:tt(t,e)}),T("rect",{class:i?"plusultra-back":"face",x:-r/2,y:-a/2,width:r,height:a,rx:"9",fill:Vt(c?.colours?.[s]??"paper")}),i?nt("g",{class:"plusultra-pillars",children:[T("path",{d:"M-26 24V-22M26 24V-22M-34 25h16M18 25h16M-34-23h16M18-23h16"}),T("path",{class:"plusultra-ribbon",d:"M-34 12Q-10 24 0 0T34-12"})]}):nt(Me,{children:[T("circle",{class:"plusultra-medal",r:"25",cy:"-12"}),T("g",{transform:"translate(0 -12)",children:T(ye,{name:c?.icons?.[s]??"tile",radius:21})}),T("text",{class:"plusultra-on-tile","font-size":d,y:a/2-14,dy:"0.35em",...X(l,r-8,d),children:l})]})]})}import{Fragment as h,jsx as Q,jsxs as p}from"/static/app/kit.js";var M="#2b2117",Ht="#e6b48c",L="#e2b93b",N="#aeb9c4",v="#b3322b",V="#8a5a34",it="#274a78",Zt="#4f8a4a",w="#f6ecd2";function o(t,e){return Q("path",{d:t,fill:e,stroke:M,"stroke-width":"0.9","stroke-linejoin":"round"})}function u(t,e=M,r=1.2){return Q("path",{d:t,fill:"none",stroke:e,"stroke-width":r,"stroke-linecap":"round","stroke-linejoin":"round"})}function C(t,e,r=Ht){return p(h,{children:[o("M-9.5 11.5C-9 5.5-5 4 0 4S9 5.5 9.5 11.5Z",t),o("M-4-3C-4 3-2.2 5.2 0 5.2S4 3 4-3Z",r),Q("path",{d:"M-1.8-.6v.4M1.8-.6v.4",stroke:M,"stroke-width":"1.3","stroke-linecap":"round"}),e]})}var vt="M-3.8 1Q0 2.2 3.8 1Q3.6 7.4 0 7.6T-3.8 1Z",Le="M5.5 11.5V-8.5M5.5-12l1.6 3.8H3.9Z",xe="M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",_e=[0,45,90,135,180,225,270,315];function Qt(t,e){return p(h,{children:[o("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0Z","#50443a"),_e.map(r=>Q("path",{transform:`rotate(${r})`,d:"M0-2.6C-3.4-5.6-2.4-9.6 0-9.6S3.4-5.6 0-2.6Z",fill:t,stroke:M,"stroke-width":"0.6"},r)),Q("circle",{r:"2.6",fill:e,stroke:M,"stroke-width":"0.8"})]})}function Pt(t,e){return p(h,{children:[u(e,"#8f7350",1.6),o("M-6 11.5C-6.5 5-4.5 2.5-1 2.5S4.5 5 4 11.5Z",t),o("M-4.2-3C-4.2 2-2.8 3.6-1 3.6S2.2 2 2.2-3Z",Ht),o("M-7.5-3.2Q-1-5 5.5-3.2Q4-10-1-10.5Q-6-10-7.5-3.2Z",N)]})}var $t={admiral:C(it,p(h,{children:[o("M-9-3.2Q-8-9.5 0-10.2Q8-9.5 9-3.2Q0-6.6-9-3.2Z",it),u("M-8-3.9Q0-7.4 8-3.9",L),u("M-6 8.5h3M3 8.5h3",L,1.6)]})),cardinal:C("#a8242c",p(h,{children:[o("M-10.5-3.2Q0-6.2 10.5-3.2Q7.5-5.2 4.6-5.2Q4-10.4 0-10.4T-4.6-5.2Q-7.5-5.2-10.5-3.2Z","#c5303a"),u("M0 6v5.2M-2 8h4",L,1.4)]})),merchant:C("#6b5030",p(h,{children:[o("M-6.5-3.2Q-9.5-9 0-9.8T6.5-3.2Q0-5.4-6.5-3.2Z","#7a3f6c"),u("M-2.4 2.4Q0 1.2 2.4 2.4"),Q("circle",{cx:"6.4",cy:"8",r:"3.2",fill:L,stroke:M,"stroke-width":"0.9"})]})),constable:C(N,p(h,{children:[o("M-5.2 1.6V-4Q-5-9.8 0-10.4Q5-9.8 5.2-4V1.6L2.6.2V-2.2H-2.6V.2Z",N),u("M0-10.2V-2.4"),o("M-1-12Q4-13 7-8Q3-9.6 0-10Z",v)]})),conquistador:C("#7a2f22",p(h,{children:[o("M-9.5-1.6Q-5-4.4 0-4.4T9.5-1.6Q7-8 4.4-8.2Q0-15-4.4-8.2Q-7-8-9.5-1.6Z",L),u("M-1-11.6Q2-8.5 1-5",M,.8),o(vt,"#3b2a1c")]})),pirate:C("#3d3a3f",p(h,{children:[o("M-4.8-2.6Q-4.6-8.6 0-8.8T4.8-2.6Q0-4.4-4.8-2.6Z",v),o("M4.4-4L9.4-5.4L8-1.8Z",v),o("M.4-1.8h3v2.4q-1.5 1-3 0Z","#1b1612"),u("M-4-2.4L4-2",M,.8),u("M-2 3Q0 2 2 3.2")]})),king:C("#7b2442",p(h,{children:[o("M-6-3.2L-7-10L-3.2-7L0-11.5L3.2-7L7-10L6-3.2Q0-4.6-6-3.2Z",L),o(vt,"#70513a"),u("M-7 8.4Q0 12 7 8.4",w,2.4)]})),secretary:C("#2d2a33",p(h,{children:[o("M-5-3Q-5.6-8.4 0-8.6T5-3Q0-5-5-3Z","#2d2a33"),o("M-6 5.2Q-3 3.6 0 5T6 5.2Q4.6 8.6 0 8.2T-6 5.2Z",w),u("M5 11L10-3Q7-1 6.2 4",w,1.6)]})),viceroy:C("#2f6b57",p(h,{children:[o("M-8.5-3.2Q0-6 8.5-3.2Q6-5 5-5.6Q4-9.8 0-9.8T-5-5.6Q-6-5-8.5-3.2Z","#2f6b57"),o("M3-7Q5-13 10.5-9.5Q7-9.6 5-5.8Z",w),u("M-6 6.2L5 11.2",L,2)]})),character:p(h,{children:[o("M-8.5-11.5h17v23h-17Z","#7b2f3a"),u("M-5.8-8.8h11.6v17.6h-11.6Z",L,.9),o("M-4.5 3L-5.5-3.5L-2.4-1L0-5L2.4-1L5.5-3.5L4.5 3Z",L)]}),crown:p(h,{children:[o("M-9 6.5L-11-6.5L-4.8-1L0-9.5L4.8-1L11-6.5L9 6.5Z",L),u("M-8.4 9.4H8.4",M,2),Q("circle",{cy:"2.6",r:"1.8",fill:v})]}),ducat:p(h,{children:[o("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z",L),Q("circle",{r:"7.6",fill:"none",stroke:"#8a661a","stroke-width":"1"}),u("M0-5V5M-4 0H4M-3-3L3 3M3-3L-3 3","#8a661a",1.1)]}),pg:p(h,{children:[o("M-7 0L-9 10.5L-3 7.5L0 11.8L3 7.5L9 10.5L7 0Z",v),o("M-8.5-2.5a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0Z",L),o("M0-8.6L1.8-4.4L6.2-4.2L2.8-1.4L4-3L4 3L0 .6L-4 3L-2.8-1.4L-6.2-4.2L-1.8-4.4Z",w)]}),bull:p(h,{children:[o("M-7-11H5L9-7V8H-7Z",w),u("M-4-6.5H3M-4-3.5H5.5M-4-.5H5.5","#8b7650",1),u("M-1 2.6L-2.5 11M1 2.6L3 11",v,1.6),Q("circle",{cy:"3.6",r:"4",fill:N,stroke:M,"stroke-width":"0.9"}),u("M0 1.4V5.8M-1.6 2.8H1.6",M,1)]}),church:p(h,{children:[o("M-9 11V0L0-5L9 0V11Z",w),o("M-3 11V6Q0 2 3 6V11Z",V),u("M0-12V-5M-2.6-9.6H2.6",M,1.5)]}),estate:p(h,{children:[o("M-10 10V-1H10V10Z",w),o("M-11.5 0L-6-6.5H6L11.5 0Z",v),o("M-2.4 10V4.4Q0 2 2.4 4.4V10Z",V),u("M-6.5 3.4V6M6.5 3.4V6",M,1.8),o("M-2.5-6.5V-10.5H2.5V-6.5Z",w)]}),house:p(h,{children:[o("M-8 10V-.5H8V10Z",w),o("M-10.5 0L0-10L10.5 0Z","#a8503a"),o("M-2.2 10V4H2.2V10Z",V)]}),settlement:p(h,{children:[o("M-11 10V3L-6.5-1.5L-2 3V10Z",w),o("M2 10V3L6.5-1.5L11 3V10Z",w),o("M-4.5 10V-3.5L0-8.5L4.5-3.5V10Z","#dcbf8c"),u("M0-12.4V-8.6M-1.8-10.8H1.8",M,1.2)]}),magellan:p(h,{children:[o("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z","#6ea6c4"),o("M-7-6Q-2-9 0-4Q-3-2-2 2Q-5 3-7-1Z","#9bb06a"),o("M2 1Q6-3 8 0Q8 5 4 7Q1 5 2 1Z","#9bb06a"),u("M-11.6 2.8Q0 8.6 11.6-3.2",v,1.5)]}),ship:p(h,{children:[u("M0 5V-11M-6 5V-6.5",M,1.2),o("M-.8-10.5Q8-6 5.6 2.5H-.8Z",w),o("M-6.2-6.4Q-.6-3.4-2 2.5H-6.2Z",w),o("M-11 3.6L-9 6H9L11.5 2.6Q11 11.5 4 11.5H-5Q-10 10.5-11 3.6Z",V)]}),gold:p(h,{children:[o("M-11 9.5L-9 2.5H-2.5L-.5 9.5Z",L),o("M.5 9.5L2.5 2.5H9L11 9.5Z",L),o("M-5.3 1.6L-3.3-5.4H3.3L5.3 1.6Z","#f0cf5c"),u("M-2-3.4H2M-7.5 4.6H-4M4 4.6H7.5","#fff4c4",1.1)]}),silver:p(h,{children:[o("M-10 8L-7-1L7.5-4L10.5 4.5Z","#c9d3dc"),o("M-7-1L7.5-4L5-7.5L-8-4.6Z","#e9eef2"),o("M-10 8L-7-1L-8-4.6L-11 3Z","#8d9aa7"),u("M-3 3.6L4 2","#6c7985",1.2)]}),gems:p(h,{children:[o("M0 11L-11-2.5L-6-9H6L11-2.5Z","#a65bc0"),o("M0 11L-4.6-2.5L0-9L4.6-2.5Z","#cf9be0"),u("M-11-2.5H11",M,.9)]}),spices:p(h,{children:[o("M-8-2Q-12 11 0 11T8-2Z","#b98a52"),o("M-8.5-2Q-6-9 0-9T8.5-2Q0 1.4-8.5-2Z","#c8462c"),[-4,0,4].map(t=>Q("circle",{cx:t,cy:t?-3:-5.4,r:"1.3",fill:"#f1b04a"},t)),u("M-6.5 2.6Q0 5 6.5 2.6","#7d5527",1.2)]}),natives:p(h,{children:[o("M-10.5 10.5Q-11-1 0-7.5Q11-1 10.5 10.5Z","#c99a55"),o("M-2.8 10.5Q-3.4 4 0 2Q3.4 4 2.8 10.5Z","#4a3320"),u("M-8.5 3.5Q-4-1 0-7.5Q4-1 8.5 3.5M-5-1.8H5","#7d5527",1),u("M-1.5-7L-3-11.5M0-7.5V-12M1.5-7L3-11.5","#4f8a4a",1.4)]}),peer:p(h,{children:[o("M-9.5-10.5H9.5V0Q9 8.5 0 12Q-9 8.5-9.5 0Z",w),u("M0-10V11.4M-9-2H9",v,2.2)]}),rosette:Qt("#e9776b",L),rosette_used:Qt("#a39b90","#d8d2c6"),tercio:Pt(v,Le),tercio_tired:p(h,{children:[Pt("#8d857b","M5.5 11.5L9 1"),u("M4-7H8L4-2.4H8M8.6-11.4H11L8.6-8.6H11","#8f7350",1.3)]}),tile:p(h,{children:[o("M-11-8.5H11V8.5H-11Z","#3f5f4d"),u("M-5.5 6V-5.5M5.5 6V-5.5M-7.5 6H-3.5M3.5 6H7.5M-7.5-5.5H-3.5M3.5-5.5H7.5",w,1.5),u("M-5.5 2.5Q0 5.5 5.5-1.5",L,1.3)]}),surplus:p(h,{children:[o("M-10.5 10.5V0H0V10.5Z",V),o("M0 10.5V2H10.5V10.5Z","#a06c42"),o("M-5 0V-9H5V0Z","#a06c42"),u("M-10.5 5.2H0M0 6.2H10.5M-5-4.6H5",M,.9)]}),taken:p(h,{children:[o("M0-11.5L3-9L7-9.6L8-5.6L11.4-3.2L9.6.6L10.4 4.8L6.4 6.2L4.2 9.8L0 8.4L-4.2 9.8L-6.4 6.2L-10.4 4.8L-9.6.6L-11.4-3.2L-8-5.6L-7-9.6L-3-9Z","#96262a"),u("M-4-5L4 3M4-5L-4 3",w,2.2)]}),turn:p(h,{children:[o("M-7-11H7V-8.6Q6-3 1.2 0Q6 3 7 8.6V11H-7V8.6Q-6 3-1.2 0Q-6-3-7-8.6Z",w),o("M-4 9.6Q-3.4 5 0 4T4 9.6Z","#d8a54a"),o("M-3.6-5H3.6Q2.4-2 0-.6Q-2.4-2-3.6-5Z","#d8a54a"),u("M-8.5-11H8.5M-8.5 11H8.5",V,2.2)]}),war:p(h,{children:[u("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",M,4),u("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5",N,2),u("M-9.8 3.4L-3.4 9.8M9.8 3.4L3.4 9.8",L,2.4),o("M7-7.5L10.5-11L9.6-6Z",N),o("M-7-7.5L-10.5-11L-9.6-6Z",N)]}),common_painter:p(h,{children:[o("M-11 1Q-11-9 0-9T11-1Q11 4 5.5 3.2Q2 3 2.6 6Q3 9.5-2 9.5Q-11 8.5-11 1Z","#c39a66"),[[-6,-2,v],[-2,-5.6,L],[3.5,-5,it],[-5.6,3.6,Zt]].map(([t,e,r])=>Q("circle",{cx:t,cy:e,r:"1.9",fill:String(r),stroke:M,"stroke-width":"0.5"},r)),u("M1 11.5L11-9",V,1.7)]}),common_loan:p(h,{children:[o("M-6-4Q-11 2-9.5 7.5Q-8 11.5 0 11.5T9.5 7.5Q11 2 6-4Z","#a77b49"),o("M-6.5-4L-8-10L-3-8.4L0-11L3-8.4L8-10L6.5-4Z","#bf935c"),o("M-4.4 3.6a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z",L)]}),common_recruit:p(h,{children:[u("M-8 11.5V-11.5",V,1.8),o("M-8-11Q0-14 3-9.6T11.5-9.4V3.4Q6 6.6 2 2.6T-8 2Z",w),u("M-5-8L8.5 1.4M8.5-8L-5 1.4",v,2.2)]}),common_trade_route:p(h,{children:[u("M-10.5 8Q-7 4.8-3.5 8T3.5 8T10.5 8M-10.5 11.4Q-7 8.2-3.5 11.4T3.5 11.4T10.5 11.4","#3f7fa6",1.4),u("M0 3.5V-11",M,1.2),o("M1-10.6Q8.5-6.4 7 .8H1Z",w),o("M-1-8.6Q-6-5-5.6.8H-1Z",w),o("M-9.5 2.4H9.5Q8.4 7-.4 7T-9.5 2.4Z",V)]}),common_mission:p(h,{children:[o("M-10.5 11V1H3V11Z",w),o("M3 11V-5L7-8.6L11-5V11Z",w),o("M-11.5 1.4L-4-4.6L4 1.4Z","#a8503a"),u("M7-12.4V-8.6M5.4-11H8.6",M,1.3),o("M-6 11V6.6Q-4 4.6-2 6.6V11Z",V),o("M5.6-.5V-3.4H8.4V-.5Z",V)]}),common_court:p(h,{children:[o("M-7 11.5V3H7V11.5H4.6V7H-4.6V11.5Z",V),o("M-6 3V-8Q0-14 6-8V3Z","#8e2f45"),o("M-3.6-2.6L-4.6-7.4L-2-6L0-8.6L2-6L4.6-7.4L3.6-2.6Z",L),u("M-9-1V4H9V-1",V,1.8)]}),common_workshops:p(h,{children:[u("M-8 10L3.5-3",V,2.6),o("M-2.4-7L2-11.4L10-3.4L5.6 1Z",N),u("M8.5 10.5L-1.5 1",V,2.2),u("M-10.6-6.4L-8-9.4L-2 .6L-4.4 2.4Z",M,1)]}),common_estate:p(h,{children:[o("M-11.5 9Q-4 3 11.5 8V11.5H-11.5Z","#8aa35c"),o("M-6 8V-1H6V7.4Z",w),o("M-8 0L0-6.6L8 0Z",v),o("M8-1.4a3 3 0 1 1 3-5a3 3 0 0 1-3 5Z",Zt),o("M-2 8V3H2V8Z",V)]})};function ct({ducats:t}){return p("g",{class:"plusultra-price",children:[Q("path",{d:xe,transform:"scale(1.9)",fill:L,stroke:M,"stroke-width":"0.8"}),Q("text",{"font-size":"21",dy:"0.35em",children:t})]})}var Ve=[692,2490],j={turns:[-680,0],world:[10,784],court:[-680,1504]},Ze={row:"world",settlement:"world",sea:"world",turn:"turns",order:"court",church:"court",market:"court",surplus:"court",war:"court",level:"court",crown:"court"},ve={round:[606,56],pack:[346,280],common_painter:[88,538],common_loan:[260,538],common_recruit:[432,538],common_trade_route:[604,538],common_mission:[88,700],common_court:[260,700],common_workshops:[432,700],common_estate:[604,700],pile:[117,2196],bank:[346,2196],bulls:[575,2196],rosettes:[117,2312],magellan:[346,2312],estates:[575,2312],estates_used:[346,2428]},Qe={wide:{rect:[680,340]},common:{rect:[166,154]},area:{rect:[222,108]},used:{rect:[680,104]}};function Ot(t){let e=Object.entries(t.kinds).map(([a,s])=>[a,{...s,shape:Qe[a]??s.shape}]),r=Object.entries(t.places).map(([a,s])=>[a,Pe(a,s)]);return{...t,size:Ve,kinds:Object.fromEntries(e),places:Object.fromEntries(r)}}function Pe(t,e){let r=ve[t];if(r)return{...e,x:r[0],y:r[1]};let[a,s]=j[Ze[e.kind]??"court"];return{...e,x:e.x+a,y:e.y+s}}import{Fragment as A,jsx as n,jsxs as k}from"/static/app/kit.js";function W({box:[t,e,r,a],title:s}){return k("g",{class:"plusultra-panel",children:[n("rect",{x:t,y:e,width:r,height:a,rx:"12"}),s&&n(_,{at:[(t??0)+16,(e??0)+20],width:(r??0)+24,size:21,bold:!0,children:s})]})}var $e="M810 364h326v12q-16 14-32 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0Z";function Ct({scene:{says:t,view:e,narrow:r}}){return k(A,{children:[r?k(A,{children:[n("rect",{class:"plusultra-city",x:"2",y:"6",width:"688",height:"776",rx:"16"}),n("rect",{class:"plusultra-city",x:"2",y:"1606",width:"688",height:"880",rx:"16"})]}):n("rect",{class:"plusultra-city",x:"672",y:"8",width:"920",height:"812",rx:"16"}),n("g",{transform:r?`translate(${j.turns})`:void 0,children:n(W,{box:[682,14,688,86]})}),k("g",{transform:r?`translate(${j.court})`:void 0,children:[n(W,{box:[682,108,344,108],title:t.label("board.peer_order")}),n(W,{box:[1034,108,336,108],title:t.label("board.next_order")}),n(W,{box:[682,222,346,130],title:t.label("board.church")}),n(W,{box:[1036,222,334,130],title:t.label("where.crown",{ducats:e.crown})}),n(W,{box:[682,358,464,134],title:t.label("board.market")}),n(W,{box:[1150,358,220,134],title:t.label("board.surplus")}),n(W,{box:[682,500,688,128],title:t.label("board.war")}),n("path",{class:"plusultra-awning",d:$e})]})]})}function Et({scene:t}){let{says:e,view:r,board:a}=t;return k(A,{children:[a.tracks?.turns?.places.map((s,c)=>k(S,{at:s,children:[n("title",{children:e.place(s)}),n("circle",{class:c+1<r.turn?"face plusultra-past":"face",r:"30",fill:et("paper")}),n("text",{class:"plusultra-title","font-size":"26",dy:"0.35em",children:c+1})]},s)),k(S,{at:"round",children:[n("title",{children:e.place("round")}),n(D,{scene:t,at:"round"}),n("text",{class:"plusultra-title","font-size":"24",dy:"0.35em",children:r.round?U(e.label("board.round",{round:r.round})):"–"})]}),F(t,"turn_marker").map(s=>k(rt,{of:s,shape:{circle:33},name:e.place(s.place),children:[n("circle",{class:"plusultra-now",r:"30"}),n("g",{transform:"translate(22 -20)",children:n(E,{name:"turn",radius:14})})]},s.key))]})}function At({scene:t}){let{says:e}=t,r=I(t,"order");return k(A,{children:[r.map(a=>k(S,{at:a,children:[n("title",{children:e.place(a)}),n("circle",{class:"face",r:"34",fill:et("paper")}),n("text",{class:"plusultra-faint","font-size":"28",dy:"0.35em",children:a.split("_")[1]})]},a)),F(t,"peer").map(a=>k(rt,{of:a,shape:{circle:30},name:e.owner(a.owner??0),children:[n("title",{children:e.owner(a.owner??0)}),n("path",{class:"plusultra-shield",d:"M-24-26H24V2Q22 20 0 30Q-22 20-24 2Z"}),n(Tt,{sign:t.sign(a.owner??0),size:1.45})]},a.key))]})}function qt({scene:t}){return k(A,{children:[I(t,"church").map(e=>k(S,{at:e,children:[n("title",{children:t.says.place(e)}),n("path",{class:"plusultra-arch",d:"M-53 44V-8Q-50-32 0-44Q50-32 53-8V44Z"}),n("g",{class:"plusultra-faint",children:n(E,{name:"rosette",radius:20})})]},e)),F(t,"tile").filter(({place:e})=>e.startsWith("church_")).map(e=>n(K,{scene:t,piece:e,size:[94,74]},e.key))]})}function Oe({tables:t},e){let r=He(t,"king_favor").find(({crown_min:a,crown_max:s})=>Number(a)<=e&&e<=Number(s));return String(r?.pg??0)}function Rt({scene:t}){let{says:e,board:r}=t;return k(A,{children:[r.tracks?.crown?.places.map((a,s)=>k(S,{at:a,children:[n("title",{children:e.place(a)}),n(D,{scene:t,at:a}),n("text",{class:"plusultra-title","font-size":"22",y:"-20",dy:"0.35em",children:s}),n("g",{transform:"translate(-8 20)",children:n(E,{name:"pg",radius:10})}),n("text",{"font-size":"21",x:"12",y:"20",dy:"0.35em",children:Oe(t,s)})]},a)),F(t,"crown_ducats").map(a=>k(rt,{of:a,shape:{rect:[44,74]},name:e.place(a.place),children:[n("rect",{class:"plusultra-now",x:"-21",y:"-36",width:"42",height:"72",rx:"10"}),n("g",{transform:"translate(0 -44)",children:n(E,{name:"crown",radius:15})})]},a.key))]})}function zt({tables:t,view:e},r,a){let{base_price:s,minimum:c}=t.merchant,i=e.market.filter(l=>l===r).length-Number(a);return Math.max(s-i,c)}function It({scene:t}){let{says:e,view:r,board:a}=t,s=F(t,"tile"),c=s.filter(({place:d})=>d==="surplus"),i=r.merchant_market_slot==="slot_1"?1:r.market.length,l=c.at(-1);return k(A,{children:[[1,2,3,4].map(d=>k(S,{at:`market_${d}`,children:[n("title",{children:e.place(`market_${d}`)}),n(D,{scene:t,at:`market_${d}`}),n("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:d})]},d)),k(S,{at:"surplus",children:[n("title",{children:e.place("surplus")}),n(D,{scene:t,at:"surplus"})]}),s.filter(({place:d})=>d.startsWith("market_")).map(d=>n(K,{scene:t,piece:d,size:[96,86]},d.key)),c.map(d=>n(Se,{scene:t,piece:d},d.key)),r.market[i-1]&&n(Dt,{place:a.places[`market_${i}`],by:[36,-36],children:n(ct,{ducats:zt(t,r.market[i-1]??"",!0)})}),l&&n(Dt,{place:a.places.surplus,by:[86,-36],children:n(ct,{ducats:zt(t,l.id??"",!1)})})]})}function Dt({place:{x:t,y:e}={x:0,y:0},by:[r,a],children:s}){return n("g",{transform:`translate(${t+r} ${e+a})`,children:s})}function Se({scene:t,piece:e}){let{nth:r,among:a,x:s,y:c,id:i}=e;if(r===a-1)return n("g",{children:n(K,{scene:t,piece:{...e,x:s+56},size:[92,86]})});let l=Math.max(4,Math.ceil((a-1)/3)),d=98/l,y=[s-90+r%l*d,c-28+Math.floor(r/l)*28],x=t.board.catalogue.tile_kinds;return k(rt,{of:e,at:y,shape:{circle:14},children:[n("title",{children:tt(t,e)}),n("circle",{class:"face",r:"13",fill:et(x?.colours?.[i??""]??"paper")}),n(E,{name:x?.icons?.[i??""]??"tile",radius:10})]})}function Nt({scene:t}){let{says:e,view:r}=t;return k(A,{children:[[1,2,3,4,5,6].map(a=>k(S,{at:`war_${a}`,class:a>r.war_level?"plusultra-needless":"",children:[n("title",{children:e.place(`war_${a}`)}),n("circle",{class:"plusultra-drum",r:"40"}),n("circle",{class:"face",r:"33",fill:et("paper")}),n("text",{class:"plusultra-faint","font-size":"30",dy:"0.35em",children:a})]},a)),k(S,{at:"war_level",children:[n("title",{children:e.place("war_level")}),n(D,{scene:t,at:"war_level"}),n("g",{transform:"translate(-36 0)",children:n(E,{name:"war",radius:24})}),n("text",{class:"plusultra-title","font-size":"32",x:"30",dy:"0.35em",children:`${r.war.length}/${r.war_level}`})]}),F(t,"tercio").map(a=>{let s=t.sign(a.owner??0);return k(rt,{of:a,shape:{circle:36},name:e.owner(a.owner??0),children:[n("title",{children:e.owner(a.owner??0)}),n("circle",{r:"33",class:"plusultra-edge",fill:et(s.colour)}),n("circle",{r:"33",fill:`url(#pattern-${s.pattern})`}),n("circle",{r:"24",class:"plusultra-medal"}),n("g",{transform:"translate(-5 0)",children:n(E,{name:"tercio",radius:20})}),n("g",{transform:"translate(17 14)",children:n(Tt,{sign:s,size:.95})})]},a.key)})]})}var ze={pile:"tile",bank:"ducat",bulls:"bull",rosettes:"rosette",magellan:"magellan",estates:"estate"};function jt({scene:t}){let{says:e,view:r,board:a,narrow:s}=t,c=s?21:17,[i]=St(a.kinds.area?.shape??{}),[l,d]=St(a.kinds.used?.shape??{}),y=r.estates_used.map(b=>e.name("estates",b)),x={pile:r.pile,bank:r.bank,bulls:r.bull_supply,rosettes:r.rosette_supply,magellan:r.magellan_supply,estates:r.estate_stack};return k(A,{children:[Object.entries(ze).map(([b,$])=>k(S,{at:b,children:[n(D,{scene:t,at:b}),n("g",{transform:`translate(-50 ${s?-26:-16})`,children:n(E,{name:$,radius:22})}),n("text",{class:"plusultra-title","font-size":"32",x:"14",y:s?-27:-17,dy:"0.35em",children:x[b]}),n(De,{width:i+(s?18:-2),y:24,size:c,children:e.place(b)})]},b)),k(S,{at:"estates_used",children:[n(D,{scene:t,at:"estates_used"}),r.estates_used.length===0&&n("g",{class:"plusultra-faint",transform:"translate(0 20)",children:n(E,{name:"estate",radius:s?28:50})}),n(_,{at:[0,20-d/2],width:l-12,size:c,middle:!0,bold:!0,children:e.place("estates_used")}),(s?[y.join(", ")]:y).flatMap(b=>O(b,l-10,c)).map((b,$)=>n(_,{at:[0,48-d/2+$*c*1.24],width:l-10,size:c,middle:!0,children:b},b))]})]})}function De({children:t,width:e,y:r,size:a}){let s=O(t,e,a).length;return n(_,{at:[0,r-(s-1)*a*.57],width:e,size:a,middle:!0,children:t})}import{extentOf as Te,Icon as G,ofType as Wt,Piece as ut,Place as at,rowOf as Ce,shapeOf as Ee}from"/static/app/kit.js";import{jsx as m,jsxs as P}from"/static/app/kit.js";function Ut(t,e){let r=e.view,[a,s]=t.board.mat?.size??[520,326],c={pg:r.pg,ducats:r.ducats,active:r.tercios.active,tired:r.tercios.tired,reserve:r.houses.reserve,rosettes_ready:r.rosettes.ready,rosettes_used:r.rosettes.used,own_bulls:r.bulls,own_magellan:r.magellan,natives:r.natives,estate_count:r.estate_count};return P("g",{class:"plusultra-board",children:[t.view.decider===e.owner&&m("rect",{class:"plusultra-turn",x:"-4",y:"-4",width:a+8,height:s+8,rx:"14"}),Object.entries(c).map(([i,l])=>m(qe,{scene:t,at:i,count:l},i)),P(at,{at:"characters",children:[m("title",{children:t.says.place("characters",!0)}),m("rect",{class:"plusultra-cell",x:"-173",y:"-39",width:"346",height:"78",rx:"10"}),r.characters?.length===0&&m(Bt,{icon:"character"}),r.characters===null&&[...Array(Ae(t.view,r.seat)).keys()].map(i=>m("g",{transform:`translate(${i*172-86} 0)`,children:m(G,{name:"character",radius:32})},i))]}),P(at,{at:"characters_used",children:[m("title",{children:t.says.place("characters_used",!0)}),m("rect",{class:"plusultra-cell",x:"-82",y:"-39",width:"164",height:"78",rx:"10"})]}),P(at,{at:"own_estates",children:[m("title",{children:t.says.place("own_estates",!0)}),m("rect",{class:"plusultra-cell",x:"-206",y:"-52",width:"413",height:"104",rx:"10"}),r.estate_count===0&&m(Bt,{icon:"estate"}),r.estates===null&&[...Array(r.estate_count).keys()].map(i=>P("g",{transform:`translate(${(i-(r.estate_count-1)/2)*64} 0)`,children:[m("rect",{class:"plusultra-back",x:"-27",y:"-38",width:"54",height:"76",rx:"7"}),m(G,{name:"estate",radius:20})]},i))]}),r.common_used&&m(Gt,{icon:"taken",x:30,words:t.says.label("board.common_used")}),r.bull_used&&m(Gt,{icon:"bull",x:76,words:t.says.label("board.bull_used")}),Wt(e,"character").map(i=>i.place==="characters"?m(Re,{scene:t,piece:i,spent:r.characters_used.some(l=>l===i.id)},i.key):m(Ie,{scene:t,piece:i},i.key)),Wt(e,"estate").map(i=>m(Ne,{scene:t,piece:i},i.key)),[...new Map(e.pieces.map(i=>[i.id,i])).values()].map(({id:i,type:l})=>m(J,{scene:t,table:l==="estate"?"estates":"characters",id:i??"",at:[260,l==="estate"?216:132],room:a},i))]})}function Bt({icon:t}){return m("g",{class:"plusultra-hollow",children:m(G,{name:t,radius:26})})}function Gt({icon:t,x:e,words:r}){return P("g",{transform:`translate(${e} 306)`,children:[m("title",{children:r}),m(G,{name:t,radius:15}),m("path",{class:"plusultra-tick",transform:"scale(.7)",d:"M4 14l8 9L26 4"})]})}function Ae(t,e){let r=t.peer_order.indexOf(e),a=t.players.length;return Math.max(0,Math.ceil((t.picks-r)/a))}function qe({scene:t,at:e,count:r}){let a=t.board.mat,s=a?.places[e];if(!a||!s)return null;let[c,i]=Te(Ee(a,s));return P(at,{at:e,class:r===0?"plusultra-none":"",children:[m("title",{children:t.says.place(e,!0)}),m("rect",{class:"plusultra-cell",x:-c/2,y:-i/2,width:c,height:i,rx:"10"}),m("g",{transform:"translate(-22 0)",children:m(G,{name:s.icon??"",radius:e==="pg"?25:21})}),m("text",{class:"plusultra-title","font-size":"32",x:"24",dy:"0.35em",children:r})]})}function dt({says:t},e,r){return`${t.name(e,r)}: ${t.text(e,r)}`}function Re({scene:t,piece:e,spent:r}){let a=e.id??"",s=t.says.name("characters",a),c=O(s,106,17).length;return P(ut,{of:e,at:[e.x+(e.nth?86:-86),e.y],shape:{rect:[168,72]},class:`plusultra-of-${a}`,looks:!0,children:[m("title",{children:dt(t,"characters",a)}),P("g",{class:r?"plusultra-spent":"",children:[m("rect",{class:"plusultra-card",x:"-82",y:"-34",width:"164",height:"68",rx:"9"}),P("g",{transform:"translate(-57 1)",children:[m("circle",{class:"plusultra-medal",r:"25"}),m(G,{name:a,radius:23})]}),m(_,{at:[-27,-(c-1)*9.7],width:106,children:s})]})]})}function Ie({scene:t,piece:e}){let r=e.id??"";return P(ut,{of:e,at:[e.x+(e.nth?42:-42),e.y],shape:{circle:34},class:`plusultra-of-${r}`,looks:!0,children:[m("title",{children:dt(t,"characters",r)}),m("circle",{class:"plusultra-medal",r:"32"}),m(G,{name:r,radius:28}),m("path",{class:"plusultra-tick",d:"M8 20l7 8L30 8"})]})}function Ne({scene:t,piece:e}){let{says:r,tables:a}=t,s=e.id??"",c=Math.min(e.among,3),i=Math.ceil(e.among/3),l=(e.nth%3-(c-1)/2)*136,d=(Math.floor(e.nth/3)-(i-1)/2)*50,y=r.name("estates",s),x=O(y,94,17).length;return P(ut,{of:e,at:[e.x+l,e.y+d],shape:{rect:[132,48]},class:`plusultra-of-${s}`,looks:!0,children:[m("title",{children:dt(t,"estates",s)}),m("rect",{class:"plusultra-card",x:"-65",y:"-23",width:"130",height:"46",rx:"7"}),m("circle",{class:"plusultra-pg",cx:"-47",r:"15"}),m("text",{class:"plusultra-estate-pg","font-size":"19",x:"-47",dy:"0.35em",children:String(Ce(a,"estates",s)?.pg??"")}),m(_,{at:[-28,-(x-1)*9.7],width:98,children:y})]})}import{colour as Kt}from"/static/app/kit.js";import{Fragment as Ge,jsx as q,jsxs as pt}from"/static/app/kit.js";var je=[...Array(34).keys()].map(t=>{let e=384+t*97%250,r=24+t*173%780;return`M${e} ${r}q7-8 14 0t14 0`}),Ft=pt("g",{class:"plusultra-ocean",children:[q("path",{class:"plusultra-waves",d:je.join("")}),pt("g",{transform:"translate(514 700)",children:[q("circle",{r:"25"}),q("path",{d:"M0-29L6-6L29 0L6 6L0 29L-6 6L-29 0L-6-6Z"}),q("path",{class:"plusultra-north",d:"M0-29L6-6L0 0L-6-6Z"})]}),q("path",{class:"plusultra-serpent",d:"M494 452q-2-26 14-26t14 22q2 14 12 8M496 396q10-18 24-2q8 10 18 2M502 478q8-14 22 0"})]}),We=[[24,58],[330,152],[170,160],[18,266],[172,376],[344,368],[20,482],[338,584],[172,592],[22,698],[340,806],[174,806]],Be=[[12,160],[344,262],[168,268],[14,372],[340,478],[172,484],[16,590],[342,692],[174,700],[20,806]],Yt=pt(Ge,{children:[q("rect",{x:"8",y:"8",width:"656",height:"812",rx:"16",fill:Kt("sea")}),q("path",{class:"plusultra-land",fill:Kt("land"),d:"M24 8H352q22 40 4 84t6 90t-8 86t12 92t-14 88t12 92t-10 90t10 84t-6 106H24a16 16 0 0 1-16-16V24A16 16 0 0 1 24 8Z"}),q("path",{class:"plusultra-hills",d:We.map(([t,e])=>`M${t-10} ${e}l9-15l9 15m-4-7l6-9l9 16`).join("")}),q("path",{class:"plusultra-trees",d:Be.map(([t,e])=>`M${t} ${e}v-12m-8-3q8-10 16 0q-8-4-16 0m3-6q5-8 11-1`).join("")})]});import{extentOf as Jt,Icon as Y,Outline as st,ofType as mt,Piece as te,Place as ee,rowOf as Ue,SeatSign as Ke}from"/static/app/kit.js";import{Fragment as R,jsx as f,jsxs as H}from"/static/app/kit.js";function re({scene:t}){let{says:e,board:r}=t,a=mt(t,"character");return H(R,{children:[H(ee,{at:"pack",children:[f(st,{class:"plusultra-stage",shape:r.kinds.wide?.shape??{},round:14}),a.length===0&&f(Xe,{scene:t}),a.length>0&&f("title",{children:e.place("pack")})]}),a.map(s=>f(Fe,{scene:t,piece:s},s.key))]})}function ae({x:t,y:e,nth:r,among:a},s){let c=s&&a>4?Math.ceil(a/2):a,i=Math.ceil(a/c),l=Math.min(s?168:124,672/c);return[t+(r%c-(c-1)/2)*l,e+(Math.floor(r/c)-(i-1)/2)*166,l]}function Fe({scene:t,piece:e}){let{says:r,narrow:a}=t,s=e.id??"",[c,i,l]=ae(e,a),d=a?162:154;return H(te,{of:e,at:[c,i],shape:{rect:[l-4,d]},class:`plusultra-of-${s}`,looks:!0,children:[f("title",{children:`${r.name("characters",s)}: ${r.text("characters",s)}`}),f(st,{class:"plusultra-card",shape:{rect:[l-8,d-4]},round:10}),f("circle",{class:"plusultra-medal",cy:"-30",r:Math.min(40,l/2-6)}),f("g",{transform:"translate(0 -29)",children:f(Y,{name:s,radius:Math.min(38,l/2-9)})}),f(Ye,{width:l-10,size:a?22:17,children:r.name("characters",s)})]})}function Ye({children:t,width:e,size:r}){let a=O(t,e+6,r);return f("text",{"font-size":r,children:a.map((s,c)=>f("tspan",{x:"0",y:42+(c-(a.length-1)/2)*r*1.12,dy:"0.35em",...X(s,e,r),children:s},s))})}function Xe({scene:t}){let{says:e,view:r,narrow:a}=t,{decider:s,activation:c,phase:i}=r,[l,d]=a?[-112,22]:[-58,17],y=c?.character??null,x=s===null?r.end_reason?e.label(`reason.${r.end_reason}`):"":e.label(`decision.${i}`),b=i==="draft"?8-r.picks:0;return H(R,{children:[f("g",{class:"plusultra-pillars plusultra-faint",transform:a?"scale(1 1.8)":void 0,children:f("path",{d:"M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36"})}),y===null&&b===0&&H(R,{children:[f("path",{class:"plusultra-banner",d:"M-306 36Q-150-4 0 18T306 4V44Q150 76 0 54T-306 76L-286 54Z"}),f("text",{class:"plusultra-motto","font-size":"34",dy:"0.35em",y:"36",children:"PLVS · VLTRA"})]}),s!==null&&f("g",{transform:`translate(-240 ${l})`,children:f(Ke,{sign:t.sign(s),size:1.5})}),f(_,{at:[s===null?-250:-212,l],width:500,size:22,bold:!0,children:s===null?U(x):`${e.owner(s)}: ${x}`}),y!==null&&H(R,{children:[f("circle",{class:"plusultra-medal",cx:"-228",cy:"26",r:a?60:46}),f("g",{transform:"translate(-228 27)",children:f(Y,{name:y,radius:a?56:43})}),f(_,{at:[-148,l+34],width:400,size:a?24:20,bold:!0,children:e.name("characters",y)}),f(_,{at:[-148,l+(a?66:56)],width:a?474:460,size:d,children:e.text("characters",y)})]}),y===null&&[...Array(b).keys()].map($=>f("g",{transform:`translate(${($-(b-1)/2)*52} 38)`,children:f(Y,{name:"character",radius:34})},$))]})}var Je={ducats:"ducat",ducats_per_step:"ducat",pg:"pg",tercio:"tercio",sea_trade:"ship",place_house:"house",pending_order_steps:"peer",estate:"estate"};function tr({tables:t},e){let r=Ue(t,"common_actions",e),a=[r?.cost,r?.gain],[s=[],c=[]]=a.map(i=>Object.entries(i??{}).flatMap(([l,d])=>Array.isArray(d)?d:[d,Je[l]??l]));return[...s,"▸",...c.filter((i,l)=>i!==1||l>0)]}function er({scene:t,id:e}){return f(R,{children:tr(t,e).map((r,a)=>f("g",{transform:`translate(${-26+a*24} -45)`,children:t.board.icons.includes(String(r))?f(Y,{name:String(r),radius:12.5}):f("text",{class:"plusultra-title","font-size":"25",dy:"0.35em",children:r})},a))})}function se({scene:t}){let{says:e,board:r,narrow:a}=t,s=r.kinds.common?.shape??{},[c,i]=Jt(s);return H(R,{children:[I(t,"common").map(l=>H(ee,{at:l,class:`plusultra-of-${l}`,looks:!0,children:[f(st,{class:"plusultra-card",shape:s,round:12}),f("path",{class:"plusultra-head",d:`M${-c/2} ${64-i/2}v-52a12 12 0 0 1 12-12h${c-24}a12 12 0 0 1 12 12v52Z`}),f("g",{transform:`translate(${(a?24:30)-c/2} ${32-i/2})`,children:f(Y,{name:l,radius:a?19:23})}),a?H(R,{children:[f(er,{scene:t,id:l}),f(Xt,{at:[0,32],width:c-8,size:21,middle:!0,children:e.name("common_actions",l)})]}):H(R,{children:[f(Xt,{at:[-36,-62],width:126,size:18,children:e.name("common_actions",l)}),f(_,{at:[-86,-14],width:180,size:17,children:e.text("common_actions",l)})]})]},l)),mt(t,"taken").map(l=>H(te,{of:l,shape:s,class:`plusultra-of-${l.place}`,name:e.label("board.taken",{spaces:[l.place]}),looks:!0,children:[f(st,{class:"plusultra-veil",shape:s,round:12}),f("g",{transform:`translate(${c/2-34} ${i/2-34})`,children:f(Y,{name:"taken",radius:30})})]},l.key))]})}function Xt({children:t,at:[e,r],width:a,size:s,middle:c=!1}){let i=O(t,a,s,!0).length;return f(_,{at:[e,r-(i-1)*s*.57],width:a,size:s,bold:!0,middle:c,children:t})}function oe({scene:t}){let{board:e,narrow:r}=t,[a]=e.size,[,s]=Jt(e.kinds.common?.shape??{});return H(R,{children:[mt(t,"character").map(c=>{let{id:i,x:l,y:d,nth:y,among:x}=c,[,b]=ae(c,!0),$=r&&b<d;return f(J,{scene:t,table:"characters",id:i??"",at:r?[l,$?d:b-84]:[l+(y-(x-1)/2)*84,644],room:a,below:$},i)}),I(t,"common").map(c=>{let{x:i=0,y:l=0}=e.places[c]??{};return f(J,{scene:t,table:"common_actions",id:c,at:[i,l-s/2-(r?3:6)],room:a},c)})]})}import{colour as gt,Icon as le,ofType as ot,Piece as ft,Place as ht,rowOf as rr,signPath as ie}from"/static/app/kit.js";import{Fragment as lt,jsx as g,jsxs as z}from"/static/app/kit.js";function ce({scene:t}){let{says:e,view:r,tables:a}=t,[s,c]=t.narrow?j.world:[0,0];return z(lt,{children:[g(_,{at:[26+s,31+c],width:330,size:24,bold:!0,children:e.label("board.land")}),I(t,"row").map((i,l)=>z("g",{children:[g("path",{class:"plusultra-path",d:`M${150+s} ${102+c+l*108}h30`}),z(ht,{at:`row_${l+1}`,children:[g("title",{children:e.place(`row_${l+1}`)}),g(D,{scene:t,at:`row_${l+1}`}),g("text",{class:"plusultra-faint","font-size":"34",dy:"0.35em",children:l+1})]}),z(ht,{at:`settlement_${l+1}`,children:[g("title",{children:e.place(`settlement_${l+1}`)}),g("rect",{class:"plusultra-clearing",x:"-86",y:"-48",width:"172",height:"96",rx:"30"})]})]},`row ${l+1}`)),ot(t,"settlement").map(i=>{let l=Number(i.id?.split("_")[1]),d=rr(a,"settlements",i.id??"")?.majority_pg;return z(ft,{of:i,shape:{rect:[168,92]},children:[g("title",{children:tt(t,i)}),g("rect",{x:"-82",y:"-44",width:"164",height:"88",rx:"12",class:"face",fill:gt("settlement")}),g("g",{transform:"translate(-58 -23)",children:g(le,{name:"settlement",radius:17})}),g("g",{transform:"translate(24 -23)",children:g(le,{name:"pg",radius:14})}),g("text",{class:"plusultra-title","font-size":"24",x:"54",y:"-23",dy:"0.35em",children:String(d??"")}),[...Array(l).keys()].map(y=>g("rect",{class:"plusultra-slot",x:ne(y,l)-16,y:"2",width:"32",height:"34",rx:"6"},y))]},i.key)}),ot(t,"tile").filter(({place:i})=>i.startsWith("row_")).map(i=>g(K,{scene:t,piece:i},i.key)),Object.values(Object.groupBy(ot(t,"house"),({place:i})=>i)).flatMap(i=>i?.map((l,d)=>{let y=Number(l.place.split("_")[1]),x=r.settlements[y-1]?.size??4;return z(ft,{of:l,at:[l.x+ne(d,x),l.y+18],shape:{circle:20},name:t.says.owner(l.owner??0),children:[g("title",{children:t.says.owner(l.owner??0)}),g(ar,{scene:t,owner:l.owner})]},l.key)})??[])]})}function ne(t,e){return(t-(e-1)/2)*38}function ar({scene:t,owner:e}){let r=t.sign(e??0),a="M-15 16V0L0-17L15 0V16Z";return z(lt,{children:[g("path",{d:a,class:"plusultra-edge",fill:gt(r.colour)}),g("path",{d:a,fill:`url(#pattern-${r.pattern})`}),g("path",{d:ie(r),transform:"translate(0 4) scale(.7)",class:"plusultra-badge"})]})}function ue({scene:t}){let e=t.board.tracks?.sea_trade?.places??[],a=e.map(s=>t.board.places[s]).map(s=>`${s?.x},${s?.y}`).join(" ");return z(lt,{children:[g("polyline",{class:"plusultra-route",points:a}),e.map((s,c)=>z(ht,{at:s,children:[g("title",{children:t.says.place(s)}),g("rect",{class:"plusultra-water",x:"-48",y:"-46",width:"96",height:"92",rx:"16"}),g("text",{class:"plusultra-title","font-size":"22",x:"-30",y:"-28",dy:"0.35em",children:c})]},s)),ot(t,"sea_marker").map(s=>{let c=s.among===1,i=c?4:(s.nth%2-.5)*47,l=c?4:s.among<3?10:(Math.floor(s.nth/2)-.5)*44;return z(ft,{of:s,at:[s.x+i,s.y+l],shape:c?{circle:32}:{rect:[49,49]},name:t.says.owner(s.owner??0),children:[g("title",{children:t.says.owner(s.owner??0)}),g("g",{transform:`scale(${c?1.5:1.1})`,children:g(sr,{scene:t,owner:s.owner})})]},s.key)})]})}function sr({scene:t,owner:e}){let r=t.sign(e??0),a="M-13-15Q0-20 13-15Q17-4 13 6Q0 1-13 6Q-17-4-13-15Z";return z(lt,{children:[g("path",{class:"plusultra-mast",d:"M0 10V-20"}),g("path",{d:a,class:"plusultra-edge",fill:gt(r.colour)}),g("path",{d:a,fill:`url(#pattern-${r.pattern})`}),g("path",{d:ie(r),transform:"translate(0 -5) scale(.72)",class:"plusultra-badge"}),g("path",{class:"plusultra-hull",d:"M-19 6L-14 10H14L19 4Q19 18 9 19H-9Q-18 18-19 6Z"})]})}import{jsx as Z,jsxs as de}from"/static/app/kit.js";var lr={icons:$t,style:`${bt}${_t}`,draw:t=>Z(nr,{scene:t}),mat:Ut,narrow:Ot},ta=lr;function nr({scene:t}){let[e,r]=t.board.size,[a,s]=t.narrow?j.world:[0,0];return de("g",{class:"plusultra-board",children:[Z("rect",{width:e,height:r,rx:"18",fill:or("ground")}),de("g",{transform:`translate(${a} ${s})`,children:[Yt,Ft]}),Z(Ct,{scene:t}),Z(ce,{scene:t}),Z(ue,{scene:t}),Z(Et,{scene:t}),Z(At,{scene:t}),Z(qt,{scene:t}),Z(Rt,{scene:t}),Z(It,{scene:t}),Z(Nt,{scene:t}),Z(jt,{scene:t}),Z(re,{scene:t}),Z(se,{scene:t}),Z(oe,{scene:t})]})}export{ta as default};
