// SPDX-License-Identifier: Apache-2.0
// Several threads on one booster.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>

#include "base/error.h"
#include "boost/training.h"

namespace xgbl {
namespace {

Booster::Pairs const kParams{{"max_depth", "3"}, {"subsample", "0.7"}, {"nthread", "2"}};
constexpr int kRounds = 30;

std::string BytesOf(Learner const& learner) { return WriteModel(learner.GetModel(), FileFormat::kJson); }

TEST(ConcurrentCalls, ReadersSeeModelsOfWholeRoundsWhileAnotherThreadTrains) {
  auto const data = Training(), other = Training(50);
  Model const whole = Trained(kParams, data, kRounds).Snapshot()->GetModel();
  Booster booster = Trained(kParams, data, 1);
  std::atomic<bool> trained{false};
  auto const read = [&] {
    for (bool last = false; !last;) {
      last = trained;
      auto const seen = booster.Snapshot();
      std::size_t const rounds = seen->GetModel().Rounds();
      EXPECT_EQ(BytesOf(*seen), WriteModel(whole.Slice(0, rounds, 1), FileFormat::kJson));
      EXPECT_LE(rounds, booster.Read([](Learner const& learner) { return learner.GetModel().Rounds(); }));
      seen->Predict(*other, PredictionKind::kValue, {0, rounds}, false, {});
      Booster(booster).Evaluate(other);
    }
  };
  std::thread first(read), second(read);
  for (int i = 1; i < kRounds; ++i) booster.Update(data);
  trained = true;
  first.join();
  second.join();
  EXPECT_EQ(booster.Snapshot()->GetModel().Rounds(), whole.Rounds());
}

TEST(ConcurrentCalls, ThreadsThatTrainOneBoosterAddTheirRoundsInTurn) {
  auto const data = Training();
  Booster booster;
  booster.SetParams(kParams);
  auto const train = [&] {
    for (int i = 0; i < kRounds / 2; ++i) booster.Update(data);
  };
  std::thread second(train);
  train();
  second.join();
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(kParams, data, kRounds)));
}

TEST(ConcurrentCalls, ChangesByAnotherThreadComeBetweenRounds) {
  auto const data = Training();
  Booster booster = Trained(kParams, data, 1);
  std::thread trainer([&] {
    for (int i = 1; i < kRounds; ++i) booster.Update(data);
  });
  for (int i = 0; i < kRounds; ++i) {
    booster.SetParams({{"verbosity", i % 2 == 0 ? "0" : "2"}, {"gpu_id", "0"}});
    booster.EditModel([&](Model* model) { model->attributes["count"] = std::to_string(i); });
    booster.DropCaches();
    booster.TakeMessages();
  }
  trainer.join();
  booster.EditModel([](Model* model) { model->attributes.clear(); });
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(kParams, data, kRounds)));
}

TEST(ConcurrentCalls, ReadersDoNotWaitForARound) {
  auto const data = Training();
  Booster booster = Trained(kParams, data, 2);
  std::string const before = BytesOf(booster);
  int reads = 0;
  booster.Update(data, [&] {  // in the middle of the round, on the thread whose turn it is
    EXPECT_EQ(BytesOf(booster), before);
    booster.Predict(*data, PredictionKind::kValue, {});
    ++reads;
    return false;
  });
  EXPECT_GT(reads, 0);
}

TEST(ConcurrentCalls, AThreadThatWaitsCanBeInterrupted) {
  auto const data = Training();
  Booster booster = Trained(kParams, data, 2);
  std::promise<void> inside, over;
  bool waited = false;
  std::thread trainer([&] {
    booster.Update(data, [&] {
      if (!waited) inside.set_value();
      if (!waited) over.get_future().wait();
      waited = true;
      return false;
    });
  });
  inside.get_future().wait();
  EXPECT_THROW(booster.Update(data, [] { return true; }), Cancelled);
  EXPECT_THROW(booster.SetParams({{"eta", "0.1"}}, [] { return true; }), Cancelled);
  over.set_value();
  trainer.join();
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(kParams, data, 3)));
}

TEST(ConcurrentCalls, ACallFromWithinACallIsRefused) {
  auto const data = Training();
  Booster booster = Trained(kParams, data, 2);
  booster.Update(data, [&] {
    EXPECT_THROW(booster.Update(data), ParamError);
    EXPECT_THROW(booster.SetParams({{"eta", "0.1"}}), ParamError);
    return false;
  });
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(kParams, data, 3)));
}

}  // namespace
}  // namespace xgbl
