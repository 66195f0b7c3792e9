"""The rules of CONTRIBUTING.md that a text search can check."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CPP = ROOT / "cpp"
PACKAGE = ROOT / "python" / "xgb_like"
MAX_LINES = 500
MAX_FILES = 45

LAYERS = [*re.search(r"set\(XGBL_LAYERS ([^)]*)\)", (CPP / "CMakeLists.txt").read_text())[1].split(), "bindings"]


def files(folder, *suffixes):
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


ENGINE = files("cpp", ".cc", ".h", ".inl")
SOURCES = [path for folder in ("cpp", "python", "tests", "bench") for path in files(folder, ".cc", ".h", ".inl", ".py")]


def breaches(pattern, *allowed):
    """`file:line` of every match in the engine outside of the allowed folders and files."""
    names = [(path.relative_to(CPP).as_posix(), path.read_text()) for path in ENGINE]
    return [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}"
        for name, text in names
        if not name.startswith(allowed)
        for match in re.finditer(pattern, text, re.MULTILINE)
    ]


def test_every_source_stands_in_a_layer():
    assert {path.relative_to(CPP).parts[:-1] for path in ENGINE} <= {(layer,) for layer in LAYERS}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_includes_only_itself_and_earlier_ones(layer):
    later = "|".join(LAYERS[LAYERS.index(layer) + 1 :]) or "(?!)"
    upward = [breach for breach in breaches(rf'^#include "({later})/') if breach.startswith(f"{layer}/")]
    assert not upward


def python_layers():
    """The packages of CONTRIBUTING.md's table in its order: each imports from itself and those above it."""
    return re.findall(r"^\| `(_\w+)/` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)


def module_name(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in files("python/xgb_like", ".py")}


def imports(module):
    """The modules of the package that a module imports, also within functions; not those that only types name."""
    tree = ast.parse(MODULES[module].read_text())
    typing = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    unseen = {inner for node in typing for inner in ast.walk(node)}
    package = module.split(".") if MODULES[module].stem == "__init__" else module.split(".")[:-1]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node not in unseen:
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            found |= {name if (name := f"{base}.{alias.name}") in MODULES else base for alias in node.names}
    return found & set(MODULES) - {module, "xgb_like"}


def test_every_module_stands_at_the_top_or_in_a_layer():
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in MODULES.values()}
    assert folders == {".", *python_layers()}
    tests = {path.parent.relative_to(ROOT / "tests" / "python").as_posix() for path in files("tests/python", ".py")}
    assert {f"_{folder}" for folder in tests - {".", "engine"}} <= folders


@pytest.mark.parametrize("layer", python_layers())
def test_a_package_imports_only_itself_and_earlier_ones(layer):
    layers = python_layers()
    allowed = tuple(f"xgb_like.{name}." for name in layers[: layers.index(layer) + 1])
    own = [module for module in MODULES if module.startswith(f"xgb_like.{layer}.")]
    assert [(module, name) for module in own for name in sorted(imports(module)) if not name.startswith(allowed)] == []


def test_no_module_imports_itself_by_way_of_others():
    graph = {module: imports(module) for module in MODULES}
    while leaves := [module for module, needs in graph.items() if not needs & graph.keys()]:
        for module in leaves:
            del graph[module]
    assert graph == {}


def test_no_room_is_crowded():
    rooms = [path.parent.relative_to(ROOT).as_posix() for path in SOURCES]
    crowded = {room: rooms.count(room) for room in rooms if rooms.count(room) > MAX_FILES}
    assert not crowded


def test_includes_name_their_layer():
    assert not breaches(rf'^#include "(?!({"|".join(LAYERS)})/)')


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [
        pytest.param(
            r"#pragma omp|\bomp_\w+\(|\bstd::(thread\b(?!::id)|async\()|<(omp|pthread)\.h>",
            ("parallel/",),
            id="threads",
        ),
        pytest.param(r"\w*intrin\.h>|\b_mm\d*_|\btarget(_clones)?\(|#pragma (GCC|clang)", ("simd/",), id="SIMD"),
        pytest.param(r"\bnlohmann\b", ("model/json.cc",), id="nlohmann-json"),
        pytest.param(r"\bpybind11\b|<Python\.h>", ("bindings/",), id="pybind11"),
        pytest.param(
            r"\b(printf|puts|exit|abort)\(|\bstd::(cout|cerr|clog)\b", ("nowhere",), id="printing and exiting"
        ),
    ],
)
def test_a_tool_is_used_in_one_place(pattern, allowed):
    assert not breaches(pattern, *allowed)


