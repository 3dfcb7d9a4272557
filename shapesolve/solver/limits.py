"""Limits of the propagator's work for one fact or claim, beyond which the claim is left to z3, and z3's own budget."""

DEFAULT_BUDGET = 2_000_000
"""Solver steps (z3's rlimit) for one attempt at one question; where the question is not linear six are made."""

MAX_REFRESHED = 64
"""How many facts about a size are rewritten when a rule about it is learned; the others stay true, only less simple."""

MAX_SUPPOSED = 100
"""How many facts about a variable are rewritten, the latest, while it is only supposed to be an expression."""

MAX_RULE_TEXT = 240
"""An equality longer than this in print is left to the solver: as a rule it would blow other expressions up."""

MAX_CASE_SPLITS = 3
"""How deep the propagator splits cases before it passes."""
