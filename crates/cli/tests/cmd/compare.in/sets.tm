component Sets gkmts { props on; init a; a: {!on} !> {b, c} ?> b, c; b: {!on} -> b; c: {!on} -> c; }
