proctype P() { skip }
init { do :: run P() od }
