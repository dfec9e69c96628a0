// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <numeric>

#include "benchmarks/error.hpp"
#include "benchmarks/mpi/call.hpp"

namespace muster::benchmarks {
namespace {

// MPI from its start to its end.
class Session {
 public:
  Session() {
    int provided = 0;
    require_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

class World final : public Ranks {
 public:
  World() {
    require_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    require_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string library() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    require_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
    return {text.data(), static_cast<std::size_t>(length)};
  }

  std::vector<std::string> gather(const std::string& text) override {
    const Steps::Inside inside(steps());
    const bool root = rank_ == 0;
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(root ? static_cast<std::size_t>(size_) : 0);
    require_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Gather");
    std::vector<int> offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
    std::string all(root ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0, '\0');
    require_mpi(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, 0,
                            MPI_COMM_WORLD),
                "MPI_Gatherv");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < lengths.size(); ++at)
      texts.push_back(all.substr(static_cast<std::size_t>(offsets[at]), static_cast<std::size_t>(lengths[at])));
    return texts;
  }

  std::string broadcast(const std::string& text) override {
    const Steps::Inside inside(steps());
    int length = static_cast<int>(text.size());
    require_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    std::string told = text;
    told.resize(static_cast<std::size_t>(length));
    require_mpi(MPI_Bcast(told.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return told;
  }

  double max(double value) override { return reduced(value, MPI_MAX); }
  double sum(double value) override { return reduced(value, MPI_SUM); }

  void barrier() override {
    const Steps::Inside inside(steps());
    require_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  }

 private:
  double reduced(double value, MPI_Op op) {
    const Steps::Inside inside(steps());
    double result = value;
    require_mpi(MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD), "MPI_Allreduce");
    return result;
  }

  Session session_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

void require_mpi(int result, std::string_view call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int length = 0;
  MPI_Error_string(result, words.data(), &length);
  throw Error(fmt::format("{} failed: {}", call, words.data()));
}

std::unique_ptr<Ranks> make_ranks() { return std::make_unique<World>(); }

}  // namespace muster::benchmarks
