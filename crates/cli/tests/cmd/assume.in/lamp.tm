component Lamp kripke { props on; init s; s: {on} -> s; }
safety dark lts { actions switch; init s; s: -switch-> s; }
