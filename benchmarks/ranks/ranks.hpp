// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/ranks/steps.hpp"

namespace muster::benchmarks {

// The processes of one job. Calls that are not const are collective, but for steps(), tell() and heard(): all ranks
// make them, in one order. They throw Error when the library underneath refuses.
class Ranks {
 public:
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // What connects them, as it calls itself: "Open MPI v4.1.4, ..."; empty for one process alone.
  virtual std::string library() const = 0;
  // The texts of all ranks, by rank, on rank 0; nothing on the others.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  // The text of rank 0 on every rank.
  virtual std::string broadcast(const std::string& text) = 0;
  // The greatest value of all ranks on every rank.
  virtual double max(double value) = 0;
  // The sum over all ranks on every rank.
  virtual double sum(double value) = 0;
  virtual void barrier() = 0;
  // A text for this rank, which must hear it before this one tells another. Does not wait for that.
  virtual void tell(int rank, const std::string& text) = 0;
  // The next text that this rank has told this one; nothing where none has come yet.
  virtual std::optional<std::string> heard(int rank) = 0;
  // The ranks that name the same colour, in their order, as a job of their own; what they do counts as steps of this
  // one, which must outlive them.
  virtual std::unique_ptr<Ranks> split(int colour) = 0;

  // How far this process has come in the collective calls, these and those of the check.
  Steps& steps() { return steps_; }

 protected:
  Ranks() : steps_(own_steps_) {}
  explicit Ranks(Steps& shared) : steps_(shared) {}

 private:
  Steps own_steps_;
  Steps& steps_;
};

// The ranks that this program was started with; defined by what is linked, alone/ or mpi/.
std::unique_ptr<Ranks> make_ranks();

// The texts of all ranks, by rank, on every rank. Collective.
std::vector<std::string> all_gather(Ranks& ranks, const std::string& own);

// The numbers of all ranks, by rank, on rank 0; nothing on the others. The ranks are of one build. Collective.
std::vector<std::vector<double>> gather_numbers(Ranks& ranks, std::span<const double> own);

// The same, never with all numbers in one place: calls `take` on rank 0 with the next ones of every rank, as often as
// it takes. All ranks have as many. Collective.
void gather_in_parts(Ranks& ranks, std::span<const double> own,
                     const std::function<void(const std::vector<std::vector<double>>& part)>& take);

// Runs the part on every rank. What the first rank throws, every rank throws, as Error with the same words.
void together(Ranks& ranks, const std::function<void()>& part);

}  // namespace muster::benchmarks
