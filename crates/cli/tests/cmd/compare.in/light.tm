component Light kripke { props on; init off; off: {} -> lit; lit: {on} -> off, lit; }
