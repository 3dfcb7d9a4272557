"""Limits of the propagator's work for one fact or claim, beyond which the claim is left to z3, and z3's own budget."""

DEFAULT_BUDGET = 2_000_000
"""Default z3 rlimit (steps) of one attempt at one query; a nonlinear query gets six attempts."""

MAX_REFRESHED = 64
"""Largest number of facts about a size that a new rule rewrites; the others stay true, but less simple."""

MAX_SUPPOSED = 100
"""Largest number of facts about a variable, the latest ones, that are rewritten under a hypothetical value of it."""

MAX_RULE_TEXT = 240
"""Largest number of characters of a rewrite rule: a longer equality would blow up expressions and is left to z3."""

MAX_CASE_SPLITS = 3
"""Largest depth of case splits before the propagator gives up."""
