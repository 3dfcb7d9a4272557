"""Diagnosis of contracts: requirements on data that no condition on sizes meets, and the assumptions to list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.diagnosis.assumptions import listed_assumptions, shortened_trust
from shapesolve.diagnosis.data_requirements import data_requirement
from shapesolve.diagnosis.signature import Signature, signature
from shapesolve.diagnosis.suggestions import UnlessEmptyTexts, unless_empty_texts
from shapesolve.interpreter.inputs import scope_of
from shapesolve.records import record
from shapesolve.statistics import stage
from shapesolve.trace.events import Fact
from shapesolve.trace.trust import ModelingAssumption


@record
class ContractDiagnosis:
    """Diagnosis of the contract of one function.

    Attributes:
        contract: The conditions.
        assumptions: Stated assumptions on the inputs that ``trust`` does not list.
        trust: All modeling assumptions of the verdicts, without claims that follow from others.
        data: Requirements on data, each with the first obligation that it covers; those on one tensor are joined.
        data_requirements: The requirements on data by obligation.
        signature: The conditions written into the shapes of the arguments and results, where they are enough.
        unless_empty: The conditions with the case of empty tensors told apart.
    """

    contract: FunctionContract
    assumptions: tuple[Fact, ...] = ()
    trust: tuple[ModelingAssumption, ...] = ()
    data: tuple[tuple[CheckedObligation, str], ...] = ()
    data_requirements: Mapping[CheckedObligation, str] = field(default_factory=dict[CheckedObligation, str])
    signature: Signature | None = None
    unless_empty: UnlessEmptyTexts = UnlessEmptyTexts({})


@record
class ContractsDiagnosis:
    """Diagnosis of the contracts of one program, with its functions in order."""

    report: ContractReport
    functions: tuple[ContractDiagnosis, ...]


@stage("diagnose")
def diagnose_contracts(report: ContractReport, *, by_obligation: bool = False) -> ContractsDiagnosis:
    """Compute the data that reports on contracts show.

    Args:
        by_obligation: Whether to compute the requirements on data by obligation and nothing else, as JSON shows
            them, instead of the parts that the text shows.
    """
    return ContractsDiagnosis(report, tuple(_diagnose_contract(each, by_obligation) for each in report.functions))


def _diagnose_contract(contract: FunctionContract, by_obligation: bool) -> ContractDiagnosis:
    on_data = [each for each in contract.open if each.is_about_data]
    if by_obligation:
        demands = {each: data_requirement(contract.verified, [each]).text for each in on_data}
        return ContractDiagnosis(contract, data_requirements=demands, signature=_signature(contract))
    assumptions, trust = listed_assumptions(contract.report), shortened_trust(contract.report)
    known = [fact.formula for fact in contract.report.assumptions]
    short = {each.text: each.formula for each in contract.conditions if not each.sufficient}
    return ContractDiagnosis(
        contract,
        tuple(assumptions),
        tuple(trust),
        _joined(contract, on_data),
        signature=_signature(contract),
        unless_empty=unless_empty_texts(short, known, scope_of(contract.report.trace)),
    )


def _signature(contract: FunctionContract) -> Signature | None:
    if not contract.sufficient or contract.report.contradiction:
        return None
    return signature(contract.report.trace, [each.formula for each in contract.conditions])


def _joined(
    contract: FunctionContract, on_data: Sequence[CheckedObligation]
) -> tuple[tuple[CheckedObligation, str], ...]:
    """Return the requirements on data, one for the claims on the elements of one tensor."""
    found: list[tuple[CheckedObligation, str]] = []
    left = list(on_data)
    while left:
        demand = data_requirement(contract.verified, left)
        found.append((left[0], demand.text))
        left = left[demand.covered :]
    return tuple(found)
