# SPDX-License-Identifier: Apache-2.0
"""Write small model files for the fuzzer to start from: ``python seed_corpus.py FOLDER``."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

FLOATS = {"base_weights", "leaf_weights", "loss_changes", "split_conditions", "sum_hessian", "weight_drop"}
BYTES = {"default_left", "split_type"}
LONGS = {"categories_segments", "categories_sizes"}


def tree(*, vector: bool = False, categories: bool = False) -> dict[str, Any]:
    """Return a tree with one split, in the shape that newer versions write."""
    nodes = 3
    made: dict[str, Any] = {
        "base_weights": [0.5] * (nodes * 2 if vector else nodes),
        "categories": [1, 3] if categories else [],
        "categories_nodes": [0] if categories else [],
        "categories_segments": [0] if categories else [],
        "categories_sizes": [2] if categories else [],
        "default_left": [1, 0, 0],
        "id": 0,
        "left_children": [1, -1, -1],
        "loss_changes": [1.5, 0.0, 0.0],
        "parents": [-1 if vector else 2147483647, 0, 0],
        "right_children": [2, 0, 1] if vector else [2, -1, -1],
        "split_conditions": [0.5, 0.25, -0.25],
        "split_indices": [1, 0, 0],
        "split_type": [int(categories), 0, 0],
        "sum_hessian": [5.0, 2.0, 3.0],
        "tree_param": {
            "num_deleted": "0",
            "num_feature": "2",
            "num_nodes": str(nodes),
            "size_leaf_vector": "2" if vector else "1",
        },
    }
    if vector:
        made["leaf_weights"] = [0.5, -0.5, 1.5, -1.5]
    return made


def model(made: dict[str, Any], *, outputs: int = 1, dart: bool = False) -> dict[str, Any]:
    """Return a model of one tree."""
    forest = {
        "cats": {
            "enc": [{"offsets": [0, 1, 3], "values": [97, 98, 99]}, {"type": 15, "values": [4, -5]}],
            "feature_segments": [0, 2, 4],
            "sorted_idx": [0, 1, 1, 0],
        },
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
        "iteration_indptr": [0, 1],
        "tree_info": [0],
        "trees": [made],
    }
    booster: dict[str, Any] = {"model": forest, "name": "gbtree"}
    if dart:
        booster = {"gbtree": booster, "name": "dart", "weight_drop": [0.5]}
    return {
        "learner": {
            "attributes": {"best_iteration": "0"},
            "feature_names": ["a", "b"],
            "feature_types": ["int", "c"],
            "gradient_booster": booster,
            "learner_model_param": {
                "base_score": "5E-1" if outputs == 1 else "[5E-1,1E0]",
                "boost_from_average": "1",
                "num_class": "0",
                "num_feature": "2",
                "num_target": str(outputs),
            },
            "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
        },
        "version": [3, 2, 0],
    }


def ubjson(value: Any, name: str = "") -> bytes:
    """Return a value as xgboost writes it: long lengths, arrays of numbers with one type."""
    if isinstance(value, dict):
        members = (struct.pack(">cq", b"L", len(k)) + k.encode() + ubjson(v, k) for k, v in value.items())
        return b"{" + b"".join(members) + b"}"
    if isinstance(value, str):
        return b"S" + struct.pack(">cq", b"L", len(value)) + value.encode()
    if isinstance(value, int):
        return struct.pack(">cb", b"i", value)
    length = struct.pack(">cq", b"L", len(value))
    if name in {"enc", "trees", "feature_names", "feature_types", "version", "tree_info", "iteration_indptr"}:
        return b"[#" + length + b"".join(ubjson(item) for item in value)
    marker = "d" if name in FLOATS else "U" if name in BYTES else "L" if name in LONGS else "l"
    code = {"d": "f", "U": "B", "L": "q", "l": "i"}[marker]
    return b"[$" + marker.encode() + b"#" + length + struct.pack(f">{len(value)}{code}", *value)


def main(folder: Path) -> None:
    """Write each model in both formats."""
    folder.mkdir(parents=True, exist_ok=True)
    models = {
        "plain": model(tree()),
        "categories": model(tree(categories=True)),
        "vector": model(tree(vector=True), outputs=2),
        "dart": model(tree(), dart=True),
    }
    for name, content in models.items():
        (folder / f"{name}.json").write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
        (folder / f"{name}.ubj").write_bytes(ubjson(content))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
