// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <thread>

#include "benchmarks/error.hpp"
#include "benchmarks/mpi/call.hpp"
#include "benchmarks/mpi/communicator.hpp"
#include "benchmarks/ranks/launcher.hpp"

namespace muster::benchmarks {
namespace {

// Open MPI 5 ends a rank at once where another has died, and with it all that could be said of that.
constexpr const char* seconds_before_abort = "1";

// One rank has often much to do while all others wait for it. MPI waits by polling, which takes the CPU from that one
// where CPUs are few.
constexpr std::chrono::microseconds time_to_poll{200};
constexpr std::chrono::milliseconds longest_nap{5};

// As MPI_Barrier, but sleeps. Returns early where MPI refuses: what follows says why.
void sleep_until_all_are_here(MPI_Comm communicator) {
  using Clock = std::chrono::steady_clock;
  MPI_Request all = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(communicator, &all) != MPI_SUCCESS) return;
  const auto start = Clock::now();
  for (int are_here = 0; MPI_Test(&all, &are_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && are_here == 0;) {
    const auto waited = Clock::now() - start;
    if (waited > time_to_poll) std::this_thread::sleep_for(std::min<Clock::duration>(waited / 4, longest_nap));
  }
}

// MPI from its start to its end. Only one thread ever calls it. Told of others that never do (MPI_THREAD_FUNNELED),
// Open MPI 4.1 takes locks in every call: 0.27 instead of 0.22 us for an allreduce of 64 B, which users' own jobs do
// not pay.
class Session {
 public:
  Session() {
    if (const auto problem = why_files_are_too_small(); !problem.empty()) throw Error(problem);
    if (is_alone_in_step(environ)) unsetenv("SLURM_STEP_ID");
    setenv("OMPI_MCA_opal_abort_delay", seconds_before_abort, 0);
    mpi::require_mpi(MPI_Init(nullptr, nullptr), "MPI_Init");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~Session() {
    sleep_until_all_are_here(MPI_COMM_WORLD);
    MPI_Finalize();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

constexpr int word_tag = 1;

// The ranks of a communicator.
class RankGroup : public Ranks {
 public:
  ~RankGroup() override { MPI_Wait(&telling_, MPI_STATUS_IGNORE); }
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  MPI_Comm communicator() const { return communicator_; }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string library() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    mpi::require_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
    return {text.data(), static_cast<std::size_t>(length)};
  }

  std::vector<std::string> gather(const std::string& text) override {
    const Steps::Inside inside(steps());
    sleep_until_all_are_here(communicator_);
    const bool root = rank_ == 0;
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(root ? static_cast<std::size_t>(size_) : 0);
    mpi::require_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, communicator_), "MPI_Gather");
    std::vector<int> offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
    std::string all(root ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0, '\0');
    mpi::require_mpi(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, 0,
                                 communicator_),
                     "MPI_Gatherv");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < lengths.size(); ++at)
      texts.push_back(all.substr(static_cast<std::size_t>(offsets[at]), static_cast<std::size_t>(lengths[at])));
    return texts;
  }

  std::string broadcast(const std::string& text) override {
    const Steps::Inside inside(steps());
    sleep_until_all_are_here(communicator_);
    int length = static_cast<int>(text.size());
    mpi::require_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, communicator_), "MPI_Bcast");
    std::string told = text;
    told.resize(static_cast<std::size_t>(length));
    mpi::require_mpi(MPI_Bcast(told.data(), length, MPI_CHAR, 0, communicator_), "MPI_Bcast");
    return told;
  }

  double max(double value) override { return reduced(value, MPI_MAX); }
  double sum(double value) override { return reduced(value, MPI_SUM); }

  void barrier() override {
    const Steps::Inside inside(steps());
    mpi::require_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
  }

  void tell(int rank, const std::string& text) override {
    mpi::require_mpi(MPI_Wait(&telling_, MPI_STATUS_IGNORE), "MPI_Wait");
    told_ = text;
    mpi::require_mpi(
        MPI_Isend(told_.data(), static_cast<int>(told_.size()), MPI_CHAR, rank, word_tag, communicator_, &telling_),
        "MPI_Isend");
  }

  std::optional<std::string> heard(int rank) override {
    int has_come = 0;
    MPI_Status status;
    mpi::require_mpi(MPI_Iprobe(rank, word_tag, communicator_, &has_come, &status), "MPI_Iprobe");
    if (has_come == 0) return std::nullopt;
    int length = 0;
    mpi::require_mpi(MPI_Get_count(&status, MPI_CHAR, &length), "MPI_Get_count");
    std::string text(static_cast<std::size_t>(length), '\0');
    mpi::require_mpi(MPI_Recv(text.data(), length, MPI_CHAR, rank, word_tag, communicator_, MPI_STATUS_IGNORE),
                     "MPI_Recv");
    return text;
  }

  std::unique_ptr<Ranks> split(int colour) override;

 protected:
  explicit RankGroup(MPI_Comm communicator) : communicator_(communicator) { look(); }
  RankGroup(MPI_Comm communicator, Steps& steps) : Ranks(steps), communicator_(communicator) { look(); }

 private:
  void look() {
    mpi::require_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    mpi::require_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  }

  double reduced(double value, MPI_Op op) {
    const Steps::Inside inside(steps());
    double result = value;
    mpi::require_mpi(MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, communicator_), "MPI_Allreduce");
    return result;
  }

  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 1;
  std::string told_;  // until `telling_` is over
  MPI_Request telling_ = MPI_REQUEST_NULL;
};

class World final : private Session, public RankGroup {
 public:
  World() : RankGroup(MPI_COMM_WORLD) {}
};

class Group final : public RankGroup {
 public:
  Group(MPI_Comm communicator, Steps& steps) : RankGroup(communicator, steps), owned_(communicator) {}
  ~Group() override { MPI_Comm_free(&owned_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

 private:
  MPI_Comm owned_;
};

std::unique_ptr<Ranks> RankGroup::split(int colour) {
  const Steps::Inside inside(steps());
  MPI_Comm made = MPI_COMM_NULL;
  mpi::require_mpi(MPI_Comm_split(communicator_, colour, rank_, &made), "MPI_Comm_split");
  return std::make_unique<Group>(made, steps());
}

}  // namespace

void mpi::require_mpi(int result, std::string_view call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int length = 0;
  MPI_Error_string(result, words.data(), &length);
  throw Error(fmt::format("{} failed: {}", call, words.data()));
}

MPI_Comm mpi::communicator(const Ranks& ranks) { return dynamic_cast<const RankGroup&>(ranks).communicator(); }

std::unique_ptr<Ranks> make_ranks() { return std::make_unique<World>(); }

}  // namespace muster::benchmarks
