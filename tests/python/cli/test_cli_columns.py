# SPDX-License-Identifier: Apache-2.0
"""What the commands make of tables as people have them: signs, names, dates, mistakes in single cells, pipes."""

import csv
import gzip
import io
import json
import os
import re
import sys
import threading

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main
from xgb_like._cli._files import Cells
from xgb_like._cli._meanings import moment, number

RNG = np.random.default_rng(0)
INCOMES = [round(float(value), 2) for value in RNG.normal(50_000, 9_000, 300)]
AGES = RNG.permutation(np.arange(300) % 60).tolist()


def write(name, header, rows, delimiter=","):
    with open(name, "w", newline="", encoding="utf-8") as stream:  # noqa: PTH123
        csv.writer(stream, delimiter=delimiter).writerows([header, *rows])


def write_people(name, income=str, header=("income", "age", "late"), delimiter=","):
    rows = [(income(value), age, int(value > 50_000)) for value, age in zip(INCOMES, AGES, strict=True)]
    write(name, header, rows, delimiter)


def lines(text):
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture
def reader(folder):
    return folder


def trained(capsys, *arguments):
    assert main(["train", *arguments, "--rounds", "5", "--nthread", "1"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("12", 12, 12), ("-1.5", -1.5, np.nan), ("1,23", np.nan, 1.23), ("1,234", 1234, 1.234), ("", np.nan, np.nan),
        ("1.234,5", np.nan, 1234.5), ("$12,345.50", 12345.5, np.nan), ("-$5", -5, -5), ("$ -5", -5, -5),
        ("12 %", 12, 12), ("7 \u20ac", 7, 7), ("1 234 567", 1234567, 1234567), ("1e3", 1000, 1000),
        (".5", 0.5, np.nan), ("10.0.0.1", np.nan, np.nan), ("1.2.3", np.nan, np.nan), ("12 kg", np.nan, np.nan),
        ("--5", np.nan, np.nan), ("1234,567", np.nan, 1234.567), ("12,34,567", np.nan, np.nan),
    ],
)  # fmt: skip
def test_numbers_in_texts(text, point, comma):
    np.testing.assert_equal([number(text, "."), number(text, ",")], [point, comma])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1970-01-02", 1), ("1970-01-02 12:00", 1.5), ("1970-01-02T12:00:00.5Z", 1.5 + 0.5 / 86400),
        ("1970-01-02 12:00:00+06:00", 1.25), ("1970-01-02 12:00:00-0600", 1.75), ("06:00", 0.25), ("2024-02-29", 19782),
    ],
)  # fmt: skip
def test_moments(text, days):
    assert moment(text) == pytest.approx(days, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    ["2025-02-30", "25:00", "12", "", "2025-01-01 10:00:61", "10.0.0.1", "1.2.3", "32/01/2025", "13:00 pm", "may"],
)
def test_what_is_no_moment(text):
    with pytest.raises(ValueError):  # noqa: PT011
        moment(text)


@pytest.mark.filterwarnings("always")
def test_a_bad_cell_counts_as_missing_and_is_told(reader, capsys):
    write_people("people.csv", lambda value: "unknown" if value == INCOMES[37] else value)
    said = trained(capsys, "people.csv")
    assert (
        "missing      income: what is no number counts as missing, 1 of 300 cells; the first is 'unknown' in line 39"
        in said
    )
    model = xgb.Booster(model_file=reader / "model.ubj")
    assert model.feature_types == ["q", "q"]
    for cells, warned in ((["unknown"], ""), (["7", "oops"], "1 of 2 cells; the first is 'oops' in line 3")):
        write("new.csv", ("income", "age"), [(cell, 30) for cell in cells])
        assert main(["predict", "model.ubj", "new.csv", "--what", "margin"]) == 0
        found = capsys.readouterr()
        assert warned in found.err
        assert bool(found.err) == bool(warned)
        expected = model.predict(xgb.DMatrix([[np.nan, 30]], feature_names=["income", "age"]), output_margin=True)
        assert np.float32(lines(found.out)[-1]["margin"]) == expected[0]


