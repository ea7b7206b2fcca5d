// Nothing: for its sake the tests' precompiled header is made, which main() is compiled without.
