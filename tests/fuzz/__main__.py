"""``make fuzz``: random trials for some minutes. Goes on where the last run ended, unless a seed is given."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fuzz.campaign import TRIALS, Campaign, reduced


def main() -> int:
    """0: nothing was found. 1: something was; it is written down, and its path is printed."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, help="the first seed; default: go on where the last run ended")
    parser.add_argument("--only", choices=sorted(TRIALS), action="append", help="this trial only (repeatable)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="for the state and the findings")
    parser.add_argument("--reductions", type=int, default=150, help="candidates tried to make a finding smaller")
    given = parser.parse_args()
    campaign = Campaign(given.folder)
    names = given.only or sorted(TRIALS)
    if given.seed is not None:
        for name in names:
            campaign.state.setdefault(name, {})["next seed"] = given.seed
    first = {name: int(campaign.state.get(name, {}).get("next seed", 0)) for name in names}
    print("seeds from " + ", ".join(f"{name} {seed}" for name, seed in first.items()), flush=True)
    total, end, reported_at = 0, time.monotonic() + 60 * given.minutes, time.monotonic()
    try:
        while time.monotonic() < end:
            for finding in campaign.run(campaign.next_trial(names)):
                total += 1
                text = reduced(finding, given.reductions) if given.reductions else finding.text
                path = campaign.keep(finding, text)
                print(
                    f"FOUND {finding.kind}, {finding.trial} seed {finding.seed}: {path}\n  {finding.details}",
                    flush=True,
                )
            if time.monotonic() - reported_at > 30:
                reported_at = time.monotonic()
                campaign.save()
                _tell(campaign, names)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    campaign.save()
    _tell(campaign, names)
    return 1 if total else 0


def _tell(campaign: Campaign, names: list[str]) -> None:
    for name in names:
        mine = campaign.state.get(name, {})
        counts = ", ".join(f"{what} {number:.0f}" for what, number in sorted(mine.items()))
        print(f"{name}: {counts}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
