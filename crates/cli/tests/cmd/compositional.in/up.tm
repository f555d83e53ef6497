component Up kripke { props p; init s; s: {p} -> s; }
