component Light kripke { props on; init dark; dark: {} -> dark; }