def test_a_column_of_some_numbers_is_one_of_categories_and_told(reader, capsys):
    rows = [("x" if i % 4 == 0 else i % 7, i % 9, i % 5 + 0.5) for i in range(200)]
    write("data.csv", ("code", "b", "y"), rows)
    assert "categories   code: 75 % of the cells are numbers" in trained(capsys, "data.csv")
    assert reader


def test_decimal_commas_and_semicolons_are_found(reader, capsys):
    write_people("points.csv")
    write_people("commas.csv", lambda value: str(value).replace(".", ","), delimiter=";")
    trained(capsys, "points.csv", "-o", "points.ubj")
    assert "numbers      have decimal commas" in trained(capsys, "commas.csv")
    told = trained(capsys, "commas.csv", "--delimiter", ";", "--decimal", ",", "-o", "told.ubj")
    assert "decimal commas" not in told
    predicted = set()
    for model in ("points.ubj", "model.ubj", "told.ubj"):
        for data in ("points.csv", "commas.csv"):
            assert main(["predict", model, data]) == 0
            predicted.add(capsys.readouterr().out)
    assert len(predicted) == 1
    assert "task         regression" in trained(capsys, "commas.csv", "--label", "income")
    assert "1 features" in trained(capsys, "commas.csv", "--weight", "income")
    assert reader


def test_points_of_seconds_are_no_decimals(reader, capsys):
    rows = [(f"2025-01-{i % 28 + 1:02}T01:02:03.500", f"{i / 7:.2f}".replace(".", ","), i % 7) for i in range(100)]
    write("data.csv", ("when", "x", "y"), rows)
    assert "numbers      have decimal commas" in trained(capsys, "data.csv")
    assert reader


def test_points_of_categories_are_no_decimals(reader, capsys):
    rows = [("1.5" if i % 3 else "b", f"{i / 7:.2f}".replace(".", ","), i % 7) for i in range(100)]
    write("data.csv", ("code", "x", "y"), rows)
    trained(capsys, "data.csv")
    write("new.csv", ("code", "x"), [("1.5", "3,25")])
    assert main(["predict", "model.ubj", "new.csv"]) == 0
    found = capsys.readouterr().out
    assert main(["predict", "model.ubj", "new.csv", "--decimal", ","]) == 0
    assert capsys.readouterr().out == found
    assert reader


def test_cells_are_read_once(reader, capsys, monkeypatch):
    write("data.csv", ("x", "z", "y"), [("a" if i % 3 else "b", i / 7, i % 7 + 0.5) for i in range(100)])
    read, column = [], Cells.column
    monkeypatch.setattr(Cells, "column", lambda cells, *how: read.append(cells.name) or column(cells, *how))
    trained(capsys, "data.csv")
    assert sorted(read) == ["x", "y", "z"]
    assert reader


@pytest.mark.parametrize("delimiter", ["\t", "|"])
def test_other_delimiters_are_found(reader, capsys, delimiter):
    write_people("data.csv", delimiter=delimiter)
    assert "2 features" in trained(capsys, "data.csv")
    assert reader


