component Plan kmts { props on; init a; a: {!on} ?> a, b; b: {on?} -> a ?> b; }
