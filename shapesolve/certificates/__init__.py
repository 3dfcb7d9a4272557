"""Certificates: proofs as queries for any SMT solver, stated without the normal forms of `symbolic`."""
