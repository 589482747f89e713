import{b as a,c as b,d as c}from"./signing-refusals.js?v=093656b1e79c";import"./verify-json.js?v=6112dbb1d600";export{a as SigningKey,b as keyOf,c as signed};
