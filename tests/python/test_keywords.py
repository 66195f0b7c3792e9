# SPDX-License-Identifier: Apache-2.0
import pytest

from xgb_like._keywords import tolerate_positions


@tolerate_positions
def _call(first, *, second=2, third=3):
    return first, second, third


def test_keywords_pass_without_a_warning():
    assert _call(1, third=5) == (1, 2, 5)


def test_positions_are_taken_with_a_warning_at_the_callers_line():
    with pytest.warns(FutureWarning, match="Pass `second` as keyword args") as caught:
        assert _call(1, 7) == (1, 7, 3)
    assert caught[0].filename == __file__


def test_too_many_positions_are_refused():
    with pytest.raises(TypeError, match="positional"):
        _call(1, 2, 3, 4)


def test_of_a_name_given_twice_the_position_counts():
    with pytest.warns(FutureWarning, match="`second` is given by name, too, which does not count"):
        assert _call(1, 2, second=3) == (1, 2, 3)
