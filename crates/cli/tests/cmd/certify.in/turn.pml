bit turn;
active proctype P() { do :: turn = 1 - turn od }
