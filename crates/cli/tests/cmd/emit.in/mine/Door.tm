// A file with this name that is not ours.
