# SPDX-License-Identifier: Apache-2.0
"""`_core.pyi` says what the extension has: names, parameters, and types where pybind11 tells simple ones."""

import ast
import re
from pathlib import Path

import pytest

import xgb_like as xgb
from xgb_like import _core

STUB = ast.parse((Path(xgb.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
SIMPLE = r"(list\[)?(int|float|str|bool|bytes|None|DMatrix|Booster|FrozenPredictor)\]?"
NUMBERS = {"SupportsInt": "int", "SupportsFloat": "float"}  # what pybind11 takes for them, and more


def declared(body, owner=""):
    """What the stub declares, by name."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found |= {node.name: node} | declared(node.body, f"{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AnnAssign)):
            found[owner + (node.name if isinstance(node, ast.FunctionDef) else node.target.id)] = node
    return found


def defined(holder, owner=""):
    """What the module has, by name."""
    found = {}
    for name in vars(holder):
        value = getattr(holder, name)
        if name == "__version__" or not name.startswith("_") or (value.__doc__ or "").startswith("__init__(self: "):
            found[owner + name] = value
        if isinstance(value, type) and not name.startswith("_"):
            found |= defined(value, f"{name}.")
    return found


DECLARED, DEFINED = declared(STUB.body), defined(_core)
FUNCTIONS = [name for name, value in DEFINED.items() if callable(value) and not isinstance(value, type)]
FIELDS = [name for name, value in DEFINED.items() if isinstance(value, property)]


def parameters(function):
    """Names, whether they have defaults, and types; the last of them is what is returned."""
    given = [argument for argument in function.args.args if argument.arg != "self"]
    optional = len(given) - len(function.args.defaults)
    types = [simple(node) for node in (*(argument.annotation for argument in given), function.returns)]
    return [argument.arg for argument in given], [i >= optional for i in range(len(given))], types


def simple(annotation):
    """Return a type as text, or None where one of the two says more than the other."""
    text = ast.unparse(annotation).replace("xgb_like._core.", "")
    number = re.match(r"typing\.(SupportsInt|SupportsFloat)\b", text)
    text = NUMBERS[number[1]] if number else text
    return text if re.fullmatch(SIMPLE, text) else None


def test_names():
    assert DECLARED.keys() == DEFINED.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    line = DEFINED[name].__doc__.strip().partition("\n")[0]
    found = parameters(ast.parse(f"def {line}: ...").body[0])
    wanted = parameters(DECLARED[name])
    unnamed = [re.fullmatch(r"arg\d", one) for one in found[0]]
    names = [one if known else two for known, one, two in zip(unnamed, wanted[0], found[0], strict=True)]
    types = [(one, two) for one, two in zip(found[2], wanted[2], strict=True) if one and two]
    assert (names, found[1]) == wanted[:2]
    assert [one for one, _ in types] == [two for _, two in types]


@pytest.mark.parametrize("name", FIELDS)
def test_fields(name):
    assert isinstance(DECLARED[name], ast.AnnAssign) == (DEFINED[name].fset is not None)
