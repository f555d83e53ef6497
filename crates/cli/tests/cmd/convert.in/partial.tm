component Partial mts { actions a; init s; s: -a-> s -a?> t; t: ; }
