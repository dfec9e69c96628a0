// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/rdma_check.hpp"

#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/verbs/between_hosts.hpp"
#include "healthcheck/parts/verbs/between_ports.hpp"
#include "healthcheck/parts/verbs/loop_back.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {

Description RdmaCheck::describe() const {
  return {.name = request_.check,
          .summary = summary_,
          .scope = Scope::hosts,
          .resources = {Resource::cpu, Resource::memory, Resource::nic},
          .tier = results::Tier::quick,
          .typical_seconds = 3,
          .part = Part::rdma_device};
}

void RdmaCheck::add_options(CommandLine& line) {
  line.add_list("--nic", request_.nics, "These RDMA devices instead of all, separated by commas");
  line.add_list("--operation", request_.operations, "Of write, read and send, separated by commas (default: all)");
  line.add_bytes("-s,--size", request_.shape.bytes, sizeof(double), "Size of a message, a multiple of 8");
  line.add("--between-ports", request_.is_between_ports, "Between the ports of this machine, in pairs");
  line.add_positive("-n,--iterations", request_.iterations,
                    "So many samples of each operation, instead of as many as tell");
  line.add("-x,--gid-index", request_.gid_index,
           "GID of every RoCE port by its index (default: of RoCE version 2 before 1, and IPv4 before others)");
  line.add("-u,--qp-timeout", request_.shape.timeout,
           "Send again what was not answered for 4.096 us * 2^this, as perftest");
}

void RdmaCheck::expect_possible(const Context& context) const {
  request_.expect_possible(context);
  const bool is_one_host = context.hosts().size() < 2;
  if (request_.is_between_ports && !is_one_host)
    throw UsageError("--between-ports is of one machine: start it without mpirun");
  if (request_.is_both_ways && is_one_host && !request_.is_between_ports)
    throw UsageError("--bidirectional needs two ends: give --between-ports, or start it on several hosts with mpirun");
}

void RdmaCheck::run(Context& context) {
  request_.select(context);
  if (context.hosts().size() > 1)
    measure_between_hosts(context, request_);
  else if (request_.is_between_ports)
    measure_between_ports(context, request_);
  else
    measure_in_loop_back(context, request_);
}

}  // namespace muster::healthcheck
