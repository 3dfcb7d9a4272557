"""Decision of one claim: propagation, preprocessing, z3, counterexamples."""
