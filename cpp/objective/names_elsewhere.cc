// SPDX-License-Identifier: Apache-2.0
// What LightGBM, CatBoost and scikit-learn call losses, for messages.
#include "base/registry.h"
#include "objective/objective.h"

namespace xgbl {
namespace {

NamesElsewhere<Objective> const kNames({
    {"regression", "reg:squarederror"},
    {"regression_l2", "reg:squarederror"},
    {"l2", "reg:squarederror"},
    {"l2_root", "reg:squarederror"},
    {"mse", "reg:squarederror"},
    {"rmse", "reg:squarederror"},
    {"mean_squared_error", "reg:squarederror"},
    {"root_mean_squared_error", "reg:squarederror"},
    {"squared_error", "reg:squarederror"},
    {"multirmse", "reg:squarederror"},
    {"regression_l1", "reg:absoluteerror"},
    {"l1", "reg:absoluteerror"},
    {"mae", "reg:absoluteerror"},
    {"mean_absolute_error", "reg:absoluteerror"},
    {"absolute_error", "reg:absoluteerror"},
    {"quantile", "reg:quantileerror"},
    {"multiquantile", "reg:quantileerror"},
    {"expectile", "reg:expectileerror"},
    {"huber", "reg:huber"},
    {"mean_absolute_percentage_error", "reg:mape"},
    {"msle", "reg:squaredlogerror"},
    {"rmsle", "reg:squaredlogerror"},
    {"rmsewithuncertainty", "reg:gaussian"},
    {"binary", "binary:logistic"},
    {"logloss", "binary:logistic"},
    {"log_loss", "binary:logistic"},
    {"binary_logloss", "binary:logistic"},
    {"logistic", "binary:logistic"},
    {"hinge", "binary:hinge"},
    {"multiclass", "multi:softprob"},
    {"softmax", "multi:softprob"},
    {"softprob", "multi:softprob"},
    {"multi_logloss", "multi:softprob"},
    {"multiclassonevsall", "multi:ova"},
    {"lambdarank", "rank:ndcg"},
    {"lambdamart", "rank:ndcg"},
    {"pairlogit", "rank:pairwise"},
    {"pairlogitpairwise", "rank:pairwise"},
    {"yetirank", "rank:yeti"},
    {"yetirankpairwise", "rank:yeti"},
    {"xendcg", "rank:xendcg"},
    {"xe_ndcg", "rank:xendcg"},
    {"xe_ndcg_mart", "rank:xendcg"},
    {"xendcg_mart", "rank:xendcg"},
    {"cox", "survival:cox"},
    {"aft", "survival:aft"},
    {"survivalaft", "survival:aft"},
});

}  // namespace
}  // namespace xgbl
