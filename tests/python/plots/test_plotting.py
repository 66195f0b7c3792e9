# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import plotting
from xgb_like._plots._style import BLUE

colors = pytest.importorskip("matplotlib.colors")

pytestmark = pytest.mark.usefixtures("plt")


def render(ax):
    """Draw for real, and return the boxes of the texts by what they say."""
    figure = ax.get_figure()
    figure.canvas.draw()
    return figure


def boxes_of(texts):
    return [text.get_window_extent() for text in texts if text.get_text()]


def overlapping(boxes):
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)]


def test_drawing_is_imported_when_it_is_used():
    program = "import sys, xgb_like as xgb; xgb.plot_tree, xgb.plotting; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "graphviz"} & set(done.stdout.split())
    assert {"plot_importance", "plot_tree", "to_graphviz"} <= set(dir(xgb))


def test_importance_is_drawn_in_rising_order(named):
    ax = xgb.plot_importance(named, importance_type="gain")
    score = sorted(named.get_score(importance_type="gain").values())
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(score)
    assert (ax.get_title(), ax.get_ylabel()) == ("Feature importance", "Features")
    assert ax.get_xlabel() == "Importance score"
    render(ax)
    assert not overlapping(boxes_of([*ax.texts, *ax.get_yticklabels()]))
    assert all(ax.get_window_extent().x1 >= box.x1 for box in boxes_of(ax.texts))


def test_importance_takes_xgboosts_options(named, plt):
    _, own = plt.subplots()
    ax = xgb.plot_importance(
        named.get_fscore(), ax=own, max_num_features=2, title=None, xlabel=None, ylabel="Y", color=["r", "b"],
        values_format="<{v:.1f}>", xlim=(0, 99), ylim=(-1, 3), grid=False,
    )  # fmt: skip
    assert ax is own
    assert [bar.get_facecolor()[:3] for bar in ax.patches] == [(1.0, 0, 0), (0, 0, 1.0)]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("", "", "Y")
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 99), (-1, 3))
    assert all(text.get_text().startswith("<") and text.get_text().endswith(".0>") for text in ax.texts)
    assert not xgb.plot_importance(named, show_values=False).texts


def test_bars_of_importance_leave_a_tenth_of_the_axis_free():
    assert xgb.plot_importance({"a": 10, "b": 1}).get_xlim() == (0, 11)


def kind_below(ax):
    """The texts below the label of the axis."""
    return [box.offsetbox.get_text() for box in ax.artists]


@pytest.mark.parametrize("kind", ["weight", "gain", "cover", "total_gain", "total_cover"])
def test_the_axis_says_which_importance_it_is(named, kind):
    ax = xgb.plot_importance(named, importance_type=kind)
    (text,) = kind_below(ax)
    assert set(kind.split("_")) <= set(text.replace(":", " ").split())
    render(ax)
    (box,) = ax.artists
    inked, label = box.offsetbox.get_window_extent(), ax.xaxis.label.get_window_extent()
    assert ax.figure.bbox.y0 <= inked.y0 < inked.y1 <= label.y0
    assert not kind_below(xgb.plot_importance(named, importance_type=kind, xlabel=None))
    assert not kind_below(xgb.plot_importance(named.get_score(importance_type=kind)))


@pytest.mark.parametrize("values", [(-123456.7, 2.0, 0.0), (-1.0, -2.0, -3.0), (1e6, 123456.0, -0.5)])
def test_values_of_negative_bars_are_beside_them(values):
    names = ["a name that is so long that it takes all of the room", "negative", "c"]
    ax = xgb.plot_importance(dict(zip(names, values, strict=True)))
    for dpi in (70, 150):
        ax.get_figure().set_dpi(dpi)
        render(ax)
        assert not overlapping(boxes_of([*ax.texts, *ax.get_yticklabels()]))
        assert not overlapping(boxes_of(ax.get_xticklabels()))
        inside = ax.get_window_extent()
        assert all(inside.x0 <= box.x0 and box.x1 <= inside.x1 for box in boxes_of(ax.texts))


