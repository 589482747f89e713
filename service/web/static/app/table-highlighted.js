import{b as t}from"./preact-signals-core.js?v=8bfa94cd1b750fa6";var o=t([]);export{o as a};
