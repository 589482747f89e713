import{b as a,c as b,d as c}from"./signing-refusals.js?v=13a5538f1ad9";import"./verify-json.js?v=6112dbb1d600";export{a as SigningKey,b as keyOf,c as signed};
