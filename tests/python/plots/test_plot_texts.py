# SPDX-License-Identifier: Apache-2.0
"""The texts in pictures: names and numbers."""

import pytest

from xgb_like._data._summaries import shorten, shorten_all
from xgb_like._plots._style import distinct_numbers, number, wrapped


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (123456.0, "123,456"),
        (-0.123456, "\u22120.1235"),
        (1e-9, "1e\u221209"),
        (float("nan"), "nan"),
        (99999.0, "99999"),
        (18083.4, "18083"),
        (-123456.7, "\u2212123,457"),
        (99999.7, "100,000"),
        (1.25e9, "1.25e+09"),
    ],
)
def test_numbers_are_short(value, text):
    assert number(value) == text


def test_long_names_lose_their_middle():
    assert shorten("x" * 40) == "x" * 40
    assert len(shorten("begin" + "x" * 90 + "end")) == 40
    assert shorten("begin" + "x" * 90 + "end").endswith("end")


def test_names_are_cut_so_that_they_differ():
    names = [
        "sales_of_the_last_30_days_mean",
        "sales_of_the_last_90_days_mean",
        *(f"{'x' * 50}{i}{'y' * 50}" for i in range(30)),
        "short",
        "short",
    ]
    cut = shorten_all(names, 20)
    assert len(set(cut)) == len(set(names))
    assert cut[-2:] == ["short", "short"]
    assert shorten_all([], 20) == []


def test_lines_break_after_words():
    assert wrapped("one_two three.four", 8) == "one_two\nthree.\nfour"
    assert wrapped("x" * 20, 8) == "\n".join(["x" * 8, "x" * 8, "xxxx"])
    assert wrapped("", 8) == ""


def test_numbers_have_as_many_digits_as_tell_them_apart():
    assert distinct_numbers([0.123456, 0.2], 4) == {0.123456: "0.1235", 0.2: "0.2"}
    assert distinct_numbers([1.00001, 1.00002], 4) == {1.00001: "1.00001", 1.00002: "1.00002"}
    assert distinct_numbers([1.7e9, -7.0], 4) == {1.7e9: "1,700,000,000", -7.0: "\N{MINUS SIGN}7"}
    assert (
        len(set(distinct_numbers([1 + 1e-12, 1 + 2e-12], 4))) == 2
    )  # beyond float32: equal texts, but no endless search
