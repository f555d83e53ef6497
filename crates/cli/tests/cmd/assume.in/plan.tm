component Desk lts { init s; s: -ask-> s; }
component Reader unknown { actions ask; }
system Desk || Reader;
safety asks lts { actions ask; init s; s: -ask-> s; }
