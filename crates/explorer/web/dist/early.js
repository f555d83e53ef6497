import{g as m}from"./part-MPPJNC2L.js";m();
