# SPDX-License-Identifier: Apache-2.0
import json
import re

import numpy as np
import pytest

import xgb_like as xgb


@pytest.fixture
def typed(regression):
    """A model on an indicator, an integer and a quantity, with names."""
    features, label = regression
    table = np.column_stack([features[:, 0] > 0, np.round(features[:, 1] * 3), features[:, 2]])
    data = xgb.DMatrix(table, label, feature_names=["flag", "count", "a b"], feature_types=["i", "int", "q"])
    return xgb.train({"max_depth": 3}, data, 3)


def leaves(text):
    return [float(value) for value in re.findall(r"leaf=([^,\n]+)", text)]


def test_text_dumps_have_the_known_form(typed):
    for tree in typed.get_dump(with_stats=True):
        for line in tree.splitlines():
            assert re.fullmatch(
                r"\t*\d+:(\[(flag|count<-?\d+|a b<[-\d.e]+)\] yes=\d+,no=\d+(,missing=\d+)?,gain=[\d.e+-]+,cover=[\d.]+"
                r"|leaf=[-\d.e]+,cover=[\d.]+)",
                line,
            ), line


def test_json_and_text_dumps_agree(typed):
    def values(node):
        return [node["leaf"]] if "leaf" in node else [v for child in node["children"] for v in values(child)]

    for text, tree in zip(typed.get_dump(), typed.get_dump(dump_format="json"), strict=True):
        assert sorted(values(json.loads(tree))) == pytest.approx(sorted(leaves(text)))


def test_dot_dumps_take_options(typed):
    text = typed.get_dump(dump_format='dot:{"rankdir": "LR", "leaf_node_params": {"shape": "box"}}')[0]
    assert text.startswith("digraph")
    assert 'rankdir="LR"' in text
    assert 'shape="box"' in text


@pytest.mark.parametrize("name", ["xml", "json:{}", "dot:{", ""])
def test_other_dump_formats_are_refused(booster, name):
    with pytest.raises(xgb.ParameterError, match="`dump_format`"):
        booster.get_dump(dump_format=name)


def test_names_are_escaped_in_json(regression):
    names = ['quo"te', "tab\tbed", "new\nline", "back\\slash", "日本"]
    booster = xgb.train({"max_depth": 6}, xgb.DMatrix(*regression, feature_names=names), 3)
    trees = [json.loads(tree) for tree in booster.get_dump(dump_format="json")]
    used = {node["split"] for tree in trees for node in _splits(tree)}
    assert used == set(booster.get_score())


def _splits(node):
    return [node, *(inner for child in node["children"] for inner in _splits(child))] if "children" in node else []


def test_dump_model_writes_all_trees(booster, tmp_path):
    booster.dump_model(tmp_path / "trees.txt", with_stats=True)
    text = (tmp_path / "trees.txt").read_text()
    assert [int(n) for n in re.findall(r"booster\[(\d+)\]:", text)] == [0, 1, 2, 3]
    booster.dump_model(tmp_path / "trees.json", dump_format="json")
    assert len(json.loads((tmp_path / "trees.json").read_text())) == 4


def test_importances_are_those_of_the_dump(booster):
    text = "\n".join(booster.get_dump(with_stats=True))
    splits = re.findall(r"\[(f\d)<.*gain=([\d.e+-]+),cover=([\d.e+]+)", text)
    for name, count in booster.get_fscore().items():
        gains = [float(gain) for feature, gain, _ in splits if feature == name]
        covers = [float(cover) for feature, _, cover in splits if feature == name]
        assert count == len(gains)
        assert booster.get_score(importance_type="total_gain")[name] == pytest.approx(sum(gains), rel=1e-6)
        assert booster.get_score(importance_type="gain")[name] == pytest.approx(np.mean(gains), rel=1e-6)
        assert booster.get_score(importance_type="cover")[name] == pytest.approx(np.mean(covers), rel=1e-6)
        assert booster.get_score(importance_type="total_cover")[name] == pytest.approx(sum(covers), rel=1e-6)


def test_unused_features_have_no_importance(regression):
    features = np.column_stack([regression[0], np.zeros(300)])
    score = xgb.train({}, xgb.DMatrix(features, regression[1]), 2).get_score()
    assert "f5" not in score
    assert all(type(value) is float for value in score.values())


