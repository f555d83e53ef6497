//! Nothing makes the reader panic, take long or run out of stack.
