"""The one task runner: `nox -l` lists the sessions, `nox` runs those that every change must pass."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from zipfile import ZipFile

import nox

nox.needs_version = ">=2025.2.9"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "cpp", "tests"]

PROJECT = nox.project.load_toml("pyproject.toml")
BUILD_TOOLS = ["cmake>=3.25", "ninja", *PROJECT["build-system"]["requires"]]
LINTERS = PROJECT["project"]["optional-dependencies"]["lint"]
OPTIONAL = ["pandas", "polars", "pyarrow", "scipy", "sklearn", "plot", "onnx"]
MAX_WHEEL_BYTES = 3_000_000


def workflow(session: nox.Session, preset: str) -> None:
    """Configure, build and, where there are tests, test a preset of CMakePresets.json."""
    session.install(*BUILD_TOOLS)
    session.run("cmake", "--workflow", "--preset", preset)


def installed_from_here(*modules: str) -> bool:
    """Whether nox runs where this folder is installed by `pip install -e`, and where there are these modules."""
    package = importlib.util.find_spec("xgb_like")
    is_ours = package is not None and Path(package.origin or "").is_relative_to(Path.cwd())
    return is_ours and all(importlib.util.find_spec(name) for name in modules)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style and types; `nox -s lint -- --fix` mends what can be mended."""
    session.install(*LINTERS, "nox", *PROJECT["project"]["dependencies"])
    fix = "--fix" in session.posargs
    sources = sorted(
        str(path)
        for folder in ("cpp", "tests", "bench")
        for path in Path(folder).rglob("*.[chi]*")
        if path.suffix in {".cc", ".h", ".inl"}
    )
    session.run("clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *sources)
    session.run("ruff", "format", *([] if fix else ["--check"]))
    session.run("ruff", "check", *(["--fix"] if fix else []))
    session.run("mypy")


@nox.session
def cpp(session: nox.Session) -> None:
    """Build the engine and run the C++ tests; arguments are presets, such as `-- release`."""
    for preset in session.posargs or ["default"]:
        workflow(session, preset)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the C++ tests under sanitizers; arguments choose among `asan` and `tsan`."""
    for preset in session.posargs or ["asan", "tsan"]:
        workflow(session, preset)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Run the fuzz targets, one after the other, for some seconds in all: 600, or the argument."""
    seconds = int(session.posargs[0]) if session.posargs else 600
    session.install(*BUILD_TOOLS)
    session.run("cmake", "--preset", "asan")
    session.run("cmake", "--build", "--preset", "asan")
    targets = sorted(path for path in Path("build/asan/tests/fuzz").glob("*_fuzz") if os.access(path, os.X_OK))
    if not targets:
        session.error("No fuzz target was built")
    corpus = Path("build/asan/corpus")
    session.run("python", "tests/fuzz/seed_corpus.py", str(corpus))
    share = max(seconds // len(targets), 1)
    limits = [f"-max_total_time={share}", "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0", "-print_final_stats=1"]
    leaks = {"LSAN_OPTIONS": "suppressions=tests/cpp/leaks.txt:print_suppressions=0"}
    for target in targets:
        session.run(str(target), str(corpus / target.name), *limits, external=True, env=leaks)


@nox.session
def tidy(session: nox.Session) -> None:
    """Run clang-tidy over the engine and the Python module."""
    session.install(*LINTERS)
    workflow(session, "tidy")


@nox.session
def tests(session: nox.Session) -> None:
    """Install the package as a user would and run the Python tests; arguments go to pytest."""
    session.install(".[all,test,peers]")
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python="3.10")
def lowest(session: nox.Session) -> None:
    """Run the Python tests with the oldest Python and the oldest libraries that are promised."""
    optional = PROJECT["project"]["optional-dependencies"]
    promised = [*PROJECT["project"]["dependencies"], *optional["test"]]
    promised += [need for name in OPTIONAL for need in optional[name]]
    oldest = Path(session.create_tmp()) / "oldest.txt"
    oldest.write_text("\n".join(f"{need.replace('>=', '==')}.*" for need in promised), encoding="utf-8")
    session.install("-c", str(oldest), ".[all,test,peers]")
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session
def coverage(session: nox.Session) -> None:
    """Run the Python tests and show which lines they miss."""
    session.install(".[all,test,peers]", "pytest-cov")
    session.run("pytest", "--cov", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure against peers: `nox -s bench -- exact`."""
    session.install(".[bench]")
    session.run("python", "-m", "bench.compare", *(session.posargs or ["exact"]))


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into build/docs; open its index.html. What is compiled already is used."""
    python = sys.executable
    if not installed_from_here("mkdocs", "material", "mkdocstrings_handlers"):
        python = "python"
        session.install(*BUILD_TOOLS)
        session.install("--no-build-isolation", ".[docs]")  # compiles what has changed since the last time
    session.run(python, "-m", "mkdocs", "build", "--strict", "-f", "python/docs/mkdocs.yml", *session.posargs)


@nox.session
def dist(session: nox.Session) -> None:
    """Build the source archive and, from it, the wheel; check the wheel's size and that only the package is in it."""
    session.install("build")
    session.run("python", "-m", "build")
    wheel = max(Path("dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    stray = [name for name in ZipFile(wheel).namelist() if not name.startswith("xgb_like")]
    if stray:
        session.error(f"The wheel has more than the package: {', '.join(stray)}")
    size = wheel.stat().st_size
    session.log(f"{wheel.name}: {size:,} bytes")
    if size > MAX_WHEEL_BYTES:
        session.error(f"The wheel is above {MAX_WHEEL_BYTES:,} bytes")
