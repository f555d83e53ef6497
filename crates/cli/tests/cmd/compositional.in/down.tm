component Down kripke { props p; init s; s: {} -> s; }