def test_names_of_many_bars_are_small_enough(plt):
    _, ax = plt.subplots(figsize=(5, 4))
    xgb.plot_importance({f"feature {i}": i + 1.0 for i in range(60)}, ax=ax)
    render(ax)
    assert not overlapping(boxes_of(ax.get_yticklabels()))
    assert not overlapping(boxes_of(ax.texts))
    tall = xgb.plot_importance({f"feature {i}": i + 1.0 for i in range(3000)}, show_values=False)
    assert tall.get_figure().get_figheight() <= 80


ALIKE = [
    f"transactions_last_{days}_days_over_all_channels_and_products_by_customer_demographics_mean" for days in (30, 90)
]


@pytest.mark.parametrize("most", [None, 24])
def test_long_names_differ_in_every_picture(most):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 2))
    model = xgb.train({"max_depth": 2}, xgb.DMatrix(features, features.sum(axis=1), feature_names=ALIKE), 3)
    data = xgb.DMatrix(features, feature_names=ALIKE)
    for ax in (
        xgb.plot_importance(model, max_name_length=most),
        plotting.plot_shap_summary(model, data, max_name_length=most),
    ):
        names = {text.get_text() for text in ax.get_yticklabels()}
        assert len(names) == 2
        assert (most is None) == ({name.replace("\n", "") for name in names} == set(ALIKE))
    tree = xgb.plot_tree(model, max_name_length=most)
    shown = {
        text.get_text().replace("\n", "").partition(" <")[0] for text in node_texts(tree) if "<" in text.get_text()
    }
    assert len(shown) == 2
    assert (most is None) == (shown == set(ALIKE))
    with pytest.raises(ValueError, match="`max_name_length` must be >= 5"):
        xgb.plot_importance(model, max_name_length=2)


def test_importance_of_linear_models_may_be_negative(classes):
    weights = {"positive": 2.0, "negative": -3.0}
    assert xgb.plot_importance(weights).get_xlim()[0] < -3
    several = xgb.train(
        {"booster": "gblinear", "objective": "multi:softprob", "num_class": 3}, xgb.DMatrix(*classes), 2
    )
    bars = xgb.plot_importance(several).patches
    assert max(bar.get_width() for bar in bars) == pytest.approx(
        max(np.abs(w).sum() for w in several.get_score().values())
    )


@pytest.mark.parametrize(
    ("source", "options", "text"),
    [
        ({}, {}, "nothing to draw"),
        (3, {}, "`booster` must be a Booster, or an estimator.*got int"),
        ({"a": 1}, {"xlim": 3}, "`xlim` must be a tuple of two numbers; got 3"),
        ({"a": 1}, {"ylim": (1,)}, "`ylim` must be a tuple"),
        ({"a": 1}, {"max_num_features": 0}, "`max_num_features` must be >= 1"),
        ({"a": 1}, {"ax": 3}, "`ax` must be matplotlib Axes or None; got int"),
    ],
)
def test_importance_refuses(source, options, text):
    with pytest.raises(ValueError, match=text):
        xgb.plot_importance(source, **options)


def node_texts(ax):
    return [text for text in ax.texts if text.get_gid() == "node"]


@pytest.mark.parametrize("rankdir", [None, "TB", "LR"])
@pytest.mark.parametrize("with_stats", [False, True])
def test_a_drawn_tree_has_all_nodes_and_no_overlaps(named, rankdir, with_stats):
    ax = xgb.plot_tree(named, tree_idx=1, rankdir=rankdir, with_stats=with_stats)
    render(ax)
    nodes = node_texts(ax)
    assert len(nodes) == named.get_dump()[1].strip().count("\n") + 1 == len(ax.patches)
    assert not overlapping([patch.get_window_extent() for patch in ax.patches])
    assert not overlapping(boxes_of([text for text in ax.texts if text.get_gid() == "edge"]))
    for text, box in zip(nodes, ax.patches, strict=True):
        inside, outside = text.get_window_extent(), box.get_window_extent()
        assert outside.x0 <= inside.x0
        assert inside.x1 <= outside.x1
        assert text.get_text().count("cover") == with_stats