def test_other_importances_are_refused(booster):
    with pytest.raises(xgb.ParameterError, match="`importance_type` must be one of weight, gain"):
        booster.get_score(importance_type="shap")


def test_the_table_of_nodes_is_that_of_the_dump(typed):
    pytest.importorskip("pandas")
    table = typed.trees_to_dataframe()
    assert list(table.columns) == (
        ["Tree", "Target", "Node", "ID", "Feature", "Split", "Yes", "No", "Missing", "Gain", "Cover", "Category"]
    )
    assert (table.Target == 0).all()
    dump = "\n".join(typed.get_dump())
    assert len(table) == len(re.findall(r"\d+:", dump))
    np.testing.assert_allclose(sorted(table[table.Feature == "Leaf"].Gain), sorted(leaves(dump)), rtol=1e-6)
    inner = table[table.Feature != "Leaf"]
    assert set(inner.Yes) | set(inner.No) == set(table.ID) - {"0-0", "1-0", "2-0"}
    counts = inner[inner.Feature == "count"].Split
    np.testing.assert_array_equal(counts, counts.round())
    assert inner[inner.Feature == "flag"].Split.isna().all()


def test_the_table_of_nodes_has_a_row_for_each_target_of_a_vector_leaf():
    pytest.importorskip("pandas")
    booster = xgb.train({"max_depth": 1}, xgb.DMatrix([[0.0], [1.0]], [[0, 1], [1, 0]]), 1)
    table = _with_vector_leaves(booster).trees_to_dataframe()
    assert list(table.columns)[:4] == ["Tree", "Target", "Node", "ID"]
    assert [str(table[name].dtype) for name in ("Target", "Gain", "Yes")] == ["Int64", "Float64", "string"]
    assert table.Category.tolist() == [None] * 5
    assert table.Target.fillna(-1).tolist() == [-1, 0, 1, 0, 1]
    assert table.ID.tolist() == ["0-0", "0-1", "0-1", "0-2", "0-2"]
    assert table.Gain.tolist()[1:] == [0.5, -0.5, 1.5, -1.5]
    assert table.Yes.tolist()[0] == "0-1"
    assert table.Yes.isna().tolist() == [False] + [True] * 4
    assert booster.trees_to_dataframe().Target.dropna().tolist() == [0, 0, 0, 1, 1, 1]


