component Button lts { actions push; init b; b: -push-> b; }
