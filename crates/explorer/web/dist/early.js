import{d as m}from"./part-OSHHHLPC.js";import"./part-4TS7E5U3.js";m();
