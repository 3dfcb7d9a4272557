"""``shapesolve check``: every obligation of some files with its verdict."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from shapesolve.cli.baseline_file import name_in_baseline, read_baseline
from shapesolve.cli.checked_files import STDIN, CheckElsewhere, folder, reports
from shapesolve.cli.configuration import read
from shapesolve.cli.documents import Documents
from shapesolve.cli.file_discovery import find_sources
from shapesolve.cli.file_progress import FileProgress
from shapesolve.cli.finding_filter import Selection, check_codes
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.rendered_report import RenderedReport
from shapesolve.cli.report_cache import open_cache
from shapesolve.cli.summary_table import Summary
from shapesolve.cli.supervisor import Terminated
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.reports.finding_formats import STREAMED, streamed_text

REFUTED, UNUSABLE, UNDECIDED, INTERRUPTED = 1, 2, 3, 130


def run(arguments: argparse.Namespace) -> int:
    """Check the files, print the reports and return the exit code."""
    find_files(arguments)
    options = options_of(arguments)
    prepare_findings(arguments)
    if arguments.fail_on.wraps and not arguments.check_wraps:
        raise InputError("nothing looks for operations that wrap without --check-wraps", where="--fail-on")
    _refuse_what_a_fleet_cannot(arguments)
    _refuse_bad_targets(arguments, options)
    printed = STDOUT not in (arguments.json, arguments.sarif, arguments.html) and arguments.format == "full"
    with closing(Documents(arguments)) as documents:
        return _checked(arguments, options, documents, printed=printed)


def _checked(arguments: argparse.Namespace, options: Options, documents: Documents, *, printed: bool) -> int:
    several = len(arguments.files) > 1
    cache = open_cache(arguments, several=several)
    arguments.is_cached = cache is not None
    summary = Summary()
    progress = FileProgress(summary, len(arguments.files), wanted=several)
    kept: list[tuple[int, RenderedReport]] = []
    codes: list[int] = []
    stopped: KeyboardInterrupt | Terminated | None = None
    try:
        elsewhere = _fleet(arguments)
        every = reports(arguments, options, printed=printed, tick=progress.update, cache=cache, elsewhere=elsewhere)
        with closing(every) as found:
            for number, each in found:
                summary.add(number, each.tally, each.seconds, reused=each.is_reused)
                with progress.cleared():
                    _print(each, first=not codes or arguments.quiet or each.continues)
                    _stream(each, arguments.format)
                codes.append(each.code)
                documents.add(each)
                if arguments.reproducer is not None or arguments.certify is not None:
                    kept.append(
                        (number, replace(each, text="", object=None, sarif=None, findings=None, html=None, layouts={}))
                    )
                progress.update()
    except (KeyboardInterrupt, Terminated) as signaled:  # what is done is kept
        if not several:
            raise
        stopped = signaled
    code = combined_exit_code(codes) if stopped is None else exit_code_when_stopped(stopped)
    if arguments.exit_zero and code in (REFUTED, UNDECIDED):
        code = 0
    with progress.cleared():
        documents.write(code)
        if arguments.reproducer is not None:
            _write_reproducer(kept, arguments.files, arguments.reproducer)
        if arguments.certify is not None:
            _write_certificates(kept, arguments.files, arguments.certify, quiet=not printed or arguments.quiet)
        if several:
            sys.stdout.flush()
            print(summary.text(len(arguments.files), progress.seconds, quiet=arguments.quiet), file=sys.stderr)
    if stopped is not None:
        raise stopped
    return code


def prepare_findings(arguments: argparse.Namespace) -> None:
    """Turn the options on findings into a selection, and a format of a document into its option."""
    arguments.configuration = None if arguments.config is None or arguments.no_config else read(arguments.config)
    select = [code for each in arguments.select for code in each.split(",")]
    ignore = [code for each in arguments.ignore for code in each.split(",")]
    has_own_rules = bool(arguments.rules or arguments.library)
    of_files = arguments.configuration.per_file if arguments.configuration is not None else ()
    for each in of_files:
        for code, place in zip(each.ignore, each.places_of("ignore"), strict=True):
            check_codes([code], place, has_own_rules=has_own_rules)
    check_codes(select, "--select", has_own_rules=has_own_rules)
    check_codes(ignore, "--ignore", has_own_rules=has_own_rules)
    known = None
    arguments.names = {}
    if arguments.baseline is not None:
        known = read_baseline(arguments.baseline)
        arguments.names = {file: name_in_baseline(file, arguments.baseline) for file in arguments.files}
    arguments.selection = Selection(tuple(select), tuple(ignore), known)
    if arguments.format in ("json", "sarif"):
        if getattr(arguments, arguments.format) is not None or STDOUT in (arguments.json, arguments.sarif):
            raise InputError("give one of --format, --json and --sarif for standard output", where="--format")
        setattr(arguments, arguments.format, STDOUT)
    elif arguments.format != "full" and STDOUT in (arguments.json, arguments.sarif, arguments.html):
        raise InputError("standard output takes one report; give --json, --sarif or --html a file", where="--format")


def _stream(report: RenderedReport, format_: str) -> None:
    if format_ in STREAMED and format_ != "full" and report.findings is not None:
        sys.stdout.write(streamed_text(format_, report.findings))
        sys.stdout.flush()


def find_files(arguments: argparse.Namespace) -> None:
    """Replace directories and patterns by the files in them, and Python files by their functions."""
    from shapesolve.frontends.python_files import models_in

    sources = find_sources(arguments.files, arguments.exclude, gitignore=arguments.gitignore)
    arguments.files = [each for source in sources for each in models_in(source.name, arguments.inputs)]
    arguments.is_only_file = len(arguments.files) == 1
    arguments.searched = frozenset(each.name for each in sources if each.searched)


def _print(report: RenderedReport, *, first: bool) -> None:
    if report.failed:
        sys.stdout.flush()
        sys.stderr.write(report.text)
    elif report.text:
        sys.stdout.write(report.text if first else f"\n{report.text}")
        sys.stdout.flush()  # whoever reads a log sees each report when it is done


def exit_code_when_stopped(request: KeyboardInterrupt | Terminated) -> int:
    """Return the exit code of a command that was interrupted or terminated before it was done."""
    return request.code if isinstance(request, Terminated) else INTERRUPTED


def combined_exit_code(codes: Sequence[int]) -> int:
    """Return one exit code for several files: 2 beats 1, 1 beats 3, 3 beats 0."""
    return next((code for code in (UNUSABLE, REFUTED, UNDECIDED) if code in codes), 0)


def _fleet(arguments: argparse.Namespace) -> CheckElsewhere | None:
    if arguments.scheduler is None:
        return None
    from shapesolve.cli.fleet import check_on_fleet

    return check_on_fleet


def _refuse_what_a_fleet_cannot(arguments: argparse.Namespace) -> None:
    for option, value in (("--stats", arguments.stats), ("--dump-queries", arguments.dump_queries)):
        if arguments.scheduler is not None and value:
            raise InputError(f"{option} is about this process and cannot be combined with it", where="--scheduler")


def _refuse_bad_targets(arguments: argparse.Namespace, options: Options) -> None:
    from shapesolve.reports.certificates import CHECK, HTML_HEADER, SARIF_SCHEMA

    if (arguments.json, arguments.sarif, arguments.html).count(STDOUT) > 1:
        raise InputError("standard output takes one of --json, --sarif and --html; give the others a file")
    if arguments.files.count(STDIN) > 1:
        raise InputError("standard input can be read once only", where="-")
    for path, option, ours in ((arguments.json, "--json", CHECK), (arguments.sarif, "--sarif", SARIF_SCHEMA)):
        if path is not None:
            check_target(path, option, inputs=arguments.files, ours=ours.encode(), force=arguments.force)
    if arguments.html is not None:
        check_target(arguments.html, "--html", inputs=arguments.files, ours=HTML_HEADER.encode(), force=arguments.force)
    if arguments.reproducer is not None:
        check_target(arguments.reproducer, "--reproducer", inputs=arguments.files, force=arguments.force)
    _refuse_one_file_for_two_reports(arguments)
    if options.dump_directory is not None:
        try:
            options.dump_directory.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = f": {error.strerror}" if isinstance(error, OSError) else f": {error}"
            if isinstance(error, FileExistsError | NotADirectoryError):
                reason = " is not a directory"
            raise InputError(f"{options.dump_directory}{reason}", where="--dump-queries") from None
    if arguments.certify is not None:
        from shapesolve.cli.output_files import check_directory

        check_directory(arguments.certify, force=arguments.force)


def _refuse_one_file_for_two_reports(arguments: argparse.Namespace) -> None:
    taken: dict[str, str] = {}
    for option in ("json", "sarif", "html", "reproducer"):
        path = getattr(arguments, option)
        if path not in (None, STDOUT) and (other := taken.setdefault(os.path.realpath(path), option)) != option:
            raise InputError(f"the same file is given to --{other}", where=f"--{option}")


def _write_reproducer(reports: Sequence[tuple[int, RenderedReport]], files: Sequence[str], path: str) -> None:
    from shapesolve.cli.reproducer_script import script
    from shapesolve.frontends.open import model_in

    for number, each in reports:
        source = model_in(files[number])
        if each.failing_call is not None and source is not None:
            write(path, script(source, *each.failing_call), "--reproducer")
            return
    print(f"no call of a model of PyTorch was seen to raise, and so {path} is not written", file=sys.stderr)


def _write_certificates(
    reports: Sequence[tuple[int, RenderedReport]], files: Sequence[str], place: Path, *, quiet: bool
) -> None:
    from shapesolve.cli.output_files import write_certificates

    alone = len(reports) == 1
    groups = [
        ("" if alone else folder(number, files) + (f"-{each.level}" if each.level else ""), each.certificates)
        for number, each in reports
        if each.certificates is not None
    ]
    write_certificates(place, [(folder, some) for folder, some in groups if some])
    if quiet:
        return
    proofs = sum(each.is_proof for _, some in groups for each in some)
    print()
    if proofs:
        print(f"{proofs} proofs are in {place}; another solver confirms them: shapesolve certify {place}")
    else:
        print(f"nothing was proved, and so there is no certificate in {place}")
