# SPDX-License-Identifier: Apache-2.0
"""Dates and amounts as people write them, and what the user says of columns in place of a guess."""

import csv
from datetime import date, timedelta

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main
from xgb_like._cli._meanings import iso_days, moment, number

DAYS = [date(2024, 1, 1) + timedelta(days=7 * i % 400) for i in range(240)]
MONTHS = [
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
]  # strftime depends on the locale


def write(name, header, rows):
    with open(name, "w", newline="", encoding="utf-8") as stream:  # noqa: PTH123
        csv.writer(stream).writerows([header, *rows])


def lines(text):
    return list(csv.DictReader(text.splitlines()))


def trained(capsys, *arguments):
    assert main(["train", *arguments, "--rounds", "5", "--nthread", "1"]) == 0
    return capsys.readouterr().out


def margins(capsys, *arguments):
    assert main(["predict", "model.ubj", *arguments, "--what", "margin"]) == 0
    return [row["margin"] for row in lines(capsys.readouterr().out)]


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("31.01.2025", "dmy", (2025, 1, 31)), ("1/31/2025", "mdy", (2025, 1, 31)), ("03/04/2025", "dmy", (2025, 4, 3)),
        ("03/04/2025", "mdy", (2025, 3, 4)), ("3-4-25", "dmy", (2025, 4, 3)), ("3/4/69", "dmy", (1969, 4, 3)),
        ("2025/1/31", "mdy", (2025, 1, 31)), ("2025-01", "dmy", (2025, 1, 1)), ("31 Jan 2025", "mdy", (2025, 1, 31)),
        ("31-JAN-25", "dmy", (2025, 1, 31)), ("January 31, 2025", "dmy", (2025, 1, 31)),
        ("Fri, 31 Jan 2025", "dmy", (2025, 1, 31)), ("2025 Jan 31", "dmy", (2025, 1, 31)),
    ],
)  # fmt: skip
def test_dates_of_many_forms(text, order, day):
    days = (date(*day) - date(1970, 1, 1)).days
    assert moment(text, order) == days
    assert moment(f"{text} 06:00", order) == days + 0.25
    assert moment(f"{text} 6:00 PM", order) == days + 0.75


def test_the_quick_way_to_days_is_the_same():
    texts = [f"{year}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i, year in enumerate(range(1900, 2100))]
    texts += [f"{text} {i % 24:02}:{i % 60:02}:{i * 7 % 60:02}" for i, text in enumerate(texts)]
    np.testing.assert_array_equal(iso_days(texts), [moment(text) for text in texts])
    for text in (
        "2025-02-30",
        "2025-01-31T10:00+02",
        "0025-1-311",
        "2025-01-31 25:00:00",
        "+025-01-31",
        "0000-01-01",
        "",
    ):
        assert iso_days([*texts[:3], text]) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(47)", -47), ("(1,234.50)", -1234.5), ("$(47)", -47), ("($47)", -47), ("47-", -47), ("\u221247", -47),
        ("(12) %", -12), ("(-47)", np.nan), ("(47", np.nan), ("()", np.nan), ("-47-", np.nan), ("(4)(7)", np.nan),
        ("\u0664\u0667", np.nan), ("1_000", np.nan), ("0x1f", np.nan),
    ],
)  # fmt: skip
def test_amounts_as_accountants_write_them(text, value):
    np.testing.assert_equal(number(text, "."), value)


@pytest.mark.parametrize(
    "form",
    [
        "{0:%Y-%m-%d}", "{0:%d/%m/%Y}", "{0:%m/%d/%Y}", "{0.month}/{0.day}/{0:%y}", "{0:%d.%m.%Y}", "{0:%d-%m-%Y}",
        "{0.day} {1} {0.year}", "{1} {0.day}, {0.year}", "{0:%d}-{1}-{0:%y}", "{0:%Y/%m/%d}",
    ],
)  # fmt: skip
def test_a_column_of_dates_is_a_feature_in_any_usual_order(folder, capsys, form):
    texts = [form.format(day, MONTHS[day.month - 1]) for day in DAYS]
    write("data.csv", ("day", "y"), [(text, day.toordinal() % 90) for text, day in zip(texts, DAYS, strict=True)])
    said = trained(capsys, "data.csv")
    assert "dates        day: taken as days since 1970-01-01" in said
    assert "left out" not in said
    write("plain.csv", ("day", "y"), [(day.isoformat(), day.toordinal() % 90) for day in DAYS])
    same = margins(capsys, "data.csv")
    assert margins(capsys, "plain.csv") == same
    write("one.csv", ("day",), [(texts[40],)])  # 2024-10-07, whose order a file of one row does not show
    assert margins(capsys, "one.csv") == [same[40]]
    model = xgb.Booster(model_file=folder / "model.ubj")
    assert model.feature_types == ["q"]


