"""Certificates: proofs as questions that any SMT solver can answer, stated without our normal forms."""
