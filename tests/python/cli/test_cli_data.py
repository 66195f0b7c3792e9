# SPDX-License-Identifier: Apache-2.0
"""The commands that work on files."""

import csv
import json
import re

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main
from xgb_like._cli._csv import Options
from xgb_like._cli._files import read_table
from xgb_like._cli._sources import Source


def write(name, header, rows, delimiter=","):
    with open(name, "w", newline="", encoding="utf-8") as stream:  # noqa: PTH123
        csv.writer(stream, delimiter=delimiter).writerows([header, *rows] if header else rows)


def rows_of(count, label=lambda age, city: "late" if age > 40 or city == "Rome" else "in time"):
    rng = np.random.default_rng(0)
    pairs = [(int(rng.integers(18, 80)), str(rng.choice(["Oslo", "Rome", "Bern"]))) for _ in range(count)]
    return [(f"r{i}", "" if i % 10 == 9 else age, city, label(age, city)) for i, (age, city) in enumerate(pairs)]


@pytest.fixture
def people(folder):
    """A file of 300 people, some ages missing, and a model of it."""
    write("people.csv", ("id", "age", "city", "state"), rows_of(300))
    assert main(["train", "people.csv", "--rounds", "20", "--nthread", "1", "-q"]) == 0
    return folder


def lines(text):
    return list(csv.DictReader(text.splitlines()))


def test_training_says_what_it_does(folder, capsys):
    write("people.csv", ("id", "age", "city", "state"), rows_of(300))
    assert main(["train", "people.csv", "--rounds", "20"]) == 0
    said = capsys.readouterr().out
    for part in (
        "300 rows, 2 features (1 of categories), 5.0 % of cells missing",
        "left out     id: 300 different texts in 300 cells, such as 'r0': too few come again to learn",
        "label        state: in time", "binary classification: the label has 2 different texts",
        "60 rows that are held out", "learning_rate=0.1", "held-out logloss", "saved model.ubj (",
    ):  # fmt: skip
        assert part in said
    assert (folder / "model.ubj").exists()


def test_a_quiet_training_is_silent(people, capsys):
    assert people
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("values", "task"),
    [
        ([0, 1], "binary classification"), ([-1, 1], "binary classification"), (["a", "b", "c"], "classification"),
        ([0, 1, 2], "classification"), ([1, 2, 3], "regression"), ([0.5, 1.5, 2.25], "regression"),
        ([True, False], "binary"),
    ],
)  # fmt: skip
def test_the_task_is_guessed_from_the_label(folder, capsys, values, task):
    assert folder
    write("data.csv", ("x", "y"), [(i % len(values), values[i % len(values)]) for i in range(120)])
    assert main(["train", "data.csv", "--rounds", "3"]) == 0
    assert f"task         {task}" in capsys.readouterr().out
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    predicted = [line["prediction"] for line in lines(capsys.readouterr().out)]
    assert len(set(predicted)) == len(values)
    if task != "regression":
        assert predicted[:2] == [str(int(v)) if isinstance(v, int) else v for v in values[:2]]


IDS = ["1234567890123456789", "1234567890123456790", "1234567890123456791", "99999999999999999999", "007", "", "NA"]


def test_kept_columns_stay_as_they_are_in_the_file(people, capsys):
    rows = rows_of(len(IDS))
    write("new.csv", ("id", "age", "city"), [(name, *row[1:3]) for name, row in zip(IDS, rows, strict=True)])
    for keep in (["--keep", "id", "--keep", "city", "--keep", "age"], ["--keep", "id,city,age"]):
        assert main(["predict", "model.ubj", "new.csv", *keep]) == 0
        found = lines(capsys.readouterr().out)
        assert [row["id"] for row in found] == IDS
        assert [(row["age"], row["city"]) for row in found] == [(str(row[1]), row[2]) for row in rows]
    assert people