def test_the_table_of_nodes_tells_vector_leaves_from_trees_of_one_target(regression):
    pytest.importorskip("pandas")
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, -label, features[:, 1]]))
    booster = xgb.train({"max_depth": 2, "multi_strategy": "multi_output_tree"}, data, 1)
    booster.set_param("multi_strategy", "one_output_per_tree")
    booster.update(data, 1)
    table = booster.trees_to_dataframe()
    vectors, singles = table[table.Tree == 0], table[table.Tree > 0]
    inner = vectors.Feature != "Leaf"
    assert vectors.Target[inner].isna().all()
    assert vectors.Target[~inner].tolist() == [0, 1, 2] * (len(vectors[~inner]) // 3)
    assert (singles.Target == singles.Tree - 1).all()
    leaves = booster.predict(data, pred_leaf=True).astype(int)
    values = table[table.Feature == "Leaf"].set_index(["Tree", "Node", "Target"]).Gain
    first = [[values[tree, leaf, tree - 1] for tree, leaf in enumerate(row) if tree] for row in leaves[:5]]
    first += np.array([[values[0, row[0], target] for target in range(3)] for row in leaves[:5]])
    margins = booster.predict(xgb.DMatrix(features[:5], base_margin=np.zeros((5, 3))), output_margin=True)
    np.testing.assert_allclose(np.array(first, dtype=float), margins, rtol=1e-5)


@pytest.mark.parametrize("updater", ["grow_quantile_histmaker", "grow_quantile_histmaker,refresh"])
def test_the_cover_of_a_vector_leaf_counts_all_targets(regression, updater):
    features, label = regression
    targets = np.column_stack([label, -label, features[:, 1]])
    params = {"max_depth": 3, "multi_strategy": "multi_output_tree", "updater": updater}
    booster = xgb.train(params, xgb.DMatrix(features, targets), 2)
    roots = [json.loads(tree)["cover"] for tree in booster.get_dump(with_stats=True, dump_format="json")]
    assert roots == [3 * len(features)] * 2
    root = next(iter(booster.trees_to_dataframe().itertuples()))
    assert root.Cover == 3 * len(features)
    assert booster.get_score(importance_type="total_cover")[root.Feature] >= 3 * len(features)


def _with_vector_leaves(booster):
    """Return a model of only the first tree, with two values a leaf."""
    document = json.loads(booster.save_raw("json"))
    model = document["learner"]["gradient_booster"]["model"]
    model["trees"], model["tree_info"], model["iteration_indptr"] = model["trees"][:1], [0], [0, 1]
    model["gbtree_model_param"]["num_trees"] = "1"
    tree = model["trees"][0]
    tree["tree_param"]["size_leaf_vector"], tree["right_children"] = "2", [2, 0, 1]
    tree["leaf_weights"], tree["base_weights"] = [0.5, -0.5, 1.5, -1.5], [0.0] * 6
    return xgb.Booster(model_file=bytearray(json.dumps(document).encode()))


def test_an_untrained_booster_has_nothing_to_show():
    pytest.importorskip("pandas")
    booster = xgb.Booster()
    assert booster.get_dump() == []
    assert booster.get_score() == {}
    assert len(booster.trees_to_dataframe()) == 0


def test_histogram_of_split_values(booster):
    table = booster.get_split_value_histogram("f0", as_pandas=False)
    assert table[:, 1].sum() == booster.get_score()["f0"]
    assert len(booster.get_split_value_histogram("f0", bins=2, as_pandas=False)) <= 2
    assert booster.get_split_value_histogram("absent", as_pandas=False).shape == (0, 2)
    pytest.importorskip("pandas")
    assert list(booster.get_split_value_histogram("f0").columns) == ["SplitValue", "Count"]


def test_feature_maps_name_features(booster, tmp_path):
    fmap = tmp_path / "map.txt"
    fmap.write_text("0\tfirst one\tq\n1\tsecond\tint\n\n9\tbeyond\ti\n")
    score = booster.get_score(fmap)
    assert {"first one", "second"} <= set(score)
    assert "f0" not in score
    assert re.search(r"\[second<-?\d+\]", "".join(booster.get_dump(fmap)))
    assert len(booster.get_split_value_histogram("first one", fmap, as_pandas=False))


@pytest.mark.parametrize("line", ["0 a", "x\ta\tq", "0\ta\tz", "-1\ta\tq", "a b c d"])
def test_bad_feature_maps_are_refused(booster, tmp_path, line):
    fmap = tmp_path / "map.txt"
    fmap.write_text(f"0\ta\tq\n{line}\n")
    with pytest.raises(xgb.DataError, match="Line 2 of the feature map"):
        booster.get_dump(fmap)


def test_an_absent_feature_map_is_refused(booster):
    with pytest.raises(xgb.DataError, match=r"no feature map 'absent.txt'"):
        booster.get_score("absent.txt")


def test_json_dumps_are_json_where_a_threshold_is_infinite():
    features = np.zeros((14, 1), np.float32)
    features[5], features[9] = 3e38, np.nan
    params = {"max_depth": 1, "min_child_weight": 0, "tree_method": "exact"}
    booster = xgb.train(params, xgb.DMatrix(features, np.isnan(features[:, 0])), 1)
    assert json.loads(booster.get_dump(dump_format="json")[0])["split_condition"] == np.inf
    assert xgb.Booster(model_file=booster.save_raw("json")).save_raw() == booster.save_raw()


def test_options_of_dot_must_be_an_object(booster):
    with pytest.raises(xgb.ParameterError, match=r"JSON object; got '\[1\]'"):
        booster.get_dump(dump_format="dot:[1]")


def test_features_that_are_not_used_cost_nothing(booster):
    model = json.loads(booster.save_raw("json"))
    model["learner"]["learner_model_param"]["num_feature"] = "2000000000"
    wide = xgb.Booster(model_file=json.dumps(model).encode())
    assert wide.get_score() == booster.get_score()
    assert wide.get_dump() == booster.get_dump()
