component P kmts { props p; init s; s: {p?} -> s; }