def test_numbers_that_may_be_read_in_two_ways_are_asked_about(reader, capsys):
    write_people("money.csv", lambda value: f"${int(value):,}")
    assert main(["train", "money.csv"]) == 1
    assert f"such as '${int(INCOMES[0]):,}' in line 2. Say which sign" in capsys.readouterr().err
    said = trained(capsys, "money.csv", "--decimal", ".")
    assert re.search(r"numbers      income: texts such as '\$\d\d,\d{3}' are read as numbers", said)
    write_people("whole.csv", int)
    trained(capsys, "whole.csv", "-o", "whole.ubj")
    assert main(["predict", "whole.ubj", "whole.csv"]) == 0
    expected = capsys.readouterr().out
    for told in ([], ["--decimal", "."]):  # the model remembers it
        assert main(["predict", "model.ubj", "money.csv", *told]) == 0
        assert capsys.readouterr().out == expected
    rows = [(f"{int(v):,}", v / 3, a) for v, a in zip(INCOMES, AGES, strict=True)]
    write("told.csv", ("income", "other", "age"), rows)  # the other column shows what a point is
    assert "numbers      income" in trained(capsys, "told.csv")
    write("label.csv", ("income", "y"), [(f"{int(v):,}", v / 3) for v in INCOMES])
    assert "numbers      income" in trained(capsys, "label.csv")
    assert reader


def test_points_alone_are_before_decimals(reader, capsys):
    write("data.csv", ("x", "y"), [("oops" if i == 1009 else f"{i / 1000:.3f}", i % 7) for i in range(1000, 1100)])
    assert "missing      x: " in trained(capsys, "data.csv")
    assert reader


def test_columns_that_disagree_about_decimals_are_asked_about(reader, capsys):
    rows = [(str(v).replace(".", ","), v / 3, a) for v, a in zip(INCOMES, AGES, strict=True)]
    write("data.csv", ("a", "b", "y"), rows)
    assert main(["train", "data.csv"]) == 1
    assert (
        "Column 'a' has numbers with decimal commas, and other columns have decimal points" in capsys.readouterr().err
    )
    assert reader


def test_a_sign_of_decimals_is_remembered_for_files_that_do_not_show_it(reader, capsys):
    write("data.csv", ("x", "y"), [(f"{i / 1000:.3f}".replace(".", ","), i % 7 + 0.5) for i in range(1000, 1100)], ";")
    trained(capsys, "data.csv", "--decimal", ",")
    write("one.csv", ("x", "z"), [("1,050", 1)], ";")
    assert main(["predict", "model.ubj", "one.csv"]) == 0
    assert main(["predict", "model.ubj", "one.csv", "--decimal", ","]) == 0
    first, second = lines(capsys.readouterr().out)[::2]
    assert first == second
    assert reader


@pytest.mark.parametrize("decimal", [".", ","])
def test_a_label_that_is_no_number_in_a_row_is_told(reader, capsys, decimal):
    rows = [(i % 9, "oops" if i == 11 else str(i / 2).replace(".", decimal)) for i in range(120)]
    write("data.csv", ("x", "y"), rows)
    for arguments in ([], ["--task", "regression"]):
        assert main(["train", "data.csv", *arguments]) == 1
        found = capsys.readouterr().err
        assert "'oops'" in found
        assert "line 13" in found
    assert reader


def test_dates_are_numbers_in_every_format(reader, capsys):
    rows = [(f"2025-{i % 12 + 1:02}-{i % 28 + 1:02}", f"{i % 24:02}:30", i % 12 + 0.5) for i in range(300)]
    write("data.csv", ("when", "at", "y"), rows)
    said = trained(capsys, "data.csv")
    assert "dates        when: taken as days since 1970-01-01" in said
    model = xgb.Booster(model_file="model.ubj")
    assert model.feature_types == ["q", "q"]
    rows = [("2025-05-01", "03:30"), ("", "NA")]
    write("new.csv", ("when", "at"), rows)
    assert main(["predict", "model.ubj", "new.csv"]) == 0
    found = [float(line["prediction"]) for line in lines(capsys.readouterr().out)]
    cells = [[moment("2025-05-01"), moment("03:30")], [np.nan, np.nan]]
    assert found == pytest.approx(model.predict(xgb.DMatrix(cells, feature_names=["when", "at"])))
    assert reader


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_dates_of_frames_are_those_of_texts(folder, capsys, unit):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = [(f"2025-{i % 12 + 1:02}-{i % 28 + 1:02} 10:00", i % 12 + 0.5) for i in range(300)]
    write("data.csv", ("when", "y"), rows)
    frame = pandas.read_csv("data.csv", parse_dates=["when"])
    frame.astype({"when": f"datetime64[{unit}]"}).to_parquet("data.parquet")
    for name in ("csv", "parquet"):
        trained(capsys, f"data.{name}", "-o", f"{name}.ubj")
    assert (folder / "csv.ubj").read_bytes() == (folder / "parquet.ubj").read_bytes()