def test_every_source_is_tested_in_its_room():
    """By a test file of its name, or by one that names it at its top. Plug-ins must keep the laws of their kind."""
    tested = {"simd/shap_kernels.cc"}  # it takes the steps of a tree, which `explain` makes
    for path in files("tests/cpp", ".cc"):
        named = re.findall(r"\w+(?<!_test)\.cc", path.read_text().partition("\n#include")[0])
        tested |= {f"{path.parent.name}/{name}" for name in [*named, path.name.replace("_test.cc", ".cc")]}
    sources = {path for path in ENGINE if path.suffix == ".cc" and path.parent.name != "bindings"}
    alone = [path.relative_to(CPP).as_posix() for path in sources if "Register<" not in path.read_text()]
    assert set(alone) - tested == set()


def test_only_registries_are_mutable_globals():
    # Google style does not indent within namespaces: what starts a line stands at namespace scope.
    variable = r"(?!.*\bconst(expr)?\b)(?!using|namespace|return|struct|class|enum|template)[A-Za-z_][^()=;{\n]*"
    initialiser = r"( = [^\n]*|\{[^\n]*\})?;$"
    assert not breaches(rf"^{variable} \w+{initialiser}", "parallel/")
    assert not breaches(
        rf"^ +(static|thread_local) {variable} \w+{initialiser}", "base/registry.h", "bindings/module.cc"
    )


@pytest.mark.parametrize("layer", LAYERS)
def test_files_of_a_layer_share_no_name(layer):
    """Unity builds compile a layer as one file."""
    named = r"^(?:(?:struct|class|enum class) |(?! ).*\bconst(?:expr)? (?:[\w:]+ )?)(\w+)(?: : [^\n]*|\[\w*\])? ?[={]"
    texts = [path.read_text() for path in (CPP / layer).glob("*.cc")]
    names = [name for text in texts for name in set(re.findall(named, text, re.MULTILINE))]
    assert {name for name in names if names.count(name) > 1} == set()


def test_types_of_different_files_have_different_names():
    """But for those of anonymous namespaces: a linker would take one of both for the other."""
    homes = {}
    for path in ENGINE:
        shared = re.sub(r"^namespace \{$.*?^\}  // namespace$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for name in re.findall(r"^(?:class|struct|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{", shared, re.MULTILINE):
            homes.setdefault(name, set()).add(path.relative_to(CPP).as_posix())
    assert {name: sorted(places) for name, places in homes.items() if len(places) > 1} == {}


def test_no_file_is_long():
    lengths = {path.relative_to(ROOT).as_posix(): path.read_text().count("\n") for path in SOURCES}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def test_cpp_files_open_with_the_licence():
    unmarked = [path for path in SOURCES if path.suffix != ".py" and not path.read_text().startswith("// SPDX-License")]
    assert not unmarked


def exported(tree):
    """The value of `__all__`, None without one."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["__all__"]:
            return ast.literal_eval(node.value)
    return None


@pytest.mark.parametrize(
    "path", [path for path in files("python/xgb_like", ".py") if path.stem[:2] != "__"], ids=lambda path: path.stem
)
def test_public_modules_say_what_is_public(path):
    names = exported(ast.parse(path.read_text()))
    assert names == sorted(names) if names is not None else path.stem.startswith("_")


def test_the_package_exports_all_that_it_imports():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    imported = {
        name.asname or name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names
    }
    names = exported(tree)
    assert names == sorted(names)
    lazy = {"sklearn"} | {name for name in names if name.startswith("XGB")}
    assert {name for name in imported if not name.startswith("_")} | {"__version__"} | lazy == set(names)
