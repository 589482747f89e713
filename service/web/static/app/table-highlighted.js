import{b as t}from"./preact-signals-core.js?v=dee5bcf609c9";var o=t([]);export{o as a};
