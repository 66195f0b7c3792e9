// SPDX-License-Identifier: Apache-2.0
// What LightGBM, CatBoost and scikit-learn call metrics, for messages.
#include "base/registry.h"
#include "metric/metric.h"

namespace xgbl {
namespace {

NamesElsewhere<Metric> const kNames({
    {"l2", "rmse"},
    {"l2_root", "rmse"},
    {"mse", "rmse"},
    {"mean_squared_error", "rmse"},
    {"root_mean_squared_error", "rmse"},
    {"regression", "rmse"},
    {"regression_l2", "rmse"},
    {"multirmse", "rmse"},
    {"l1", "mae"},
    {"mean_absolute_error", "mae"},
    {"regression_l1", "mae"},
    {"mean_absolute_percentage_error", "mape"},
    {"msle", "rmsle"},
    {"binary", "logloss"},
    {"binary_logloss", "logloss"},
    {"log_loss", "logloss"},
    {"crossentropy", "logloss"},
    {"cross_entropy", "logloss"},
    {"xentropy", "logloss"},
    {"multilogloss", "logloss"},
    {"binary_error", "error"},
    {"zerooneloss", "error"},
    {"multiclass", "mlogloss"},
    {"multi_logloss", "mlogloss"},
    {"softmax", "mlogloss"},
    {"multi_error", "merror"},
    {"roc_auc", "auc"},
    {"aucmu", "auc_mu"},
    {"prauc", "aucpr"},
    {"pr_auc", "aucpr"},
    {"balancedaccuracy", "balanced_accuracy"},
    {"totalf1", "f1"},
    {"brierscore", "brier"},
    {"hammingloss", "hamming"},
    {"poisson", "poisson-nloglik"},
    {"gamma", "gamma-nloglik"},
    {"gamma_deviance", "gamma-deviance"},
    {"tweedie", "tweedie-nloglik"},
    {"rmsewithuncertainty", "gaussian-nloglik"},
    {"multiquantile", "quantile"},
    {"cox", "cox-nloglik"},
    {"aft", "aft-nloglik"},
    {"survivalaft", "aft-nloglik"},
    {"lambdarank", "ndcg"},
    {"rank_xendcg", "ndcg"},
    {"xendcg", "ndcg"},
    {"mean_average_precision", "map"},
    {"precisionat", "pre"},
    {"recallat", "recall"},
});

}  // namespace
}  // namespace xgbl
