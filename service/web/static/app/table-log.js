import{a as V,b as J,c as S}from"./table-said.js?v=c5b87ea5f06fded0";import{c as Q,d as X,h as Z}from"./board-elements.js?v=c234c95fa9ae6cc7";import{a as T}from"./table-words.js?v=1099c0a4022150c8";import{b as ee}from"./board-sheets.js?v=da2aa51a15708a97";import"./play-names.js?v=bf71e53daeb104b6";import{b as j,c as Y}from"./play-table.js?v=32996a7c6b823881";import{E as U,I as D,p as M,u as _,z as G}from"./phrases-phrases.js?v=1df5356ac1b027de";import{b as I,d as C}from"./board-shapes.js?v=ce2a3fc7f2bb76fa";import{d as E,h as R,i as F,j as $,k as W,l as A,n as r}from"./preact.js?v=f99d2b9965ed9168";var ne=`/* The log of a table: a line for each turn, and for each event of the turn that is unfolded. */
.log-panel {
  min-width: 0;
}
.log-panel > header {
  display: flex;
  align-items: baseline;
  gap: 0.4rem;
}
.log-panel h2 {
  flex: 1;
}
.log-panel .taller {
  display: none;
}
.log {
  position: relative;
  max-height: 22rem;
  overflow-x: hidden;
  overflow-y: auto;
  scrollbar-width: thin;
}
.log .step {
  padding-left: 6px;
  border-left: 3px solid var(--seat, var(--line));
}
.log .step + .step {
  margin-top: 1px;
}
.log .begins {
  margin-top: 3px;
  border-top: 1px solid var(--line);
}
.log [role="treeitem"] {
  display: block;
  width: 100%;
  min-height: 24px;
  padding: 3px 4px;
  border: 0;
  border-radius: 0.3rem;
  color: inherit;
  text-align: left;
  text-decoration: none;
  scroll-margin: 4px;
}
.log [role="treeitem"]:hover {
  background: color-mix(in srgb, var(--ink) 8%, transparent);
}
.log .turn {
  display: flex;
  gap: 4px;
  align-items: baseline;
}
.log .turn ~ .line {
  padding-left: 16px;
}
.log .earlier {
  color: var(--quiet);
  font-size: inherit;
}
.log .twisty {
  flex: none;
  width: 12px;
  color: var(--quiet);
}
.log .head {
  flex: 1;
  color: var(--quiet);
}
.log .in-one {
  flex: 1;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.log time {
  flex: none;
  float: right;
  margin-left: 6px;
  color: var(--quiet);
  font-size: 12px;
  font-variant-numeric: tabular-nums;
}
.log .here {
  background: color-mix(in srgb, var(--touched) 16%, transparent);
}
.log :is(.sign-mark, .icon-mark) {
  width: 1.15em;
  height: 1.15em;
  margin-right: 0.2em;
  vertical-align: -0.22em;
}
.log .bare .icon-mark {
  display: none;
}
.log b {
  font-weight: 650;
}
.log :is(b, .named:has(.sign-mark)) {
  white-space: nowrap;
}
.log em {
  color: var(--accent);
  font-style: normal;
  font-weight: 600;
}
.log .more {
  color: var(--quiet);
}
.arranged > .side > .log-panel {
  grid-area: var(--log);
  display: flex;
  flex-direction: column;
  margin: 0;
  padding: 4px 8px;
  min-height: 0;
  box-shadow: none;
}
.arranged .log {
  flex: 1;
  max-height: none;
  min-height: 0;
  font-size: 12.5px;
  line-height: 18px;
}
.arranged .log-panel h2 {
  margin: 0;
  font-size: 14px;
}
.arranged .log-panel button {
  min-height: 24px;
  padding: 0 8px;
  font-size: 13px;
}
.arranged .log-panel .taller {
  display: inline-block;
}
/* To read in, it is larger, above what is around it. */
.arranged > .side > .log-panel:is(.tall, :has(.log :focus-visible)) {
  z-index: 3;
  align-self: end;
  min-height: 100%;
  height: 70vh;
  box-shadow: 0 0 12px #0006;
}
`;var ge=1e3;async function te(e){let n=[];for(let a=0;a!==null;){let i=await _(e.viewer.service.api.GET("/v1/games/{game_id}/events",{params:{path:{game_id:e.id},query:{after:a,limit:ge}}}));if(typeof i=="string")return;n.push(...i.events.map(j)),a=i.next_after}let t=n.at(-1)?.seq??0,o=e.happenings.peek().filter(({seq:a})=>a>t);e.happenings.value=[...n,...o]}function P(e){let n=e.querySelector(".here");for(let o of e.querySelectorAll(".line"))oe(o,1/0);if(he(e,n),!n)return;let t=()=>n.offsetHeight>e.clientHeight;for(let o=re(n).length-1;t()&&o>0;o--)oe(n,o);n.classList.toggle("bare",t())}function re(e){return[...e.querySelectorAll(".effect")]}function oe(e,n){let t=re(e);for(let[a,i]of t.entries())i.hidden=a>=n;let o=e.querySelector(".more");o&&(o.hidden=n>=t.length,o.textContent=o.hidden?"":T.peek().andMore(t.length-n))}function he(e,n){if(e.querySelector("[tabindex='0']"))return;let t=n??[...e.querySelectorAll("[role=treeitem]")].at(-1);t&&(t.tabIndex=0)}function B(e){if(e.querySelector(":focus-visible"))return;let n=e.querySelector(".here");if(!n){e.scrollTop=e.scrollHeight;return}let t=e.clientHeight-n.offsetHeight,o=n===[...e.querySelectorAll(".line")].at(-1);e.scrollTop=n.offsetTop-Math.max(0,o?t:t/2)}function le({effect:e,ruleset:n,language:t}){let{board:o}=n,a=e.data,i=G(n.words[t],`effect.${e.type}`,a);return!o||i.map(({text:s})=>s).join("")!==e.text?r(E,{children:e.text}):r(E,{children:i.map((s,u)=>r(ye,{part:s,board:o,noun:xe(n,e,s)},u))})}function ye({part:e,board:n,noun:t}){let{text:o,value:a,vocabulary:i,id:s=""}=e;if(a===null)return r(E,{children:o});let u=be(n,i,s),d=u?void 0:ve(n,e,t),l=r(E,{children:[u&&r("svg",{class:"sign-mark",viewBox:"-14 -14 28 28","aria-hidden":"true",children:r(C,{sign:u})}),d&&r("svg",{class:"icon-mark",viewBox:"-15 -15 30 30","aria-hidden":"true",children:[r("circle",{r:"15",fill:d.ground}),r(Z,{name:d.name})]}),o]});return/^[+-]?\d/.test(o)?r("b",{children:l}):r("span",{class:"named",children:l})}function be(e,n,t){if(!(n!=="seat"&&n!=="side"))return e.seats[Number(t)]??e.sides?.[t]}var ae="#fff8e6";function ve(e,{value:n,vocabulary:t,id:o},a){let i=o??n??"",s=Object.values(e.catalogue).filter(({icons:c})=>c?.[i]),u=s.find(({name:c})=>c===t)??s[0],d=u?.icons?.[i];if(d){let c=u.colours?.[i];return{name:d,ground:c?I(c):ae}}if(t!==void 0)return;let l=a.split(/\W|_/).flatMap(c=>[c,c.replace(/s$/,"")]).find(c=>e.icons.includes(c));return l===void 0?void 0:{name:l,ground:ae}}function xe({words:e},{type:n},{value:t,vocabulary:o}){if(t===null||o!==void 0)return"";let a=new RegExp(`\\{${t}:([^{}|]*)\\|`).exec(e.en[`effect.${n}`]??"");return a?`${t} ${a[1]} ${n}`:""}function se(e,n,t,o,a){let i=Map.groupBy(e,({seq:l})=>l),s=new Set(e.filter(({type:l})=>t.includes(l)).map(({seq:l})=>l)),u=n.filter(({to:l})=>l!==null),d=(l,c)=>{let b=c&&a(c),v=(i.get(l)??[]).filter(({text:g})=>g!=="");if(l>o||b===null&&v.length===0)return[];let x=u.some(g=>(g.to??l)<l&&l<g.seq);return[{seq:l,event:c,said:b,effects:v,gone:x,begins:s.has(l)}]};return n[0]?.seq!==1?[...i.keys()].flatMap(l=>[d(l,null)]).filter(ie):Y(n,s).map(l=>l.flatMap(c=>d(c.seq,c))).filter(ie)}function ie(e){return e.length>0}function N({said:e,effects:n}){return[...e===null?[]:[e],...n.map(({text:t})=>t)].map(t=>/[.!?…]$/.test(t)?t:`${t}.`).join(" ")}ee(document,ne);var ce=60;function tn({table:e,ruleset:n,replays:t,onReplay:o}){let a=D.value,i=T.value,s=W(null),[u,d]=R(0),[l,c]=R(!1),[b,v]=R(new Map),[x,g,H]=[e.log.value,e.happenings.value,e.shown.value],q=e.game.value,O=e.following.value?H:Number.POSITIVE_INFINITY,h=A(()=>{let f=n.board?.rounds??[];return se(x,g,f,O,m=>J(m,q))},[x,g,O,q,n,a]),L=h.flat().findLast(({seq:f})=>f<=H)?.seq??0,w=h.findIndex(f=>f.some(({seq:m})=>m===L)),y=Math.max(0,(w<0?h.length:w+1)-ce-u),p=(f,m)=>v(pe=>new Map(pe).set(f[0]?.seq??0,m));F(()=>{te(e).catch(()=>{})},[e]),$(()=>{s.current&&P(s.current)}),$(()=>{s.current&&B(s.current)},[L,h,l]),$(()=>{let{current:f}=s;if(!f)return;let m=new ResizeObserver(()=>{P(f),B(f)});return m.observe(f),()=>m.disconnect()},[]);let k=A(()=>we(n),[n,M.value]),K=h.slice(y).map((f,m)=>r(Te,{table:e,ruleset:n,turn:f,here:w===y+m?L:null,open:b.get(f[0]?.seq??0)??w===y+m,time:Ee(f,h[y+m-1]),onFold:p},f[0]?.seq));return r("section",{class:`log-panel ${l?"tall":""}`,"aria-labelledby":"log",children:[r("header",{children:[r("h2",{id:"log",children:a.log}),e.following.value&&e.wanted.value<e.newest.value&&r("button",{type:"button",class:"main","data-skip":!0,onClick:()=>e.catchUp(),children:a.skipAhead}),r("button",{type:"button",class:"plain","aria-pressed":t,onClick:o,children:a.replay}),r("button",{type:"button",class:"plain taller","aria-pressed":l,"aria-label":i.taller,title:i.taller,onClick:()=>c(!l),children:"↕"})]}),h.length===0&&r("p",{class:"quiet",children:a.nothingYet}),r("div",{class:"log",ref:s,role:"tree","aria-labelledby":"log",onKeyDown:f=>s.current&&Me(s.current,f),onFocusCapture:({target:f})=>s.current&&ke(s.current,f),children:[y>0&&r("button",{type:"button",class:"plain turn earlier",role:"treeitem","aria-level":1,tabIndex:-1,onClick:()=>d(u+2*ce),children:i.earlierTurns(y)}),k?r(X.Provider,{value:k,children:K}):K]})]})}function we(e){let{board:n,renderer:t}=e,o=U(e,M.value);if(!n||!o)return null;let a=t.icons??{};return{sheet:n,board:n,says:o,owner:null,highlights:Q,icons:a}}function Ee(e,n){let t=o=>o?.at(-1)?.event?.at.slice(0,16);return t(e)===t(n)?null:e[0]?.event?.at??null}function Te({table:e,ruleset:n,turn:t,here:o,open:a,time:i,onFold:s}){let u=D.value,d=T.value,l=e.game.value,[c]=t,b=t.length>1;return A(()=>{if(!c)return null;let v=[...new Set(t.flatMap(({event:p})=>p?.seat??[]))],[x]=v,g=v.length===1&&x!==void 0?V(l,x):"",H=v.flatMap(p=>n.board?.seats[p]??[]),q=i&&r(Le,{at:i}),O=t.map((p,k)=>r("span",{children:[k>0&&" · ",r(z,{entry:p,ruleset:n})]},p.seq)),h=d.movesOf(g,t.length),L=t.map(N).join(" "),w=g&&H[0]?{"--seat":I(H[0].colour)}:{},y=c.begins?"begins":"";return b?r("div",{class:`step ${y}`,style:w,children:[r("a",{class:a?"turn":"turn folded-turn",role:"treeitem","aria-level":1,"aria-expanded":a,"aria-label":a?h:g?`${h}. ${L}`:L,tabIndex:-1,href:`#v=${t.at(-1)?.seq}`,onClick:p=>{let k=p.target.closest(".twisty")!==null;a||k?(p.preventDefault(),s(t,!a)):de(e,t.at(-1)?.seq??0,p)},children:[r("span",{class:"twisty","aria-hidden":"true",children:a?"▾":"▸"}),a?r("span",{class:"head",children:[H.map(p=>r("svg",{class:"sign-mark",viewBox:"-14 -14 28 28","aria-hidden":"true",children:r(C,{sign:p})},p.shape)),h]}):r("span",{class:"in-one",children:O}),q]}),a&&t.map(p=>r(ue,{table:e,entry:p,here:o,level:2,time:null,children:r(z,{entry:p,ruleset:n})},p.seq))]}):r("div",{class:`step ${y}`,style:w,children:r(ue,{table:e,entry:c,here:o,level:1,time:q,children:r(z,{entry:c,ruleset:n})})})},[c?.seq,He(t),o,a,i,u,l,n])}function He(e){return e.map(({seq:n,gone:t,event:o,effects:a})=>`${n}${t?"x":""}${o?.at}${a.length}`).join()}function ue({table:e,entry:n,here:t,level:o,time:a,children:i}){let s=n.seq===t,u=N(n);return r("a",{class:s?"line here":"line",role:"treeitem","aria-level":o,"aria-label":n.gone?T.value.takenBack(u):u,"aria-current":s?"true":void 0,tabIndex:-1,href:`#v=${n.seq}`,"data-seq":n.seq,onClick:d=>de(e,n.seq,d),onFocus:()=>{S.value=n.effects},onBlur:()=>{S.value=[]},children:[i,a]})}function z({entry:e,ruleset:n}){let t=T.value,{said:o,effects:a,event:i,gone:s}=e,u=i?.kind==="defaulted"&&r("em",{children:[t.byRules," "]}),d=r(E,{children:[o!==null&&r("em",{class:"said",children:o}),u,a.map((l,c)=>r("span",{class:"effect",onMouseEnter:()=>{S.value=[l]},onMouseLeave:()=>{S.value=[]},children:[(c>0||o!==null)&&" · ",r(le,{effect:l,ruleset:n,language:M.value})]},c)),r("span",{class:"more",hidden:!0})]});return s?r("s",{children:d}):d}function Le({at:e}){let n=new Date(e),t=n.toDateString()===new Date().toDateString(),o={hour:"2-digit",minute:"2-digit"},a={day:"numeric",month:"numeric"};return r("time",{datetime:e,title:n.toLocaleString(M.value),"aria-hidden":"true",children:n.toLocaleString(M.value,t?o:{...a,...o})})}function de(e,n,t){t.ctrlKey||t.metaKey||t.shiftKey||(t.preventDefault(),e.go(n))}function fe(e){return[...e.querySelectorAll("[role=treeitem]")]}function ke(e,n){for(let t of fe(e))t.tabIndex=t===n?0:-1}function Me(e,n){let t=fe(e),o=n.target.closest("[role=treeitem]");if(!o||n.ctrlKey||n.metaKey||n.altKey)return;let a=t.indexOf(o),i=o.getAttribute("aria-expanded"),s=t.findLast((c,b)=>b<a&&c.ariaExpanded==="true"),u=o.ariaLevel==="2",d={ArrowUp:t[a-1],ArrowDown:t[a+1],Home:t[0],End:t.at(-1),ArrowLeft:u?s:void 0,ArrowRight:i==="true"?t[a+1]:void 0};if(n.key===(i==="true"?"ArrowLeft":"ArrowRight")&&i!==null)o.querySelector(".twisty")?.click();else if(n.key in d)d[n.key]?.focus();else return;n.preventDefault(),n.stopPropagation()}export{tn as Log};
