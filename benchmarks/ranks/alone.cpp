// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/alone.hpp"

namespace muster::benchmarks {
namespace {

class Alone final : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string library() const override { return {}; }
  std::vector<std::string> gather(const std::string& text) override { return {text}; }
  std::string broadcast(const std::string& text) override { return text; }
  double max(double value) override { return value; }
  double sum(double value) override { return value; }
  void barrier() override {}
  void tell(int, const std::string&) override {}
  std::optional<std::string> heard(int) override { return std::nullopt; }
  std::unique_ptr<Ranks> split(int) override { return std::make_unique<Alone>(); }
};

}  // namespace

std::unique_ptr<Ranks> make_alone() { return std::make_unique<Alone>(); }

}  // namespace muster::benchmarks
