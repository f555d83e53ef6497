component A kripke {
  props café;
}
