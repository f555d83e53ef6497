component Bell lts { actions push, ring; init b; b: -push-> c; c: -ring-> b; }
system Bell hide { push };
