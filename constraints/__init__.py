"""The rulebook's own rules: what each operation means, one module or folder per dialect, one function per operation.

Importing this package registers every rule. It installs as ``shapesolve.constraints`` and is reached through the
entry-point group ``shapesolve.rules``, the same door that anybody's rules use. Inside, imports are relative.
"""

import importlib
import pkgutil

for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
