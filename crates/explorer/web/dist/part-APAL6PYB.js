import{d as a,e as b,f as c,g as d}from"./part-KBTCF7PQ.js";import"./part-4TS7E5U3.js";export{c as middle,b as place,d as relative,a as warmUp};
