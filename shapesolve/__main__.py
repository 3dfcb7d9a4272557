"""``python -m shapesolve``."""

import sys

from shapesolve.cli.main import main

sys.exit(main())