@pytest.mark.parametrize("name", ["id", "", "the id"])
def test_a_column_that_may_number_the_rows_is_told(folder, capsys, name):
    write("data.csv", (name, "x", "y"), [(i, i % 9, i % 7 + 0.5) for i in range(100)])
    said = trained(capsys, "data.csv")
    name = name or "f0"
    shown = repr(name) if " " in name else name
    assert (
        f"each row has a whole number of its own there; if it only numbers the rows, leave it out: --drop {shown}"
        in said
    )
    assert "beware" not in trained(capsys, "data.csv", "--drop", name)
    assert folder


def test_names_that_models_cannot_have_are_changed(reader, capsys):
    write_people("data.csv", header=("Income [USD]", "age<99", "late [0/1]"))
    said = trained(capsys, "data.csv", "--label", "late [0/1]", "-p", 'monotone_constraints={"Income [USD]": 1}')
    assert "renamed      Income [USD] is Income (USD) in the model" in said
    assert "label        late [0/1]" in said
    assert xgb.Booster(model_file="model.ubj").feature_names == ["Income (USD)", "age_99"]
    assert main(["predict", "model.ubj", "data.csv", "--keep", "age<99"]) == 0
    assert next(iter(lines(capsys.readouterr().out)[0])) == "age<99"
    assert main(["evaluate", "model.ubj", "data.csv"]) == 0
    assert main(["explain", "model.ubj", "data.csv", "--row", "0"]) == 0
    assert reader


def test_names_that_become_the_same_are_an_error(reader, capsys):
    write("data.csv", ("a[1]", "a(1)", "y"), [(1, 2, 3)])
    assert main(["train", "data.csv"]) == 1
    assert "the same name in the model, where [ ] < are ( ) _: 'a(1)'" in capsys.readouterr().err
    assert reader


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "data.csv.gz", "pipe"])
def test_tables_come_from_pipes_and_compressed_files(folder, capsys, monkeypatch, name):
    write_people("data.csv")
    raw = (folder / "data.csv").read_bytes()
    (folder / "data.csv.gz").write_bytes(gzip.compress(raw))
    if name == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("needs named pipes")
        os.mkfifo("pipe")
        threading.Thread(target=lambda: (folder / "pipe").write_bytes(raw)).start()
    packed = gzip.compress(raw) if name == "/dev/stdin" else raw
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(packed))))
    trained(capsys, name, "--label", "late", "-o", "piped.ubj")
    trained(capsys, "data.csv", "-o", "plain.ubj")
    assert (folder / "piped.ubj").read_bytes() == (folder / "plain.ubj").read_bytes()


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8bno gzip", gzip.compress(b"a,y\n" * 99, mtime=0)[:-9]],
    ids=["empty", "other", "cut"],
)
def test_damaged_compressed_files_are_told(folder, capsys, content):
    (folder / "data.csv.gz").write_bytes(content)
    assert main(["train", "data.csv.gz"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_compressed_libsvm_files_are_read(folder, capsys):
    text = "".join(f"{i % 2} 1:{i % 2} 3:{i}\n" for i in range(50))
    (folder / "a.libsvm.gz").write_bytes(gzip.compress(text.encode()))
    assert "50 rows" in trained(capsys, "a.libsvm.gz")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('a,b,y\n1,2,3\n4,"5,6\n' + "7,8,9\n" * 400, "Line 3 of 'data.csv' has 2 cells; 3 were expected. A quote"),
        (
            "a,b,y\n1,2,3\n\n4,5\n",
            "Line 4 of 'data.csv' has 2 cells; 3 were expected. Cells are taken to be separated by `,`. If another",
        ),
        ('a,b,y\n"1\n2",2,3\n4,5,6,7\n', "Line 4 of 'data.csv' has 4 cells"),
    ],
)
def test_a_record_of_another_length_is_told_in_one_line(reader, capsys, text, told):
    (reader / "data.csv").write_text(text)
    assert main(["train", "data.csv"]) == 1
    found = capsys.readouterr().err
    assert told in found
    assert found.count("\n") == 1


