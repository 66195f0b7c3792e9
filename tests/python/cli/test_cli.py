# SPDX-License-Identifier: Apache-2.0
import json
import re
import subprocess
import sys

import pytest

import xgb_like as xgb
from xgb_like import _core
from xgb_like._cli import main
from xgb_like._cli._listings import by_group


def test_params_lists_every_parameter_in_80_columns(capsys):
    assert main(["params"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^learning_rate, eta\n    float >= 0; default 0.3\n    \w", text, re.MULTILINE)
    for spec in _core.param_specs():
        assert re.search(rf"^{', '.join([spec['name'], *spec['aliases']])}\n    ", text, re.MULTILINE), spec["name"]
    assert "binary:logistic" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_params_as_json(capsys):
    assert main(["params", "--json"]) == 0
    listing = json.loads(capsys.readouterr().out)
    assert listing["parameters"] == _core.param_specs()
    assert {"objectives", "metrics", "without_effect"} <= set(listing)


def test_params_of_some_names(capsys):
    assert main(["params", "eta", "max_depth", "rate_drop", "gpu_id"]) == 0
    text = capsys.readouterr().out
    assert "learning_rate" in text
    assert "max_depth" in text
    assert "rate_drop\n    float >= 0 and <= 1; default 0" in text
    assert "subsample" not in text
    assert "gpu_id: has no effect" in text


def test_huge_bounds_are_not_written_digit_by_digit(capsys):
    assert main(["params", "aft_loss_distribution_scale", "num_class"]) == 0
    text = capsys.readouterr().out
    assert "float >= 1e-30 and <= 1e30; default 1" in text
    assert "int >= 0 and <= 1048576; default 0" in text


def test_a_group_of_parameters_without_a_title_is_not_hidden():
    (spec,) = [spec for spec in _core.param_specs() if spec["name"] == "max_depth"]
    assert list(by_group([{**spec, "group": "new"}])) == [("New", [{**spec, "group": "new"}])]


@pytest.mark.parametrize(("wrong", "right"), [("max_dpeth", "max_depth"), ("rate_drpo", "rate_drop")])
def test_params_of_an_unknown_name(capsys, wrong, right):
    assert main(["params", "eta", wrong]) == 1
    assert f"Did you mean `{right}`?" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "name"), [("objectives", "binary:logistic"), ("metrics", "rmse")])
def test_plug_ins_are_listed(capsys, kind, name):
    assert main([kind]) == 0
    text = capsys.readouterr().out
    assert re.search(rf"^{name}.*\n    \w", text, re.MULTILINE)
    assert max(len(line) for line in text.splitlines()) <= 80


def test_metrics_tell_which_way_is_better(capsys):
    assert main(["metrics", "auc", "rmse", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["maximize"]) for row in rows] == [("auc", True), ("rmse", False)]
    assert main(["metrics", "auc"]) == 0
    assert "More is better." in capsys.readouterr().out


def test_an_unknown_metric_is_told(capsys):
    assert main(["metrics", "rsme"]) == 1
    assert "no metrics named rsme" in capsys.readouterr().err


def test_version(capsys):
    assert main(["version"]) == 0
    assert capsys.readouterr().out.startswith(f"xgb-like {xgb.__version__}\n")


@pytest.mark.parametrize("rows", ["100", "401"])
def test_demo_goes_the_whole_way(capsys, rows):
    assert main(["demo", "--rows", rows, "--rounds", "10", "--nthread", "1"]) == 0
    text = capsys.readouterr().out
    assert "equal, bit for bit" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_demo_learns_something(capsys):
    assert main(["demo", "--rows", "2000", "--rounds", "20"]) == 0
    text = capsys.readouterr().out
    wrong, guess = map(float, re.search(r"wrong +([\d.]+) %.*: ([\d.]+) %", text).groups())
    assert wrong < guess / 1.5
    assert "debt" in text


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["train"],
        ["predict", "model.ubj"],
        ["demo", "--rows", "99"],
        ["demo", "--rows", "many"],
        ["demo", "--seed", "-1"],
        ["train", "data.csv", "--seed", "-1"],
    ],
)
def test_wrong_arguments_end_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: xgb-like" in capsys.readouterr().err


def test_help_tells_the_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert re.search(r"exit codes: 0 .* 1 .* 2 .*130 after Ctrl-C", said, re.DOTALL)
    assert max(len(line) for line in said.splitlines()) <= 100


def test_ctrl_c_ends_with_130(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("xgb_like._cli._listings.by_group", interrupted)
    assert main(["params"]) == 130
    assert capsys.readouterr().err == "xgb-like: interrupted\n"


def test_the_package_runs_as_the_command():
    command = [sys.executable, "-m", "xgb_like", "predict", "absent.ubj", "absent.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("xgb-like: ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_pipe_is_no_error():
    command = f"'{sys.executable}' -m xgb_like params | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["/bin/bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