def test_kept_columns_keep_their_types(people, capsys):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {
        "id": [2**60 + 1, None], "price": pa.array([0.1, 3], pa.float32()), "list": [[1, 2], []],
        "kind": pa.array(["a", None]).dictionary_encode(), "state": [["late"], []],
        "age": [20, 30], "city": ["Rome", "Oslo"],
    }  # fmt: skip
    parquet.write_table(pa.table(columns), people / "new.parquet")
    keep = [text for name in ("id", "price", "list", "kind", "state", "age") for text in ("--keep", name)]
    assert main(["predict", "model.ubj", "new.parquet", *keep, "-o", "out.parquet"]) == 0
    out = parquet.read_table(people / "out.parquet")
    assert out.select(list(columns)[:6]).equals(pa.table(columns).select(list(columns)[:6]))
    assert main(["predict", "model.ubj", "new.parquet", *keep]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"""{2**60 + 1},0.1,"[1, 2]",a,['late'],20,""")
    write("new.csv", ("id", "age", "city"), [(2**60 + 1, 20, "Rome"), (7, 30, "Oslo")])
    assert main(["predict", "model.ubj", "new.csv", "--keep", "id", "-o", "out.parquet"]) == 0
    assert parquet.read_table(people / "out.parquet")["id"].to_pylist() == [2**60 + 1, 7]


