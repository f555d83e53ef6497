component Light kripke { props red; init r; r: {red} -> r; }
property lit: ctl AG red;
property "really lit": ctl EF red;
