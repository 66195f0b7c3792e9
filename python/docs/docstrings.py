# SPDX-License-Identifier: Apache-2.0
"""Constructors and docstrings that are made when a class is: the sources, which the site shows, do not have them."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import griffe


class MadeConstructors(griffe.Extension):  # type: ignore[misc]
    """Takes the docstrings of estimators, and the parameters of their constructors, from the imported classes."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Take what an estimator is made of."""
        if any(decorator.callable_path.endswith(".declare") for decorator in cls.decorators):
            made = getattr(importlib.import_module(cls.module.path), cls.name)
            cls.docstring.value = made.__doc__
            kind = griffe.ParameterKind
            own = list(inspect.signature(made).parameters.values())[:-1]
            named = [griffe.Parameter(one.name, kind=kind.keyword_only, default=repr(one.default)) for one in own]
            parameters = griffe.Parameters(*named, griffe.Parameter("kwargs", kind=kind.var_keyword))
            cls.set_member("__init__", griffe.Function("__init__", parameters=parameters))
