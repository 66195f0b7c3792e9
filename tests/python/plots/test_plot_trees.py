# SPDX-License-Identifier: Apache-2.0
"""Trees that matplotlib and graphviz draw."""

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.usefixtures("plt")


def node_texts(ax):
    return [text for text in ax.texts if text.get_gid() == "node"]


def test_graphviz_is_that_of_the_dump(named):
    graphviz = pytest.importorskip("graphviz")
    source = xgb.to_graphviz(named, tree_idx=2, with_stats=True)
    assert isinstance(source, graphviz.Source)
    assert source.source.strip() == named.get_dump(dump_format="dot", with_stats=True)[2].strip()
    assert xgb.to_graphviz(named, tree_idx=-1).source == xgb.to_graphviz(named, tree_idx=4).source


def test_graphviz_takes_attributes(named):
    text = xgb.to_graphviz(
        named, rankdir="LR", yes_color="#00ff00", no_color="red", condition_node_params={"shape": "box"},
        leaf_node_params={"style": "dashed"}, bgcolor="pink",
    ).source  # fmt: skip
    for part in ('rankdir="LR"', "#00ff00", "red", 'shape="box"', 'style="dashed"', 'bgcolor="pink"'):
        assert part in text


def test_plot_tree_tells_what_only_graphviz_has(named):
    with pytest.warns(UserWarning, match="size has no effect"):
        xgb.plot_tree(named, size="9,9")


@pytest.mark.parametrize("draw", [xgb.to_graphviz, xgb.plot_tree])
def test_a_tree_that_is_not_there(named, regression, draw):
    with pytest.raises(IndexError, match="from 0 to 4, the last tree of the model; got 5"):
        draw(named, tree_idx=5)
    with pytest.warns(FutureWarning, match="use `tree_idx`"):
        draw(named, num_trees=0)
    linear = xgb.train({"booster": "gblinear"}, xgb.DMatrix(*regression), 1)
    with pytest.raises(ValueError, match="linear"):
        draw(linear)


@pytest.mark.parametrize("dpi", [50, 70, 72, 100, 150, 300])
def test_texts_stay_in_their_boxes_at_every_resolution(dpi):
    names = ["illicit_till_still_fill", "WWW_MMM_WWW_MMM_WWW_MMM"]
    features = np.random.default_rng(0).normal(size=(200, 2))
    model = xgb.train({"max_depth": 3}, xgb.DMatrix(features, features.sum(axis=1) * 1e3, feature_names=names), 1)
    ax = xgb.plot_tree(model, with_stats=True)
    ax.get_figure().set_dpi(dpi)
    ax.get_figure().canvas.draw()
    for text, box in zip(node_texts(ax), ax.patches, strict=True):
        inside, outside = text.get_window_extent(), box.get_window_extent()
        assert outside.x0 <= inside.x0
        assert inside.x1 <= outside.x1
        assert outside.y0 <= inside.y0
        assert inside.y1 <= outside.y1


def test_texts_are_black_or_white_on_colours_that_are_given(named):
    ax = xgb.plot_tree(named, condition_node_params={"fillcolor": "navy"}, leaf_node_params={"fillcolor": "yellow"})
    assert {text.get_color() for text in node_texts(ax)} == {"white", "black"}


def test_thresholds_that_differ_look_different():
    times = np.repeat([1_638_194_000, 1_638_195_000, 1_638_196_000], 10)[:, None].astype(float)
    label = np.repeat([0.0, 5, 9], 10)
    for types in (["int"], ["q"]):
        model = xgb.train({"max_depth": 2}, xgb.DMatrix(times, label, feature_types=types), 1)
        shown = [text.get_text() for text in node_texts(xgb.plot_tree(model)) if "<" in text.get_text()]
        assert len(set(shown)) == 2
        assert all(text.startswith("f0 < 1,638,19") for text in shown)