def luminance(color):
    return float(np.dot(colors.to_rgb(color), (0.299, 0.587, 0.114)))


@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot"])
def test_pictures_take_the_ground_of_the_style(named, regression, style, plt):
    with plt.style.context(style):
        tree = xgb.plot_tree(named)
        ground = luminance(tree.get_figure().get_facecolor())
        for text, box in zip(node_texts(tree), tree.patches, strict=True):
            assert abs(luminance(box.get_facecolor()) - ground) < 0.5
            assert abs(luminance(box.get_facecolor()) - luminance(text.get_color())) > 0.4
        edges = [text.get_bbox_patch().get_facecolor() for text in tree.texts if text.get_gid() == "edge"]
        assert {luminance(color) for color in edges} == {ground}
        splits = plotting.plot_split_value_histogram(named, "debt")
        assert splits.patches[0].get_edgecolor()[:3] == colors.to_rgb(splits.get_facecolor())
        dots = plotting.plot_shap_summary(named, xgb.DMatrix(regression[0], feature_names=named.feature_names))
        shades = [
            points.cmap(value) for points in dots.collections if points.get_array() is not None for value in (0.0, 1)
        ]
        assert min(abs(luminance(shade) - luminance(dots.get_facecolor())) for shade in shades) > 0.15


def test_partial_dependence_is_the_mean_over_rows(named, regression):
    features, _ = regression
    ax = plotting.plot_partial_dependence(named, xgb.DMatrix(features, feature_names=named.feature_names), "debt")
    line = ax.lines[0]
    changed = features.copy()
    changed[:, 2] = line.get_xdata()[7]
    assert line.get_ydata()[7] == pytest.approx(
        named.inplace_predict(changed, validate_features=False).mean(), abs=1e-5
    )
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("debt", "Prediction")


def test_partial_dependence_of_many_kinds(booster, regression):
    features, _ = regression
    axes = plotting.plot_partial_dependence(booster, features, [0, "f1", (0, 1)], kind="both", max_rows=50)
    assert [ax.get_xlabel() for ax in axes] == ["f0", "f1", "f0"]
    assert len(axes[0].lines) == 50 + 2
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert axes[2].collections[0].get_array().size == 400
    render(axes[0])


def test_partial_dependence_of_categories_has_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"city": pandas.Categorical(["Oslo", "Rome", None, "Bern"] * 10)})
    model = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(frame, frame.city == "Rome"), 3)
    ax = plotting.plot_partial_dependence(model, frame, "city")
    assert [text.get_text() for text in ax.get_xticklabels()][-1] == "Rome"
    assert ax.get_ylabel() == "Probability of class 1"


def test_pictures_take_axes_of_a_part_of_a_figure(named, regression, plt):
    data = xgb.DMatrix(regression[0], feature_names=named.feature_names)
    parts = plt.figure(layout="constrained").subfigures(2, 2).ravel()
    axes = [part.subplots() for part in parts]
    assert xgb.plot_importance(named, ax=axes[0]) is axes[0]
    assert xgb.plot_tree(named, ax=axes[1]) is axes[1]
    assert plotting.plot_shap_summary(named, data, ax=axes[2]) is axes[2]
    assert plotting.plot_partial_dependence(named, data, "age", ax=axes[3]) is axes[3]


