"""``python -m shapesolve``."""

import sys

from shapesolve.cli import main

sys.exit(main())