def test_an_order_that_no_column_shows_is_asked_for(folder, capsys):
    firsts = [date(2024 + i % 2, i % 12 + 1, 1) for i in range(100)]
    rows = [(f"{day:%m/%d/%Y}", f"{DAYS[i]:%m/%d/%Y}", i % 7 + 0.5) for i, day in enumerate(firsts)]
    write("data.csv", ("month", "y"), [(first, y) for first, _, y in rows])
    assert main(["train", "data.csv"]) == 1
    found = capsys.readouterr().err
    assert "Column 'month' has dates that may be read in two ways, such as '02/01/2024' in line 3" not in found
    assert "--dates dmy or --dates mdy" in found
    said = trained(capsys, "data.csv", "--dates", "mdy")
    assert "dates        month: taken as days since 1970-01-01, the month first" in said
    told = margins(capsys, "data.csv")
    write("iso.csv", ("month", "y"), [(day.isoformat(), 0) for day in firsts])
    assert margins(capsys, "iso.csv") == told
    write("both.csv", ("month", "other", "y"), rows)  # the other column shows it
    assert "month: taken as days since 1970-01-01, the month first" in trained(capsys, "both.csv")
    assert folder


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("command", ["predict", "explain", "evaluate"])
@pytest.mark.parametrize("rows", [range(1, 29), range(13, 29)])
def test_another_order_than_that_of_the_training_is_asked_about(folder, capsys, command, rows):
    write("data.csv", ("day", "y"), [(f"{day:%m/%d/%Y}", i % 7 + 0.5) for i, day in enumerate(DAYS)])
    trained(capsys, "data.csv")
    write("new.csv", ("day", "y"), [(f"{day:02}/{day % 4 + 1:02}/2024", 1.5) for day in rows])
    assert main([command, "model.ubj", "new.csv"]) == 1
    found = capsys.readouterr()
    assert not found.out
    line = 15 - rows[0]
    assert f"Column 'day' of 'new.csv' has '13/02/2024' in line {line}; in the training data the month" in found.err
    assert "--dates dmy or --dates mdy" in found.err
    assert main([command, "model.ubj", "new.csv", "--dates", "dmy"]) == 0
    assert not capsys.readouterr().err
    if rows[0] == 1:  # what is told is obeyed
        assert main([command, "model.ubj", "new.csv", "--dates", "mdy"]) == 0
        assert "what is no date counts as missing, 16 of 28 cells" in capsys.readouterr().err
    assert folder


def test_what_training_counted_as_missing_does_not_show_another_order(folder, capsys):
    texts = [f"{day:%m/%d/%Y}" for day in DAYS]
    texts[7] = "13/02/2024"
    write("data.csv", ("day", "y"), [(text, i % 7 + 0.5) for i, text in enumerate(texts)])
    trained(capsys, "data.csv")
    assert main(["predict", "model.ubj", "data.csv"]) == 0
    assert not capsys.readouterr().err
    assert folder


def test_points_mean_that_the_day_comes_first(folder, capsys):
    write("data.csv", ("day", "y"), [(f"{i % 12 + 1:02}.{i % 11 + 1:02}.2025", i % 7 + 0.5) for i in range(100)])
    assert "the day first" in trained(capsys, "data.csv")
    assert folder


def test_a_cell_that_is_no_date_is_told_and_missing_cells_are_not(folder, capsys):
    texts = [f"{day:%m/%d/%Y}" for day in DAYS]
    texts[7], texts[9], texts[11] = "soon", "-", "NA"
    write("data.csv", ("day", "y"), [(text, i % 7 + 0.5) for i, text in enumerate(texts)])
    said = trained(capsys, "data.csv")
    assert "what is no date counts as missing, 1 of 238 cells; the first is 'soon' in line 9" in said
    assert folder


def test_amounts_are_a_feature(folder, capsys):
    amounts = [(i * 37 % 1000) - 300 for i in range(240)]
    texts = [f"({-a:,})" if a < 0 else "-" if a == 0 else f"{a:,}" for a in amounts]
    write("data.csv", ("amount", "y"), [(text, a % 7 + 0.5) for text, a in zip(texts, amounts, strict=True)])
    assert "left out" not in trained(capsys, "data.csv", "--decimal", ".")
    write("plain.csv", ("amount", "y"), [(a or "", 0) for a in amounts])
    assert margins(capsys, "plain.csv") == margins(capsys, "data.csv")
    assert xgb.Booster(model_file=folder / "model.ubj").feature_types == ["q"]


def overridden():
    rows = [
        (f"r{i}", i % 5, f"2025{i % 12 + 1:02}{i % 28 + 1:02}", ("a", "b", i % 9)[i % 3], i % 7 + 0.5)
        for i in range(240)
    ]
    write("data.csv", ("id", "code", "day", "part", "y"), rows)


