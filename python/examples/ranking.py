# SPDX-License-Identifier: Apache-2.0
"""Learning to rank: documents of a query in the best order."""

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Rank generated search results by their grades of relevance."""
    rng = np.random.default_rng(0)
    queries, documents = 200, 15
    qid = np.repeat(np.arange(queries), documents)  # rows of a query stand together
    X = rng.normal(size=(len(qid), 6))
    merit = X[:, 0] + 0.5 * X[:, 1] * X[:, 2] + rng.normal(scale=0.3, size=len(qid))
    grade = np.digitize(merit, [-0.5, 0.5, 1.5])

    cut = 150 * documents
    train = xgb.DMatrix(X[:cut], grade[:cut], qid=qid[:cut])
    test = xgb.DMatrix(X[cut:], grade[cut:], qid=qid[cut:])
    params = {"objective": "rank:ndcg", "eval_metric": "ndcg@5", "eta": 0.1, "max_depth": 4}
    model = xgb.train(params, train, 60, evals=[(test, "test")], verbose_eval=20)

    scores = model.predict(test)[:documents]  # of the first query; only their order means something
    order = np.argsort(-scores)
    print("grades in the predicted order:", grade[cut : cut + documents][order].tolist())


if __name__ == "__main__":
    main()
