"""Loop variables by their names: `%j`, where the normal form has `4*%j.round + lo`. For printing only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim, of_atom, variable
from shapesolve.language.formulas import Formula
from shapesolve.language.substitution import Instantiation
from shapesolve.walking.obligations import Trace

_ROUND = ".round"


def by_their_names(claim: Formula, trace: Trace) -> Formula:
    """The claim about what loops count, with the names of that; as it is where it is about the rounds themselves."""
    rounds = {each for each in claim.variables if _ROUND in each.name}
    counted = {round: found for round in rounds if (found := _counted_by(round, trace)) is not None}
    if not counted:
        return claim
    try:
        named = _Named(counted).formula(claim)
    except ValueError:  # shapes of unknown rank
        return claim
    return claim if named.variables & rounds else named


def counts_rounds(variables: Iterable[Variable]) -> bool:
    """Whether one of the variables is the number of a loop's round, which no program names."""
    return any(_ROUND in each.name for each in variables)


def _counted_by(round: Variable, trace: Trace) -> tuple[Dim, Dim] | None:
    """The name of what a loop counts, as a size, and what it is in this round."""
    name = round.name.partition(_ROUND)[0]
    for value, held in trace.values.items():
        if value.name == name and isinstance(held, Dim) and _times(held, round):
            return variable(name, None), held
    return None


def _times(size: Dim, variable: Variable) -> int:
    return next((times for monomial, times in size.terms if monomial.factors == ((variable, 1),)), 0)


class _Named(Instantiation):
    def __init__(self, counted: Mapping[Variable, tuple[Dim, Dim]]) -> None:
        super().__init__({})
        self._counted = counted

    def read_size(self, size: Dim) -> Dim:
        found = super().read_size(size)
        for round, (name, value) in self._counted.items():
            times, step = _times(found, round), _times(value, round)
            if times and not times % step and round not in (value - of_atom(round) * step).variables:
                found += (name - value) * (times // step)
        return found
