// Written by `tertium check --emit-abstraction`: an abstraction of Net for the property "every comm/store".
component Net unknown {
  actions lose;
}

