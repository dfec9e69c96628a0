// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/thread_ranks.hpp"

#include <algorithm>
#include <barrier>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/host/team.hpp"

namespace muster::benchmarks {
namespace {

// Where the threads put what they say.
struct Table {
  explicit Table(std::size_t count)
      : all(static_cast<std::ptrdiff_t>(count)), texts(count), numbers(count), words(count) {}

  std::barrier<> all;
  std::exception_ptr failure;  // of the first rank that threw; guarded by mutex, as words are
  std::vector<std::string> texts;
  std::vector<double> numbers;
  std::mutex mutex;
  std::vector<std::map<std::size_t, std::deque<std::string>>> words;  // for each rank, from each
};

class ThreadRank final : public Ranks {
  // What is heard when all have said something.
  template <class Item, class Hear>
  auto said(std::vector<Item>& items, const Item& own, const Hear& hear) {
    items[rank_] = own;
    barrier();
    auto heard = hear();
    barrier();
    return heard;
  }

 public:
  ThreadRank(Table& table, std::size_t rank) : table_(table), rank_(rank) {}

  int rank() const override { return static_cast<int>(rank_); }
  int size() const override { return static_cast<int>(table_.texts.size()); }
  std::string library() const override { return "threads"; }

  std::vector<std::string> gather(const std::string& text) override {
    return said(table_.texts, text, [&] { return rank_ == 0 ? table_.texts : std::vector<std::string>(); });
  }
  std::string broadcast(const std::string& text) override {
    return said(table_.texts, text, [&] { return table_.texts.front(); });
  }
  double max(double value) override {
    return said(table_.numbers, value, [&] { return std::ranges::max(table_.numbers); });
  }
  double sum(double value) override {
    return said(table_.numbers, value, [&] { return std::reduce(table_.numbers.begin(), table_.numbers.end()); });
  }
  void barrier() override {
    table_.all.arrive_and_wait();
    const std::lock_guard lock(table_.mutex);
    expect_all_well();
  }
  void tell(int rank, const std::string& text) override {
    const std::lock_guard lock(table_.mutex);
    table_.words.at(static_cast<std::size_t>(rank))[rank_].push_back(text);
  }
  std::optional<std::string> heard(int rank) override {
    const std::lock_guard lock(table_.mutex);
    expect_all_well();
    auto& words = table_.words[rank_][static_cast<std::size_t>(rank)];
    if (words.empty()) return std::nullopt;
    auto text = std::move(words.front());
    words.pop_front();
    return text;
  }
  std::unique_ptr<Ranks> split(int) override { throw std::logic_error("threads are not split"); }

 private:
  void expect_all_well() const {
    if (table_.failure) std::rethrow_exception(table_.failure);
  }

  Table& table_;
  std::size_t rank_;
};

}  // namespace

void as_ranks(std::size_t count, const std::function<void(Ranks&)>& body) {
  Table table(count);
  host::Team(count).run([&](std::size_t rank) {
    try {
      ThreadRank own(table, rank);
      body(own);
    } catch (...) {
      const std::lock_guard lock(table.mutex);
      if (!table.failure) table.failure = std::current_exception();
      table.all.arrive_and_drop();  // nobody waits for this rank
      std::rethrow_exception(table.failure);
    }
  });
}

}  // namespace muster::benchmarks
