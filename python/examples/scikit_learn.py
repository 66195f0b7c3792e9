# SPDX-License-Identifier: Apache-2.0
"""The estimators in scikit-learn: pipelines, searches, cross-validation."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split

import xgb_like as xgb


def main() -> None:
    """Fit, search and cross-validate."""
    X, y = make_classification(n_samples=2_000, n_features=12, n_informative=5, random_state=0)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

    model = xgb.XGBClassifier(n_estimators=300, learning_rate=0.1, early_stopping_rounds=20, eval_metric="logloss")
    model.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
    print(f"accuracy {model.score(X_test, y_test):.3f} with {model.best_iteration + 1} rounds")

    names = np.array(["no", "yes"])  # labels may be texts
    named = xgb.XGBClassifier(n_estimators=20).fit(X_train, names[y_train])
    print("classes:", named.classes_.tolist(), "first predictions:", named.predict(X_test[:3]).tolist())

    search = GridSearchCV(xgb.XGBClassifier(n_estimators=40), {"max_depth": [2, 6], "reg_lambda": [1, 10]}, cv=3)
    search.fit(X_train, y_train)
    print("best parameters:", search.best_params_)

    scores = cross_val_score(xgb.XGBRegressor(n_estimators=40), X, X[:, 0] + y, cv=3)
    print(f"R2 of a regressor in cross-validation: {scores.mean():.3f}")


if __name__ == "__main__":
    main()