@pytest.mark.parametrize("joined", [True, False])
def test_the_user_says_what_columns_are(folder, capsys, joined):
    overridden()
    options = ["--keep", "id", "--as-category", "code,part"] if joined else [
        "--keep", "id", "--as-category", "code", "--as-category", "part"
    ]  # fmt: skip
    said = trained(capsys, "data.csv", *options, "--as-date", "day")
    assert "left out" not in said
    assert "dates        day: taken as days since 1970-01-01" in said
    model = xgb.Booster(model_file=folder / "model.ubj")
    assert dict(zip(model.feature_names, model.feature_types, strict=True)) == {
        "id": "c", "code": "c", "day": "q", "part": "c",
    }  # fmt: skip
    assert model.get_categories().values[1] == list("01234")
    write("new.csv", ("id", "code", "day", "part"), [("r0", 1, "20250203", "5"), ("r0", 1, "2025-02-03", "5")])
    for command in (["predict", "model.ubj", "new.csv"], ["explain", "model.ubj", "new.csv"]):
        assert main(command) == 0
        assert not capsys.readouterr().err
    first, second = margins(capsys, "new.csv")
    assert first == second
    assert main(["evaluate", "model.ubj", "data.csv"]) == 0


def test_numbers_among_texts_may_be_asked_for(folder, capsys):
    overridden()
    assert "categories" not in trained(capsys, "data.csv", "--as-number", "part")
    model = xgb.Booster(model_file=folder / "model.ubj")
    assert dict(zip(model.feature_names, model.feature_types, strict=True))["part"] == "q"
    write("new.csv", ("code", "day", "part"), [(1, "20250203", "a"), (1, "20250203", "")])
    assert len(set(margins(capsys, "new.csv"))) == 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            ["--as-category", "cod"],
            "there is no column 'cod'. Did you mean 'code'? The columns are id, code",
        ),
        (["--keep", "id,prat"], "`--keep`: there is no column 'prat'. Did you mean 'part'?"),
        (["--drop", "id,dya"], "`--drop`: there is no column 'dya'. Did you mean 'day'?"),
        (["--as-date", "id"], "`--as-date`: column 'id' has no date, but texts such as 'r0'"),
        (["--as-number", "id"], "`--as-number`: column 'id' has no number, but texts such as 'r0'"),
        (
            ["--as-number", "part", "--as-category", "part"],
            "it is named by --as-category and --as-number",
        ),
    ],
)
def test_wishes_that_cannot_be_met_are_told(folder, capsys, options, text):
    overridden()
    assert main(["train", "data.csv", *options]) == 1
    assert text in capsys.readouterr().err
    assert folder


def test_what_is_left_out_is_left_out_for_a_true_reason(folder, capsys):
    rows = [(f"name {i * 7 % 160}", i % 7 + 0.5, i % 3) for i in range(240)]
    write("data.csv", ("name", "y", "x"), rows)
    said = trained(capsys, "data.csv", "--label", "y")
    assert "left out     name: 160 different texts in 240 cells, such as 'name 0': too few come again to learn" in said
    assert "(--keep name)" in said
    write("gaps.csv", ("name", "y", "x"), [(name if i % 3 == 0 else "", y, x) for i, (name, y, x) in enumerate(rows)])
    assert "left out     name: 80 different texts in 80 cells" in trained(capsys, "gaps.csv", "--label", "y")
    assert folder


def test_numbers_among_what_is_left_out_are_told(folder, capsys):
    names = ("half", "more", "marks", "unit", "odd")
    rows = [
        (
            ("TBD", "N/A", f"{i / 3:.2f}")[i % 3],
            ("?", "unknown", "-")[i // 2 % 3] if i % 2 else f"{i / 2}1",
            f"{i + 1}_{i % 900 + 100}",
            ("-", f"{i} kg")[i % 2],
            (f"{i / 2}1", "-x y")[i % 2],
            i % 7,
        )
        for i in range(300)
    ]
    write("data.csv", (*names, "x", "y"), [(*row, i % 4) for i, row in enumerate(rows)])
    said = trained(capsys, "data.csv", "--label", "y")
    parts = "{}: {} % of the cells are numbers, too few to take it as such ({}), and too few of the texts come again"
    assert parts.format("half", 50, "--as-number half, or --na TBD") in said
    assert parts.format("more", 75, "--as-number more, or --na unknown") in said
    assert parts.format("odd", 50, "--as-number odd, or '--na=-x y'") in said
    for text in ("such as '1_100': too few", "such as '1 kg': too few"):
        assert text in said
    assert said.count("if they mean numbers, leave only digits, signs and decimals in the cells") == 2
    trained(capsys, "data.csv", "--label", "y", "--na", "TBD", "--as-number", "more", "--na=-x y", "--quiet")
    assert xgb.Booster(model_file="model.ubj").feature_names == ["half", "more", "odd", "x"]
    assert folder
