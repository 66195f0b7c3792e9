# SPDX-License-Identifier: Apache-2.0
"""How the commands read CSV files: one set of rules, headers, encodings, missing cells, what cannot be read."""

import json
import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main
from xgb_like._cli._csv import Options, has_header
from xgb_like._cli._files import read_table
from xgb_like._cli._sources import Source

NAN = float("nan")
CASES = {  # the cells of a column, and what they are: numbers, or texts with None where missing
    "truth": (["true", "1", "false", "0"], [1, 1, 0, 0]),
    "words": (["True", "FALSE", "", "true"], [1, 0, NAN, 1]),
    "hex": (["0x1f", "0x20", "0x1f", "7"], ["0x1f", "0x20", "0x1f", "7"]),
    "underscores": (["1_234", "5", "6", "7"], ["1_234", "5", "6", "7"]),
    "arabic": (["\u0661\u0662", "3", "4", "5"], ["\u0661\u0662", "3", "4", "5"]),
    "plain": (["1", "-2.5e3", " +.5 ", "4."], [1, -2500, 0.5, 4]),
    "tokens": (["NA", "?", "-", "3"], [NAN, NAN, NAN, 3]),
    "any-case": (["NAN", "nan", "-nan", "1"], [NAN, NAN, NAN, 1]),
    "signs": (["+", "-", "+", ""], ["+", "-", "+", None]),
    "quoted": (['"1"', '"2"', '""', '"3"'], [1, 2, NAN, 3]),
    "letters": (["a", ' "b, ""c"""', "a", "NULL"], ["a", 'b, "c"', "a", None]),
    "large": (["9007199254740993", "1", "2", "3"], [9007199254740992, 1, 2, 3]),
    "digits": (["0.1", "123456789012345.6", "1e-320", "0.30000000000000004"],
               [0.1, 123456789012345.6, 1e-320, 0.30000000000000004]),
}  # fmt: skip
READ = """
import json, sys
for name in sys.argv[2:]:
    sys.modules[name] = None  # as if it were not installed
import numpy as np
from pathlib import Path
from xgb_like._cli._csv import Options
from xgb_like._cli._files import read_table
from xgb_like._cli._sources import Source
table, notes = read_table(Source("cases.csv", Path(sys.argv[1]), "csv"), Options())
columns = {name: cells.column() for name, cells in table.items()}
print(json.dumps({n: [c.values.tolist(), c.labels] for n, c in columns.items()}))
"""


def column(folder, *lines, encoding="utf-8", **options):
    (folder / "data.csv").write_bytes("\n".join(lines).encode(encoding) + b"\n")
    table, _ = read_table(Source("data.csv", folder / "data.csv", "csv"), Options(**options))
    return {name: cells.column() for name, cells in table.items()}