def test_a_drawn_tree_shrinks_to_its_axes(named, plt):
    _, ax = plt.subplots(figsize=(3, 2))
    large = node_texts(xgb.plot_tree(named))[0].get_fontsize()
    assert node_texts(xgb.plot_tree(named, ax=ax))[0].get_fontsize() < large


def test_drawn_categories_have_their_names():
    pandas = pytest.importorskip("pandas")
    city = pandas.Categorical(["Oslo", "Rome", "Bern", "Oslo"] * 20)
    data = xgb.DMatrix(pandas.DataFrame({"city": city}), np.asarray(city == "Rome", float))
    ax = xgb.plot_tree(xgb.train({"max_depth": 1, "min_child_weight": 0}, data, 1))
    assert node_texts(ax)[0].get_text() in ("city in {Rome}", "city in {Bern, Oslo}")
    assert {text.get_text() for text in ax.texts if text.get_gid() == "edge"} == {"yes", "no,\nmissing"}


def test_graphviz_names_categories_as_drawn_trees_do(tmp_path):
    pytest.importorskip("graphviz")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"city": pandas.Categorical(["Oslo", "Rome", "Bern", "Oslo"] * 20)})
    data = xgb.DMatrix(frame, np.asarray(frame["city"] == "Rome", float))
    model = xgb.train({"max_depth": 1, "min_child_weight": 0, "max_cat_to_onehot": 1}, data, 1)
    fmap = tmp_path / "names"
    fmap.write_text("0 place c\n", encoding="utf-8")
    for name, option in (("city", ""), ("place", fmap)):
        drawn = node_texts(xgb.plot_tree(model, fmap=option))[0].get_text()
        assert drawn in (f"{name} in {{Rome}}", f"{name} in {{Bern, Oslo}}")
        assert f'label="{drawn}"' in xgb.to_graphviz(model, fmap=option).source


def test_drawn_trees_of_one_leaf_of_integers_and_of_vectors(regression):
    features, label = regression
    leaf = xgb.train({"gamma": 1e9}, xgb.DMatrix(features, label), 1)
    assert len(node_texts(xgb.plot_tree(leaf))) == 1
    integers = xgb.DMatrix(np.arange(10)[:, None], np.arange(10) > 4, feature_types=["int"])
    assert node_texts(xgb.plot_tree(xgb.train({"max_depth": 1}, integers, 1)))[0].get_text() == "f0 < 5"
    vectors = {"multi_strategy": "multi_output_tree", "max_depth": 1}
    targets = xgb.DMatrix(features, np.column_stack([label, -label]))
    assert node_texts(xgb.plot_tree(xgb.train(vectors, targets, 1)))[1].get_text().count("\n") == 1


def test_long_leaves_are_cut_and_make_no_other_level_tall():
    rng = np.random.default_rng(0)
    features, label = rng.normal(size=(300, 2)), np.arange(300) % 30
    params = {"objective": "multi:softprob", "num_class": 30, "multi_strategy": "multi_output_tree", "max_depth": 2}
    ax = xgb.plot_tree(xgb.train(params, xgb.DMatrix(features, label), 1))
    texts = {text.get_text(): text.get_position()[1] for text in node_texts(ax)}
    leaves = [text for text in texts if "more" in text]
    assert {text.count("\n") for text in leaves} == {16}
    assert all(text.endswith("\n14 more") for text in leaves)
    first, second, third = sorted({round(height, 6) for height in texts.values()}, reverse=True)
    assert first - second < (second - third) / 2


def test_a_drawn_tree_takes_colours(named):
    looks = {"color": "red", "fillcolor": "black", "shape": "ellipse"}
    ax = xgb.plot_tree(named, yes_color="lime", no_color="navy", condition_node_params=looks)
    assert {line.get_color() for line in ax.lines} == {"lime", "navy"}
    assert ax.patches[0].get_facecolor()[:3] == (0, 0, 0)
    with pytest.raises(ValueError, match="`rankdir` must be TB or LR"):
        xgb.plot_tree(named, rankdir="XX")
