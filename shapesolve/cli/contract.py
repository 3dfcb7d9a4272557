"""``shapesolve contract FILE``: the sizes for which each function is safe."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from shapesolve import __version__
from shapesolve.cli.accepted_program import exit_code_for, open_accepted
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.contracts.attributes import with_contracts
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.deadline import until
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.diagnosis.frameworks import jax_contract, torch_contract
from shapesolve.errors import InputError
from shapesolve.frontends.levels import OWN
from shapesolve.gc_control import collector_paused
from shapesolve.reports.contract import contract_document, print_assumptions, print_contracts
from shapesolve.reports.jax_contract import print_for_jax
from shapesolve.reports.page import Page
from shapesolve.reports.torch_contract import print_for_torch

if TYPE_CHECKING:
    from shapesolve.contracts.contract import ContractReport
    from shapesolve.reports.page import Page


def run(arguments: argparse.Namespace) -> int:
    """Print every function's contract; write the program that states it if requested."""
    with until(arguments.deadline):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    if arguments.form == "jax":  # its sizes are at least 1
        options = replace(options, min_size=max(options.min_size, 1))
    output: str | None = arguments.output
    if arguments.json and arguments.form != "text":
        raise InputError("give one of --json and --as", where="--as")
    if output is not None:
        check_target(output, "-o", inputs=(arguments.file,), force=arguments.force)
    html: str | None = arguments.html
    if html is not None:
        from shapesolve.reports.certificates import HTML_HEADER

        if html == STDOUT and (output == STDOUT or arguments.json or arguments.form != "text"):
            raise InputError("standard output takes one of -o, --json, --as and --html; give --html a file")
        check_target(html, "--html", inputs=(arguments.file,), ours=HTML_HEADER.encode(), force=arguments.force)
    with ProgressBar() as progress, collector_paused():
        opened = open_accepted(arguments.file, options, OWN, writes=output is not None)
        options = opened.options
        report = contracts_of_program(opened.program, options, progress)
        code = exit_code_for(opened.program, report.exit_code)
        text = None if output is None else with_contracts(report, options)
    if output is not None and text is not None:
        write(output, text, "-o")
    # Where the program itself goes to standard output, what is said about it goes to standard error.
    stream = sys.stderr if output == STDOUT else sys.stdout
    if html is not None:
        from shapesolve.reports.contract_html import contract_page

        write(html, contract_page(diagnose_contracts(report)), "--html")
    if html == STDOUT:
        return code
    if arguments.json:
        diagnosis = diagnose_contracts(report, by_obligation=True)
        print(json_text(contract_document(diagnosis, __version__), arguments.json_version), file=stream)
    elif arguments.form != "text":
        _print_as(arguments.form, report, Page(stream, color=arguments.color))
    else:
        page = Page(stream, color=arguments.color)
        print_contracts(diagnose_contracts(report), page, verbose=arguments.verbose)
        if output is not None:
            page.field("written", f"{output}, which states these conditions", indent=0)
    return code


def _print_as(form: str, report: ContractReport, page: Page) -> None:
    """Print contracts as input of another program."""
    if form == "assume":
        print_assumptions(report, page)
    elif form in ("jaxtyping", "pyrefly"):
        from shapesolve.reports.python_annotations import print_annotations

        is_model = report.program.level == "torch"
        print_annotations(report.functions, page, is_pyrefly=form == "pyrefly", is_model=is_model)
    elif form == "torch":
        print_for_torch([torch_contract(each) for each in report.functions], page)
    else:
        print_for_jax([jax_contract(each) for each in report.functions], page)
