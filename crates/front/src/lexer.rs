//! The tokens of `.tm` files and of all formula logics.
