import{b as t}from"./preact-signals-core.js?v=c75cd85e93ff";var o=t([]);export{o as a};
