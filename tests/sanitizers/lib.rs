//! Nothing: the package has only tests.
