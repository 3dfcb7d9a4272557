"""The rulebook's own rules: what each operation means, one module per dialect or family, one function per operation.

Importing this package registers every rule. It installs as ``shapesolve.constraints`` and is reached through the
entry-point group ``shapesolve.rules``, the same door that anybody's rules use. Inside, imports are relative.
"""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