@pytest.mark.parametrize("output", [[], ["-o", "out.csv"]])
@pytest.mark.parametrize("labels", [("a", "b"), ("a", "b", "c"), (0.5, 1.5, 2.25)])
def test_no_rows_have_no_predictions(reader, capsys, labels, output):
    write("data.csv", ("x", "city", "y"), [(i % 9, "AB"[i % 2], labels[i % len(labels)]) for i in range(120)])
    trained(capsys, "data.csv")
    write("none.csv", ("x", "city"), [])
    for what in ("prediction", "margin", "leaf", "contributions"):
        assert main(["predict", "model.ubj", "none.csv", "--keep", "x", "--what", what, *output]) == 0
        text = (reader / "out.csv").read_text() if output else capsys.readouterr().out
        assert text.startswith("x,")
        assert text.count("\n") == 1


def test_a_label_given_by_number_is_the_one_of_the_file(reader, capsys):
    write("data.csv", ("y", "id", "x"), [(("01", "02", "c")[i % 3], f"r{i}", i % 3) for i in range(90)])
    trained(capsys, "data.csv", "--label", "0", "--drop", "1", "-p", "eta=1")
    write("test.csv", ("id", "x", "y"), [("r", i % 2, ("01", "02")[i % 2]) for i in range(9)])
    for arguments in (["--label", "2", "--drop", "0"], ["--label", "-1"], []):
        assert main(["evaluate", "model.ubj", "test.csv", "--json", *arguments]) == 0
        assert json.loads(capsys.readouterr().out)["accuracy"] == 1
    assert reader


def test_constraints_may_name_columns(folder, capsys):
    write_people("data.csv")
    written = ['monotone_constraints={"income": 1}', "interaction_constraints=[['age'], ['income']]"]
    by_name = [part for text in written for part in ("-p", text)]
    by_number = ["-p", "monotone_constraints=(1,0)", "-p", "interaction_constraints=[[1],[0]]"]
    assert "monotone_constraints={'income': 1}" in trained(capsys, "data.csv", *by_name, "-o", "a.ubj")
    trained(capsys, "data.csv", *by_number, "-o", "b.ubj")
    assert (folder / "a.ubj").read_bytes() == (folder / "b.ubj").read_bytes()
    assert main(["train", "data.csv", "-p", "monotone_constraints={age:1}"]) == 1
    assert """is to be written like 'monotone_constraints={"age": 1, "price": -1}'""" in capsys.readouterr().err
    assert main(["train", "data.csv", "-p", 'monotone_constraints={"aeg":1}']) == 1
    assert "`monotone_constraints` has 'aeg'. The features are 'income', 'age'" in capsys.readouterr().err


@pytest.mark.filterwarnings("always")
def test_warnings_do_not_speak_of_python(folder, capsys):
    write("data.csv", ("city", "y"), [("AB"[i % 2], i % 2 + 0.5 + i % 3) for i in range(100)])
    trained(capsys, "data.csv")
    write("new.csv", ("city",), [("C",)])
    assert main(["predict", "model.ubj", "new.csv"]) == 0
    found = capsys.readouterr().err
    assert found == "xgb-like: warning: Categories that are not in the training set count as missing: 'C' of 'city'.\n"
    assert folder
