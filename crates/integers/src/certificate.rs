//! What shows a verdict, written down.
