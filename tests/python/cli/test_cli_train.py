# SPDX-License-Identifier: Apache-2.0
"""What `xgb-like train` makes of objectives, boosters and parameters, and what the other commands make of that."""

import csv
import json
import re

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main


def write(name, header, rows):
    with open(name, "w", newline="", encoding="utf-8") as stream:  # noqa: PTH123
        csv.writer(stream).writerows([header, *rows])


def lines(text):
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.filterwarnings("ignore:XGBoost does not have the objective")
@pytest.mark.parametrize("objective", ["reg:absoluteerror", "count:poisson", "poisson", "binary:crossentropy"])
def test_a_given_objective_decides_the_task(folder, capsys, objective):
    assert folder
    values = [0, 1] if objective == "binary:crossentropy" else [10, 30] if objective[0] == "r" else [0, 1, 2, 3, 4, 5]
    write("data.csv", ("x", "y"), [(i % len(values), values[i % len(values)]) for i in range(240)])
    assert main(["train", "data.csv", "-p", f"objective={objective}", "--rounds", "200"]) == 0
    assert f"task         regression: by the objective {objective}" in capsys.readouterr().out
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    found = [float(row["prediction"]) for row in lines(capsys.readouterr().out)[: len(values)]]
    np.testing.assert_allclose(found, values, atol=0.5)


@pytest.mark.filterwarnings("ignore:XGBoost does not have the objective")
def test_classes_and_queries_of_a_given_objective(folder, capsys):
    assert folder
    write("data.csv", ("x", "y"), [(i % 3, "abc"[i % 3]) for i in range(120)])
    assert main(["train", "data.csv", "-p", "objective=multi:ova", "--rounds", "9", "-q"]) == 0
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    assert [row["prediction"] for row in lines(capsys.readouterr().out)[:3]] == ["a", "b", "c"]
    assert main(["train", "data.csv", "-p", "objective=rank:map"]) == 1
    assert "name their column by --query" in capsys.readouterr().err


def test_an_objective_of_several_outputs_has_metrics_of_its_own(folder, capsys):
    assert folder
    write("data.csv", ("x", "y"), [(i % 5, i % 5 + i / 100) for i in range(100)])
    options = ["-p", "objective=reg:quantileerror", "-p", "quantile_alpha=[0.1,0.9]", "--rounds", "3", "-q"]
    assert main(["train", "data.csv", *options]) == 0
    assert main(["evaluate", "model.ubj", "data.csv", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"rows", "quantile"}


def test_a_margin_is_no_probability(folder, capsys):
    assert folder
    write("data.csv", ("x", "y"), [(i % 2, i % 4 % 3 % 2) for i in range(100)])
    assert main(["train", "data.csv", "-p", "objective=binary:logitraw", "--rounds", "1", "-q"]) == 0
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    found = lines(capsys.readouterr().out)
    assert list(found[0]) == ["prediction", "margin"]
    assert all((float(row["margin"]) > 0) == (row["prediction"] == "1") for row in found)


def test_the_label_is_found_by_its_name(folder, capsys):
    assert folder
    write("data.csv", ("y", "__label__", "x"), [(i, i % 2, i % 5) for i in range(60)])
    assert main(["train", "data.csv", "--rounds", "2"]) == 0
    assert "label        __label__: 0 50.0 %, 1 50.0 % (--label for another)" in capsys.readouterr().out


@pytest.mark.filterwarnings("always")
def test_a_warning_of_parameters_comes_once(folder, capsys):
    assert folder
    write("data.csv", ("x", "y"), [(i, i % 7 + 0.5) for i in range(50)])
    assert main(["train", "data.csv", "--rounds", "2", "-p", "gpu_id=0"]) == 0
    assert capsys.readouterr().err.count("gpu_id") == 1


def test_threads_and_seed_are_taken_once_under_any_name(folder, capsys):
    assert folder
    write("data.csv", ("x", "y"), [(i, i % 7 + 0.5) for i in range(50)])
    assert main(["train", "data.csv", "--rounds", "2", "-p", "n_jobs=1", "-p", "random_state=5"]) == 0
    said = capsys.readouterr().out
    assert "n_jobs=1, random_state=5\n" in said
    assert "seed=" not in said


@pytest.mark.parametrize("booster", ["gblinear", "dart"])
def test_boosters_that_cannot_be_cut_back_are_trained_up_to_the_best_round(folder, capsys, booster):
    assert folder
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(150, 30))
    write(
        "data.csv", [*(f"x{i}" for i in range(29)), "y"], np.column_stack([cells[:, :29], cells[:, 0] + cells[:, 29]])
    )
    write("valid.csv", [*(f"x{i}" for i in range(29)), "y"], np.column_stack([cells[:, :29], cells[:, 0]])[:50])
    options = ["-p", f"booster={booster}", "-p", "rate_drop=0.5"][: 2 if booster == "gblinear" else 4]
    assert main(["train", "data.csv", *options, "--early-stopping", "5", "--nthread", "1"]) == 0
    said = capsys.readouterr().out
    rounds = int(re.search(r"after round (\d+), the best", said).group(1))
    assert f"trained again up to round {rounds}" in said
    assert (
        main(["train", "data.csv", *options, "--early-stopping", "0", "--rounds", str(rounds), "-q", "-o", "b.ubj"])
        == 0
    )
    assert (folder / "b.ubj").read_bytes() == (folder / "model.ubj").read_bytes()
    for command in (["predict", "model.ubj", "data.csv"], ["evaluate", "model.ubj", "data.csv"], ["dump", "model.ubj"]):
        assert main(command) == 0


def test_a_linear_model_has_weights_and_no_other_importance(folder, capsys):
    assert folder
    write("data.csv", ("a", "b", "y"), [(i, i % 5, 2 * i) for i in range(50)])
    assert main(["train", "data.csv", "-p", "booster=gblinear", "-q"]) == 0
    assert main(["explain", "model.ubj"]) == 0
    assert capsys.readouterr().out.startswith("Weights of the features")
    assert main(["explain", "model.ubj", "--importance", "cover"]) == 1
    assert "`--importance` is about splits of trees" in capsys.readouterr().err


@pytest.mark.parametrize("labels", [["0", "1", "2"], ["01", "b", "c"]])
def test_classes_of_models_from_elsewhere_are_not_numbered_anew(folder, capsys, labels):
    pytest.importorskip("sklearn")
    rows = [(i % 3, labels[i % 3]) for i in range(90)]
    y = [int(text) if labels[0] == "0" else text for _, text in rows]
    model = xgb.XGBClassifier(n_estimators=5).fit(np.array([[x] for x, _ in rows]), y)
    model.save_model(folder / "model.json")
    write("data.csv", ("f0", "y"), [row for row in rows if row[0]])  # the first class does not occur
    assert main(["predict", "model.json", "data.csv", "--drop", "y"]) == 0
    found = lines(capsys.readouterr().out)
    assert list(found[0]) == ["prediction", *(f"p_{text}" for text in labels)]
    assert [row["prediction"] for row in found[:2]] == labels[1:]
    assert main(["evaluate", "model.json", "data.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1