@pytest.mark.parametrize("hidden", [[], ["pyarrow"], ["pandas"], ["polars"], ["pyarrow", "pandas", "polars"]])
def test_what_a_file_means_does_not_depend_on_what_is_installed(folder, hidden):
    rows = [",".join(CASES), *(",".join(cells[i] for cells, _ in CASES.values()) for i in range(4))]
    (folder / "cases.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    command = [sys.executable, "-c", READ, "cases.csv", *hidden]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for name, (_, expected) in CASES.items():
        values, labels = found[name]
        if labels is not None:
            values = [labels[code] if code >= 0 else None for code in values]
        np.testing.assert_equal(values, expected, err_msg=name)


def test_numbers_are_the_nearest_doubles(folder):
    rng = np.random.default_rng(0)
    shapes = ("{:.6g}", "{:.3f}", "{:.0f}", "{!r}", "{:.15g}", "{:e}")
    texts = [
        shapes[i % 6].format(float(v)) for i, v in enumerate(rng.normal(size=6000) * 10.0 ** rng.integers(-9, 9, 6000))
    ]
    np.testing.assert_array_equal(column(folder, "x", *texts)["x"].values, [float(text) for text in texts])


def test_a_long_file_of_several_chunks_is_read_as_a_whole(folder):
    rows = [f'{i},"city, {i % 7}","two\nlines {i}",{i / 7!r}' for i in range(60_000)]
    found = column(folder, "i,city,note,x", *rows)
    np.testing.assert_array_equal(found["i"].values, np.arange(60_000))
    np.testing.assert_array_equal(found["x"].values, np.arange(60_000) / 7)
    assert found["city"].labels == tuple(f"city, {i}" for i in range(7))
    np.testing.assert_array_equal(found["city"].values, np.arange(60_000) % 7)
    assert found["note"].text(59_999) == "two\nlines 59999"
    assert found["i"].place(59_999) == "line 120000"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines(folder, end):
    (folder / "data.csv").write_text(end.join(["x,y", "1,a", "", "2,b"]), newline="")
    table, _ = read_table(Source("data.csv", folder / "data.csv", "csv"), Options())
    assert table["x"].column().values.tolist() == [1, 2]
    assert table["y"].column().labels == ("a", "b")


@pytest.mark.parametrize(
    ("lines", "header"),
    [
        (["1,2,3", "4,5,6"], False), (["0,1,2", "5,6,7"], True), (["2019,2020,2021", "1,2,3"], True),
        (["1,2,3"], False), (["1,2,3,4,5", "1,2,3,4,6"], True), (["5.1,3.5,setosa", "4.9,3.0,virginica"], False),
        (["-1,a", "2,b"], False), (["2025-01-31,a", "2025-02-01,b"], False), (["p,x,s", "p,x,t", "e,y,s"], False),
        (["a,b,c", "p,x,t", "e,y,s"], True), (["country,2019,2020", "Italy,1,2"], True),
        (["x,y", "x,y", "1,2"], True), (["7", "8"], False), (["y", "1"], True), (["x,", "1,2"], True), ([",,"], True),
        (["NA,1,2", "3,1,2"], False), (["NA,0,1", "3,0,2"], False), (["?,2019,2020", "Italy,1,2"], True),
        (["NA,-", "1,2"], False), (["gone,1,2", "3,4,5"], False), (["ri,na,mg", "1.5,2.5,3"], True),
    ],
)  # fmt: skip
def test_a_first_line_of_data_is_told_from_one_of_names(lines, header):
    assert has_header([line.split(",") for line in lines], (), ("NA", "na", "?", "-", "gone"))[0] == header


def test_a_first_line_of_data_is_data(folder, capsys):
    rows = [f"{(i + 3) % 9},{i % 7 + 0.5},{i % 2}" for i in range(200)]
    (folder / "data.csv").write_text("\n".join(rows) + "\n")
    assert main(["train", "data.csv", "--rounds", "3", "--nthread", "1"]) == 0
    said = capsys.readouterr().out
    assert "200 rows" in said
    assert "header       none: the first line has numbers only, so it is data; columns are f0, f1, ..." in said
    guessed = (folder / "model.ubj").read_bytes()
    assert main(["train", "data.csv", "--no-header", "--rounds", "3", "--nthread", "1", "-q"]) == 0
    assert (folder / "model.ubj").read_bytes() == guessed
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 201
    assert main(["train", "data.csv", "--header", "--rounds", "3"]) == 0
    assert "199 rows" in capsys.readouterr().out


def test_a_missing_cell_is_no_name(folder, capsys):
    rows = [f"{'gone' if i == 0 else i % 9},{i % 7 + 1},{i % 3 + 2}" for i in range(201)]
    (folder / "data.csv").write_text("\n".join(rows) + "\n")
    assert main(["train", "data.csv", "--na", "gone", "--rounds", "3", "--nthread", "1"]) == 0
    said = capsys.readouterr().out
    assert "201 rows" in said
    assert "header       none: the first line has only numbers and missing cells such as 'gone', so it is data" in said
    assert xgb.Booster(model_file="model.ubj").feature_names == ["f0", "f1"]


def test_names_that_are_numbers_are_told(folder, capsys):
    (folder / "data.csv").write_text("0,1,2\n" + "".join(f"{i},{i % 7},{i % 2}\n" for i in range(50)))
    assert main(["train", "data.csv", "--rounds", "2"]) == 0
    said = capsys.readouterr().out
    assert "header       the first line, 0, 1, 2, ..., is taken as names (--no-header if it is data)" in said
    assert xgb.Booster(model_file="model.ubj").feature_names == ["0", "1"]


def test_columns_without_names_are_numbered(folder, capsys):
    (folder / "data.csv").write_text(",x, ,y\n" + "".join(f"{i},{i % 7},{i % 3},{i % 2}\n" for i in range(50)))
    assert main(["train", "data.csv", "--rounds", "2"]) == 0
    said = capsys.readouterr().out
    assert "unnamed      column 0 has no name: it is f0" in said
    assert "unnamed      column 2 has no name: it is f2" in said
    assert xgb.Booster(model_file="model.ubj").feature_names == ["f0", "x", "f2"]


def test_equal_names_are_an_error(folder, capsys):
    (folder / "data.csv").write_text("a,b,a\n1,2,3\n")
    assert main(["train", "data.csv"]) == 1
    assert (
        "Columns of 'data.csv' have the same name: 'a' is that of columns 0 and 2, counted" in capsys.readouterr().err
    )


NO_ENCODINGS = ("utf-99", "rot13", "base64", "zip", "hex", "\u00e9")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1", "utf-32"])
def test_encodings(folder, capsys, encoding):
    cities = ["Z\u00fcrich", "Oslo", "M\u00e1laga"]
    rows = [f"{cities[i % 3]},{i % 7},{i % 3 + i % 7}" for i in range(90)]
    raw = "\n".join(["city,x,y", *rows, ""])
    (folder / "data.csv").write_bytes(raw.encode(encoding))
    told = ["--encoding", encoding] if encoding in ("utf-16-le", "cp1252", "latin-1") else []
    if told:
        assert main(["train", "data.csv"]) == 1
        assert "--encoding" in capsys.readouterr().err
    assert main(["train", "data.csv", "--rounds", "3", "--nthread", "1", *told]) == 0
    (folder / "plain.csv").write_text(raw, encoding="utf-8")
    capsys.readouterr()
    for name in ("data.csv", "plain.csv"):  # the encoding of the training is remembered, and found out to be another
        if encoding == "utf-16-le" and name == "data.csv":
            continue  # zero bytes are an error of their own
        assert main(["predict", "model.ubj", name]) == 0
        assert not capsys.readouterr().err
    assert xgb.Booster(model_file="model.ubj").get_categories().values[0] == ["M\u00e1laga", "Oslo", "Z\u00fcrich"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *[(name, f"must be one that Python knows, such as cp1252; got '{name}'") for name in NO_ENCODINGS],
        ("ascii", "not encoded in ascii"),
    ],
)
def test_wrong_encodings_are_told(folder, capsys, encoding, text):
    (folder / "data.csv").write_text("\u00e9,y\n1,2\n", encoding="utf-8")
    assert main(["train", "data.csv", "--encoding", encoding]) == 1
    assert text in capsys.readouterr().err


