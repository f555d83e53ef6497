component Strict kmts { props on; init a; a: {!on} -> b; b: {on} -> a; }
