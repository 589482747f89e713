import{b as t}from"./preact-signals-core.js?v=245d15ef440e";var o=t([]);export{o as a};
