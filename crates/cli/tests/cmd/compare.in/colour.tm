component Colour kripke { props red; init a; a: {red} -> a; }