def test_booleans_are_no_and_yes():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"flag": [True, False, False, True] * 10, "size": np.arange(40.0)})
    model = xgb.train({}, xgb.DMatrix(frame, -10.0 * frame["flag"] + frame["size"]), 9)
    ax = plotting.plot_partial_dependence(model, frame, "flag", kind="both")
    assert texts_of(ax.get_xticklabels()) == ["no", "yes"]
    low = xgb.explain.partial_dependence(model, frame, "flag").average
    assert ax.lines[0].get_ydata().tolist() == low.tolist()
    assert texts_of(plotting.plot_partial_dependence(model, frame, ("size", "flag")).get_yticklabels()) == ["no", "yes"]


@pytest.mark.parametrize(
    ("params", "label", "names"),
    [
        ({"objective": "reg:quantileerror", "quantile_alpha": [0.05, 0.5]}, 1, ["quantile 0.05", "quantile 0.5"]),
        ({"objective": "reg:expectileerror", "expectile_alpha": [0.1, 0.9]}, 1, ["expectile 0.1", "expectile 0.9"]),
        ({"objective": "reg:quantileerror", "quantile_alpha": 0.9}, 1, ["quantile 0.9"]),
        ({"objective": "reg:gaussian"}, 1, ["mean", "variance"]),
        ({"objective": "reg:squarederror"}, 2, ["target 0", "target 1"]),
        ({"objective": "multi:softprob", "num_class": 3}, 0, ["class 0", "class 1", "class 2"]),
    ],
)
def test_pictures_say_which_output_they_show(regression, params, label, names):
    features, values = regression
    labels = np.digitize(values, [-1, 1]) if label == 0 else np.column_stack([values] * label)
    model = xgb.train({**params, "max_depth": 2}, xgb.DMatrix(features, labels), 2)
    for output, name in enumerate(names):
        kind = "Probability" if label == 0 else "Prediction"
        assert plotting.plot_partial_dependence(model, features, 0, output=output).get_ylabel() == f"{kind} of {name}"
        if len(names) > 1:
            drawn = plotting.plot_shap_summary(model, features, kind="bars", output=output).get_xlabel()
            assert drawn == f"Mean absolute contribution to the margin of {name}"


def test_maps_of_a_constant_feature_have_cells():
    features = np.column_stack([np.ones(50), np.arange(50)])
    model = xgb.train({}, xgb.DMatrix(features, features[:, 1]), 5)
    ax = plotting.plot_partial_dependence(model, features, (0, 1))
    assert ax.collections[0].get_datalim(ax.transData).width == pytest.approx(1)
    assert ax.get_xlim() == (0.5, 1.5)


