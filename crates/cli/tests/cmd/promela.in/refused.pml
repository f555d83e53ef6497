byte x;
active proctype A() { { x = 1 } unless { x == 2 } }
active proctype B() { c_code { x = 1; } }
active proctype C() priority 3 { skip }
ltl p { [] (x < 2) }
never { true }
active proctype D() { chan c = [1] of { byte }; c!!x; c??x }
