// Whether they meet depends on both; either alone can refuse.
component A mts { actions meet; init s; s: -meet?> t; t: ; }
component B mts { actions meet; init u; u: -meet?> v; v: ; }

system A || B hide { meet };

property met: mu <tau> true;
