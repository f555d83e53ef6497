// Written by `tertium check --emit-abstraction`: an abstraction of Net for the property "no loss".
component Net unknown {
  actions lose;
}

