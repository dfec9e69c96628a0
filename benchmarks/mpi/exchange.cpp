// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/mpi/exchange.hpp"

#include <mpi.h>

#include <chrono>

#include "benchmarks/mpi/call.hpp"

namespace muster::benchmarks::mpi {

std::vector<double> exchange_rates(int partner, std::size_t bytes, std::size_t exchanges) {
  using Clock = std::chrono::steady_clock;
  const std::vector<char> sent(bytes, 1);
  std::vector<char> received(bytes);
  const auto swap = [&](std::size_t begin, std::size_t end) {
    const int count = static_cast<int>(end - begin);
    require_mpi(MPI_Sendrecv(sent.data() + begin, count, MPI_CHAR, partner, 0, received.data() + begin, count, MPI_CHAR,
                             partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                "MPI_Sendrecv");
  };
  std::vector<double> rates;
  for (std::size_t exchange = 0; exchange <= exchanges; ++exchange) {
    const auto start = Clock::now();
    swap(0, bytes / 2);
    swap(bytes / 2, bytes);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (exchange > 0) rates.push_back(static_cast<double>(bytes) / seconds);
  }
  return rates;
}

}  // namespace muster::benchmarks::mpi