def test_missing_cells_may_be_told(folder, capsys):
    rows = [
        ("unknown" if i % 5 == 0 else "-999" if i % 7 == 0 else str(i % 9), "none" if i % 4 == 0 else "ab"[i % 2])
        for i in range(200)
    ]
    (folder / "data.csv").write_text(
        "x,city,y\n" + "".join(f"{x},{city},{i % 2}\n" for i, (x, city) in enumerate(rows))
    )
    assert main(["train", "data.csv", "--na", "unknown", "--na=-999", "--na", "none", "--rounds", "3"]) == 0
    assert "2 features (1 of categories)" in capsys.readouterr().out
    model = xgb.Booster(model_file="model.ubj")
    assert model.feature_types == ["q", "c"]
    (folder / "new.csv").write_text("x,city\n-999.0,none\n,\nunknown,\n")  # the model remembers them
    assert main(["predict", "model.ubj", "new.csv", "--what", "margin"]) == 0
    found = capsys.readouterr()
    assert not found.err
    assert len(set(found.out.split()[1:])) == 1


@pytest.mark.parametrize(
    ("cell", "arguments", "text"),
    [
        ("inf", [], "has inf in line 7 of column 'x'; numbers must be below 3.4e38"),
        ("-Infinity", [], "has -inf in line 7 of column 'x'"),
        ("1e300", [], "has 1e+300 in line 7 of column 'x'"),
        ("1e999", [], "by --na=inf"),
    ],
)
def test_infinite_cells_name_file_line_and_column(folder, capsys, cell, arguments, text):
    rows = [f"{cell if i == 4 else i % 7},{i % 5 + 0.5}" for i in range(60)]
    (folder / "data.csv").write_text("x,y\n\n" + "\n".join(rows) + "\n")
    assert main(["train", "data.csv", *arguments]) == 1
    found = capsys.readouterr().err
    assert "'data.csv'" in found
    assert text in found
    value = found.partition("--na=")[2].partition(",")[0]
    assert main(["train", "data.csv", f"--na={value}", "--rounds", "2", "-q"]) == 0
    assert main(["train", "data.csv", "--drop", "y", "--label", "x"]) == 1
    assert "of column 'x'" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--delimiter", ";"], ["--encoding", "latin-1"], ["--no-header"], ["--na", "x"]])
def test_options_of_other_formats_are_refused(folder, capsys, option):
    (folder / "data.libsvm").write_text("0 1:2\n1 1:3\n")
    assert main(["train", "data.libsvm", *option]) == 1
    assert "makes no difference to 'data.libsvm'" in capsys.readouterr().err
