// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/plain_text.hpp"

#include "results/strings/utf8.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {

std::string plain_text(std::string_view text) {
  if (!results::is_plain_text(text)) throw Error("'" + results::printable(text) + "' is not text");
  return std::string(text);
}

std::string written_text(std::string_view text) {
  if (text.empty()) throw Error("is empty");
  return plain_text(text);
}

}  // namespace muster::topology
