// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "healthcheck/check/check.hpp"
#include "healthcheck/parts/verbs/rdma.hpp"

namespace muster::healthcheck {

// A check that measures the RDMA of all active ports: with itself on one host, between the hosts of a job.
class RdmaCheck : public Check {
 public:
  RdmaCheck(std::string summary, RdmaRequest request) : summary_(std::move(summary)), request_(std::move(request)) {}

  Description describe() const override;
  void add_options(CommandLine& line) override;
  void expect_possible(const Context& context) const override;
  void run(Context& context) override;

 protected:
  RdmaRequest& request() { return request_; }

 private:
  std::string summary_;
  RdmaRequest request_;
};

}  // namespace muster::healthcheck
