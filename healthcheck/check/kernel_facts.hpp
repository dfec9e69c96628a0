// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/context.hpp"
#include "topology/siblings/siblings.hpp"

namespace muster::healthcheck {

// What a check reads from the kernel's files, each subject on its own: a damaged file costs the facts that need it and
// no others. The metrics are CHECK.SUBJECT. They are many and quickly read, so that they go to the report together.
class KernelFacts {
 public:
  KernelFacts(Context& context, std::string check) : context_(context), check_(std::move(check)) {}

  void add(std::string_view subject, results::Value value, results::Labels labels = {});
  // Nothing where the text is empty: the file is absent.
  void add_text(std::string_view subject, const std::string& text, results::Labels labels);
  // An Error that `read` throws is told to the context.
  void attempt(const std::function<void()>& read);
  // CHECK.odd_file: what one component of this kind lacks, or has otherwise than its siblings.
  void compare(topology::Kin kin);
  // What was added so far is on disk when this returns.
  void save();
  // After the last subject: CHECK.unreadable_files, how many files were damaged.
  void end();

 private:
  Context& context_;
  std::string check_;
  std::vector<results::Measurement> facts_;
};

}  // namespace muster::healthcheck
