// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "benchmarks/collectives/collective_data.hpp"

namespace muster::benchmarks {

// A collective of all ranks of a job that is measured. A sample is one or several calls, each on buffers of its own, so
// that what was timed is also what is verified. All ranks make the same calls; they throw Error.
class TimedCollective {
 public:
  virtual ~TimedCollective() = default;
  // Writes the inputs of an iteration and spoils what lies in the places of the results.
  virtual void prepare(std::uint64_t iteration) = 0;
  // Makes the calls, when all ranks are ready; this rank's seconds inside all of them.
  virtual double seconds() = 0;
  // Of all calls; an index counts from the first element of the first call.
  virtual WrongElements verify() = 0;
};

}  // namespace muster::benchmarks
