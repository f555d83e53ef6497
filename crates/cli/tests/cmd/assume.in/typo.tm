component Desk lts { init s; s: -ask-> s; }
safety asks lts { actions aks; init s; s: -aks-> s; }
