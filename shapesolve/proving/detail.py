"""How much is wanted of a verdict: the more, the more questions it takes where a claim is not proved."""

from __future__ import annotations

import enum

from shapesolve.records import value_record


class Detail(enum.Enum):
    """What somebody will look at."""

    SIGHT = "whether it is proved without asking a solver"
    PROOF = "whether it is proved"
    EXTREMES = "whether it is proved, or fails for all sizes"
    VERDICT = "which of the four it is"
    ALWAYS = "and whether the claim fails for all sizes"
    SHOWN = "and the smallest sizes for which it fails, if it does"
    SIZES = "and the smallest sizes for which it fails, unless what is not modelled prevents it"


MADE_SMALL = (Detail.SHOWN, Detail.SIZES)


@value_record
class Effort:
    """The detail, and how many questions may be asked to make sizes smaller."""

    questions: int
    detail: Detail