def test_categories_and_classes_that_look_like_numbers_are_texts_if_the_model_says_so(folder, capsys):
    assert folder
    rows = [(("01", "02", "X3", "true")[i % 4], ("01", "2", "2", "c")[i % 4]) for i in range(200)]
    write("data.csv", ("zip", "y"), rows)
    assert main(["train", "data.csv", "--rounds", "20", "-q"]) == 0
    for part in (["01", "02"], ["true"], ["X3", "01"], [""]):
        write("part.csv", ("zip", "more"), [(text, 1) for text in part])
        assert main(["predict", "model.ubj", "part.csv"]) == 0
        found = capsys.readouterr()
        assert not found.err
        expected = {"01": "01", "02": "2", "X3": "2", "true": "c", "": "2"}
        assert [row["prediction"] for row in lines(found.out)] == [expected[text] for text in part]
    write("valid.csv", ("zip", "y"), [row for row in rows if row[0] in ("01", "02")])
    assert main(["evaluate", "model.ubj", "valid.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1
    assert main(["train", "data.csv", "--valid", "valid.csv", "--rounds", "20"]) == 0
    assert "held-out rows have merror 0," in capsys.readouterr().out


def test_predictions_have_classes_probabilities_and_kept_columns(people, capsys):
    assert people
    assert main(["predict", "model.ubj", "people.csv", "--keep", "id", "--keep", "state"]) == 0
    found = lines(capsys.readouterr().out)
    assert list(found[0]) == ["id", "state", "prediction", "p_late"]
    assert np.mean([row["prediction"] == row["state"] for row in found]) > 0.9
    assert all((float(row["p_late"]) > 0.5) == (row["prediction"] == "late") for row in found)


def test_predictions_do_not_depend_on_the_order_of_columns_or_other_categories(people, capsys):
    assert people
    rows = rows_of(300)
    write("other.csv", ("city", "more", "age"), [(city, 1, age) for _, age, city, _ in rows if city != "Bern"])
    main(["predict", "model.ubj", "people.csv", "--what", "margin"])
    whole = [row["margin"] for row in lines(capsys.readouterr().out)]
    assert main(["predict", "model.ubj", "other.csv", "--what", "margin"]) == 0
    part = [row["margin"] for row in lines(capsys.readouterr().out)]
    assert part == [margin for margin, (_, _, city, _) in zip(whole, rows, strict=True) if city != "Bern"]


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.parquet", "out.arrow"])
def test_predictions_go_to_files(people, capsys, name):
    pytest.importorskip("pyarrow")
    assert main(["predict", "model.ubj", "people.csv", "-o", name]) == 0
    assert "saved" in capsys.readouterr().err
    kind = {"csv": "csv", "tsv": "csv", "parquet": "parquet", "arrow": "arrow"}[name.partition(".")[2]]
    table, _ = read_table(Source(name, people / name, kind), Options())
    assert list(table) == ["prediction", "p_late"]
    assert len(table["p_late"].column().values) == 300


def test_leaves(people, capsys):
    assert people
    assert main(["predict", "model.ubj", "people.csv", "--what", "leaf"]) == 0
    first = lines(capsys.readouterr().out)[0]
    assert all(name == f"tree_{i}" and int(leaf) >= 1 for i, (name, leaf) in enumerate(first.items()))


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_other_formats_give_the_same_model(people, kind):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_csv("people.csv").astype({"city": "category", "age": "Int64"})
    (frame.to_parquet if kind == "parquet" else frame.to_feather)(f"people.{kind}")
    assert main(["train", f"people.{kind}", "--rounds", "20", "--nthread", "1", "-q", "-o", "other.ubj"]) == 0
    assert (people / "other.ubj").read_bytes() == (people / "model.ubj").read_bytes()


def test_libsvm_files(folder, capsys):
    assert folder
    with open("a.libsvm", "w") as stream:  # noqa: PTH123
        stream.writelines(f"{i % 2} 1:{i % 2} 3:{i}\n" for i in range(50))
    with open("narrow.libsvm", "w") as stream:  # noqa: PTH123
        stream.writelines(["0 1:0\n", "1 1:1\n"])
    assert main(["train", "a.libsvm", "--rounds", "9", "--valid", "a.libsvm", "-o", "a.json"]) == 0
    assert main(["evaluate", "a.json", "a.libsvm", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["accuracy"] == 1
    assert main(["predict", "a.json", "narrow.libsvm"]) == 0
    assert [row["prediction"] for row in lines(capsys.readouterr().out)] == ["0", "1"]


def test_early_stopping_keeps_the_rounds_up_to_the_best(folder, capsys):
    assert folder
    rng = np.random.default_rng(0)
    write("noise.csv", ("x", "y"), rng.normal(size=(200, 2)).tolist())
    assert main(["train", "noise.csv", "--early-stopping", "3"]) == 0
    said = capsys.readouterr().out
    model = xgb.Booster(model_file="model.ubj")
    assert f"after round {model.num_boosted_rounds()}, the best" in said
    assert model.num_boosted_rounds() < 50


def test_parameters_and_own_validation_data(people, capsys):
    write("valid.csv", ("age", "city", "state"), [row[1:] for row in rows_of(50)])
    params = ["-p", "max_depth=2", "-p", "eta=0.5", "-p", "eval_metric=error"]
    assert main(["train", "people.csv", "--valid", "valid.csv", "--rounds", "4", *params]) == 0
    said = capsys.readouterr().out
    assert "50 rows of valid.csv" in said
    assert "max_depth=2, eta=0.5" in said
    assert "held-out error" in said
    assert "learning_rate" not in said
    assert (people / "model.ubj").exists()


def test_ranking_keeps_queries_whole(folder, capsys):
    assert folder
    write("rank.csv", ("q", "x", "y"), [(i // 5, i % 5, i % 5 // 2) for i in range(200)])
    assert main(["train", "rank.csv", "--query", "q", "--rounds", "5"]) == 0
    said = capsys.readouterr().out
    assert "ranking: there are queries" in said
    assert "40 rows that are held out" in said
    for told in ([], ["--query", "q"]):  # it is remembered
        assert main(["evaluate", "model.ubj", "rank.csv", *told]) == 0
        assert "ndcg@10                     1" in capsys.readouterr().out
    xgb.train({"objective": "rank:ndcg"}, xgb.DMatrix(np.eye(4), [0, 1, 0, 1], qid=[0, 0, 1, 1])).save_model(
        "other.ubj"
    )
    write("eye.csv", None, np.column_stack([np.eye(4), range(4)]))
    assert main(["evaluate", "other.ubj", "eye.csv", "--no-header"]) == 1
    assert "name their column by --query" in capsys.readouterr().err


def test_weights_count(folder):
    assert folder
    write("data.csv", ("x", "w", "y"), [(i, i % 2 * 1000, i % 2 + i / 1000) for i in range(100)])
    assert main(["train", "data.csv", "--weight", "w", "--rounds", "50", "--early-stopping", "0", "-q"]) == 0
    model = xgb.Booster(model_file="model.ubj")
    assert model.feature_names == ["x"]
    assert model.predict(xgb.DMatrix([[0.0]], feature_names=["x"]))[0] > 0.9


def test_evaluation(people, capsys):
    assert people
    assert main(["evaluate", "model.ubj", "people.csv", "--metric", "auc", "--metric", "logloss"]) == 0
    said = capsys.readouterr().out
    assert "binary classification, 300 rows, label state" in said
    assert [line.split()[0] for line in said.splitlines()[1:]] == ["auc", "logloss"]
    assert "more is better" in said


def test_dump_and_convert(people, capsys):
    assert main(["convert", "model.ubj", "model.json"]) == 0
    assert "saved model.json" in capsys.readouterr().out
    assert main(["convert", "model.json", "again.ubj"]) == 0
    assert (people / "again.ubj").read_bytes() == (people / "model.ubj").read_bytes()
    capsys.readouterr()
    assert main(["dump", "model.json", "--rounds", "1:3", "--stats"]) == 0
    text = capsys.readouterr().out
    assert text.count("booster[") == 2
    assert "gain=" in text
    assert main(["dump", "model.json", "--as", "json", "-o", "trees.json"]) == 0
    assert (
        len(json.loads((people / "trees.json").read_text()))
        == xgb.Booster(model_file="model.json").num_boosted_rounds()
    )
    assert main(["dump", "model.json", "--as", "dot", "--rounds", "0"]) == 0
    assert capsys.readouterr().out.startswith("digraph")


def test_importance(people, capsys):
    assert people
    assert main(["explain", "model.ubj"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Importance of the features (total_gain)")
    assert {line.split()[0] for line in said.splitlines()[1:]} == {"age", "city"}


def test_explanation_of_data(people, capsys):
    assert people
    assert main(["explain", "model.ubj", "people.csv"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Mean absolute contribution to the margin, 300 rows\n")
    assert {line.split()[0] for line in said.splitlines()[1:]} == {"age", "city"}
    assert main(["predict", "model.ubj", "people.csv", "--what", "contributions"]) == 0
    first = lines(capsys.readouterr().out)[0]
    assert list(first) == ["age", "city", "intercept"]
    assert main(["predict", "model.ubj", "people.csv", "--what", "margin"]) == 0
    margin = float(lines(capsys.readouterr().out)[0]["margin"])
    assert sum(map(float, first.values())) == pytest.approx(margin, abs=1e-4)


def test_explanation_of_a_row(people, capsys):
    assert people
    assert main(["explain", "model.ubj", "people.csv", "--row", "9"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Row 9: prediction ")
    assert "age = missing" in said
    assert re.search(r"city = (Oslo|Rome|Bern)\n", said)
    assert main(["explain", "model.ubj", "people.csv", "--row", "9", "--top", "1"]) == 0
    assert "1 more features" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("train none.csv", "There is no file 'none.csv'"),
        ("train empty.csv", "empty"),
        ("train header.csv", "has no rows"),
        ("train one.csv", "nothing to learn"),
        ("train gap.csv", "The label is missing in 1 rows, the first of them is line 3"),
        ("train constant.csv --task binary", "The label is '1' in all rows"),
        (
            "train people.csv --task regression",
            "The label has texts such as 'late' in line 2; regression needs numbers",
        ),
        (
            "train people.csv --label stat",
            "there is no column 'stat'. Did you mean 'state'? The columns are id, age, city, state",
        ),
        ("train people.csv --drop nothing", "`--drop`: there is no column 'nothing'"),
        ("train people.csv -o model.pkl", "must end in .ubj or .json"),
        ("train people.csv -p max_depth", "takes NAME=VALUE"),
        ("train people.csv -p max_dpeth=3", "Did you mean `max_depth`?"),
        ("train people.csv --query city --task ranking", "rows of a query must be next to each other"),
        ("train people.csv --weight city", "must have a number in each row"),
        ("train people.csv --delimiter ::", "must be one character"),
        ("train people.json", "does not tell its format"),
        ("train two.csv", "too few to hold some out"),
        (
            "train people.csv --label id",
            "The label has 300 different texts in 300 rows: name another column by --label",
        ),
        ("train colons.csv", "set the delimiter by --delimiter"),
        ("predict model.ubj gap.csv", "lacks columns that the model needs: age, city"),
        ("predict model.ubj texts.csv", "Column 'age' has texts such as 'old'; the model was trained on numbers"),
        ("predict model.ubj people.csv -o out.xls", "must end in .csv"),
        (
            "predict model.ubj people.csv --keep nothing",
            "`--keep`: there is no column 'nothing'. The columns are id, age",
        ),
        ("predict none.ubj people.csv", "none.ubj"),
        ("evaluate model.ubj unknown.csv", "classes that the model does not know: never"),
        ("evaluate model.ubj people.csv --metric rsme", "rmse"),
        ("explain model.ubj --row 1", "name the file"),
        ("explain model.ubj people.csv --row 300", "must be from 0 to 299"),
        ("explain model.ubj people.csv --output 1", "`--output` must be from 0 to 0; got 1"),
        ("train people.csv -o nowhere/model.ubj", "there is no folder 'nowhere'"),
        ("dump model.ubj --rounds x", "takes a round such as 3"),
        ("dump model.ubj --rounds 999", "among the rounds 0 to 19 of the model; got '999'"),
        ("dump model.ubj --rounds 5:3", "among the rounds 0 to 19 of the model; got '5:3'"),
        ("train broken.parquet", "'broken.parquet' cannot be read as Parquet: "),
        ("train broken.arrow", "'broken.arrow' cannot be read as Arrow: "),
        ("train latin.csv", "is not encoded in UTF-8"),
        ("train latin_name.csv", "is not encoded in UTF-8"),
        ("predict model.ubj latin.csv --keep city", "is not encoded in UTF-8"),
        ("convert model.ubj model.txt", "must end in one of .json, .ubj, .c, .onnx"),
    ],
)
def test_mistakes_are_told(people, capsys, arguments, text):
    write("empty.csv", None, [])
    write("header.csv", ("x", "y"), [])
    write("one.csv", ("y",), [(1,), (2,)])
    write("gap.csv", ("x", "y"), [(1, 1), (2, ""), (3, 2)])
    write("constant.csv", ("x", "y"), [(1, 1), (2, 1)])
    write("two.csv", ("x", "y"), [(1, 1.5), (2, 2.5), (3, 4.5)])
    write("texts.csv", ("age", "city"), [("old", "Rome")])
    write("colons.csv", ("x", "y"), [(1, 1), (2, 2)], delimiter=":")
    write("unknown.csv", ("age", "city", "state"), [(3, "Rome", "never")])
    (people / "people.json").write_text("{}")
    for name in ("broken.parquet", "broken.arrow"):
        (people / name).write_text("PAR1 and no more")
    (people / "latin.csv").write_bytes("age,city\n30,Zürich\n".encode("latin-1"))
    (people / "latin_name.csv").write_bytes("é,city\n30,Rome\n".encode("latin-1"))
    assert main(arguments.split()) == 1
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "predict", "evaluate", "explain", "dump", "convert", "demo", "params"])
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "usage: xgb-like" in said
    assert max(len(line) for line in said.splitlines()) <= 100
