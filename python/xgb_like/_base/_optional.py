# SPDX-License-Identifier: Apache-2.0
"""Libraries that users may have. Importing this package imports none of them.

A user who passes a frame of some library has imported that library, so ``sys.modules`` is enough to recognise it.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

_PACKAGES = {"sklearn": "scikit-learn"}  # where the name to install is another than the one to import


def loaded(name: str) -> Any | None:
    """Return the module if the user's program has imported it, else None."""
    return sys.modules.get(name)


def require(name: str, purpose: str) -> Any:
    """Import a module that one feature needs; the error says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        module = name.partition(".")[0]
        package = _PACKAGES.get(module, module)
        raise ImportError(f"{purpose} needs {package}. Install it with `pip install {package}`.") from error


def is_instance(value: object, module: str, *names: str) -> bool:
    """Whether a value is of one of these classes of a module, which is not imported for asking."""
    library = loaded(module)
    if library is None:
        return False
    classes = tuple(found for name in names if isinstance(found := getattr(library, name, None), type))
    return isinstance(value, classes)