@pytest.fixture
def towns():
    """Rows of 60 categories and of 5, and a model of them."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "town": pandas.Categorical([f"Place number {row % 60}" for row in range(600)]),
            "size": pandas.Categorical(["tiny", "small", "middle", "large", "huge"] * 120),
        }
    )
    label = frame["town"].cat.codes + 9 * frame["size"].cat.codes
    return xgb.train({"max_depth": 4}, xgb.DMatrix(frame, label), 40), frame


def texts_of(ticks):
    return [text.get_text() for text in ticks]


def test_of_many_categories_the_lowest_and_the_highest_are_shown(towns):
    model, frame = towns
    ax = plotting.plot_partial_dependence(model, frame, "town")
    render(ax)
    ticks = ax.get_xticklabels()
    assert len(ticks) == 31
    assert ticks[15].get_text() == "30 more"
    assert not overlapping(boxes_of(ticks))
    heights = ax.lines[0].get_ydata()
    assert len(heights) == 30
    assert (np.diff(heights) >= 0).all()


@pytest.mark.parametrize("columns", [("size", "town"), ("town", "size")])
def test_maps_name_categories_in_the_order_of_their_effect(towns, columns):
    model, frame = towns
    ax = plotting.plot_partial_dependence(model, frame, columns)
    render(ax)
    ticks = dict(zip(columns, (ax.get_xticklabels(), ax.get_yticklabels()), strict=True))
    found = xgb.explain.partial_dependence(model, frame, "size")
    assert texts_of(ticks["size"]) == found.grid[0][np.argsort(found.average)].tolist()
    assert texts_of(ticks["town"])[15] == "30 more"
    assert not any(overlapping(boxes_of(texts)) for texts in ticks.values())
    cells = ax.collections[0].get_array().reshape(len(ax.get_yticks()), -1)
    drawn = cells if columns[0] == "size" else cells.T
    assert np.ma.getmaskarray(drawn).sum() == 5
    assert np.ma.getmaskarray(drawn)[15].all()
    assert (np.diff(drawn.mean(axis=0)) >= 0).all()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"features": "f9"}, "no feature 'f9'"),
        ({"features": 5}, "from 0 to 4; got 5"),
        ({"features": (0, 1, 2)}, "a tuple of two"),
        ({"features": []}, "at least one feature"),
        ({"features": 0, "kind": "all"}, "`kind` must be one of"),
        ({"features": 0, "output": 1}, "`output` must be from 0 to 0"),
        ({"features": 0, "data": np.full((3, 5), np.nan)}, "All values of feature 0 are missing"),
        ({"features": 0, "data": np.empty((0, 5))}, "no rows"),
    ],
)
def test_partial_dependence_refuses(booster, regression, options, text):
    with pytest.raises(ValueError, match=text):
        plotting.plot_partial_dependence(booster, **{"data": regression[0], **options})


def test_split_values_are_counted(booster):
    ax = plotting.plot_split_value_histogram(booster, "f0", bins=5)
    assert sum(bar.get_height() for bar in ax.patches) == booster.get_fscore()["f0"]
    assert len(ax.patches) == 5
    assert ax.get_title() == "Where f0 is split"
    assert plotting.plot_split_value_histogram(booster, 0, title=None).get_title() == ""
    for feature, text in (("f9", "no feature 'f9'"), (9, "from 0 to 4; got 9")):
        with pytest.raises(ValueError, match=text):
            plotting.plot_split_value_histogram(booster, feature)


@pytest.mark.parametrize(("count", "bars"), [(4, 3), (40, 39), (90, 45)])
def test_bars_of_whole_numbers_stand_for_as_many_each(count, bars):
    ages = np.tile(np.arange(count), 5)[:, None]
    label = np.random.default_rng(0).normal(size=count)[ages[:, 0]]
    model = xgb.train({"max_depth": 9, "eta": 1}, xgb.DMatrix(ages, label, feature_types=["int"]), 9)
    drawn = plotting.plot_split_value_histogram(model, 0).patches
    assert len(drawn) == bars
    assert {bar.get_width() for bar in drawn} == {-(-(count - 1) // 50)}
    assert drawn[0].get_x() == 0.5
    assert all(place % 1 == 0 for place in drawn[0].axes.get_xticks())


def test_a_feature_without_splits_has_no_histogram(regression):
    features, _ = regression
    model = xgb.train({"max_depth": 1}, xgb.DMatrix(features, features[:, 1]), 1)
    with pytest.raises(ValueError, match="never splits by 'f0'"):
        plotting.plot_split_value_histogram(model, 0)


def test_contributions_are_drawn_as_they_are():
    contributions = np.array([[0.1, -2.0, 9.0], [0.0, 3.0, 9.0], [0.2, np.float64(1), 9.0]])
    ax = plotting.plot_shap_summary(contributions, np.array([[1.0, np.nan], [2, 3], [np.nan, 4]]))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["f0", "f1"]
    drawn = np.sort(np.concatenate([points.get_offsets()[:, 0] for points in ax.collections]))
    assert drawn.tolist() == pytest.approx(np.sort(contributions[:, :2].ravel()).tolist())
    render(ax)


def test_contributions_of_a_model_are_its_own():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": np.arange(40.0), "city": pandas.Categorical(["Oslo", "Rome"] * 20)})
    model = xgb.train({}, xgb.DMatrix(frame, frame["age"] + 20 * (frame["city"] == "Rome")), 5)
    ax = plotting.plot_shap_summary(model, frame)
    drawn = np.concatenate([points.get_offsets()[:, 0] for points in ax.collections])
    contributions = model.predict(xgb.DMatrix(frame), pred_contribs=True)[:, :-1]
    np.testing.assert_allclose(np.sort(drawn), np.sort(contributions.ravel()), atol=1e-5)
    coloured = [points for points in ax.collections if points.get_array() is not None]
    assert sum(len(points.get_offsets()) for points in coloured) == 40


def test_features_that_contribute_nothing_are_left_out():
    contributions = np.array([[1.0, 0, -2, 0], [0, 0, 1, 0]])
    for kind in ("dots", "bars"):
        ax = plotting.plot_shap_summary(contributions, kind=kind, feature_names=["a", "b", "c"])
        assert texts_of(ax.get_yticklabels()) == ["a", "c"]


def test_the_colours_of_few_contributions_have_a_readable_label():
    ax = plotting.plot_shap_summary(np.array([[1.0, 0], [-1, 0]]), np.array([[1.0], [2]]))
    figure = render(ax)
    bar = figure.axes[1]
    assert not overlapping(boxes_of([bar.yaxis.label, *bar.get_yticklabels()]))


def test_mean_contributions_are_bars():
    contributions = np.tile([[1.0, -2, 0], [0, 0, 0]], (4, 1, 1))
    ax = plotting.plot_shap_summary(contributions, kind="bars", feature_names=["a", "b"], max_num_features=1)
    assert [bar.get_width() for bar in ax.patches] == [2]
    assert ax.patches[0].get_facecolor() == colors.to_rgba(BLUE)
    assert len(plotting.plot_shap_summary(contributions, kind="bars", output=1).patches) == 2


@pytest.mark.parametrize(
    ("source", "options", "text"),
    [
        (np.zeros(3), {}, "must have the shape"),
        (np.zeros((0, 3)), {}, "at least one row"),
        (np.zeros((2, 3)), {"data": np.zeros((2, 7))}, "does not fit contributions"),
        (np.zeros((2, 3)), {"feature_names": ["a"]}, "must name the 2 features; got 1"),
        (np.zeros((2, 3)), {"kind": "x"}, "`kind` must be one of"),
        (np.zeros((2, 3)), {"max_num_features": 0}, "`max_num_features` must be >= 1"),
        (np.zeros((2, 2, 3)), {"output": 2}, "`output` must be from 0 to 1"),
        (xgb.Booster(), {}, "`data` is needed with a model"),
    ],
)
def test_contributions_refuse(source, options, text):
    with pytest.raises(ValueError, match=text):
        plotting.plot_shap_summary(source, **options)


def test_outputs_go_by_the_labels_of_classes(regression):
    pytest.importorskip("sklearn")
    features, label = regression
    three = xgb.XGBClassifier(n_estimators=2).fit(features, np.array(["x", "y", "z"])[np.digitize(label, [-1, 1])])
    curves = [plotting.plot_partial_dependence(three, features, 0, output=output).lines[0] for output in ("z", 2)]
    assert np.array_equal(*(line.get_ydata() for line in curves))
    assert plotting.plot_partial_dependence(three, features, 0, output="z").get_ylabel() == "Probability of class z"
    assert plotting.plot_shap_summary(three, features, kind="bars", output="y").patches
    with pytest.raises(ValueError, match="the number of an output, or one of the classes .*; got 'w'"):
        plotting.plot_partial_dependence(three, features, 0, output="w")
    two = xgb.XGBClassifier(n_estimators=2).fit(features, label > 0)
    assert plotting.plot_partial_dependence(two, features, 0, output=True).lines
    with pytest.raises(ValueError, match="one output, which is of the class True"):
        plotting.plot_partial_dependence(two, features, 0, output=False)
