// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "healthcheck/kubernetes/node_labels.hpp"

namespace {

bool is_alphanumeric(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

// As the API server asks for it.
bool is_label(std::string_view text) {
  const auto is_inner = [](char letter) {
    return is_alphanumeric(letter) || letter == '-' || letter == '_' || letter == '.';
  };
  return text.empty() || (text.size() <= 63 && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
                          std::ranges::all_of(text, is_inner));
}

void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// Whatever the pool holds, a node can have the labels that are made of it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  constexpr std::string_view prefix = "hyperv/";
  const auto pool = topology::hyperv_pool({reinterpret_cast<const char*>(data), size});
  healthcheck::NodeLabels made;
  healthcheck::add_pool(made, pool, "hyperv");
  std::size_t bytes = 0;
  for (const auto& [name, value] : made.annotations) bytes += name.size() + value.size();
  expect(bytes <= 256 << 10);
  expect(made.labels.size() == std::min<std::size_t>(pool.values.size(), 200));
  for (const auto& [name, value] : made.labels) {
    expect(name.starts_with(prefix) && name.size() > prefix.size() && is_label(name.substr(prefix.size())));
    expect(is_label(value));
  }
  expect(!healthcheck::to_json(made).empty());
  return 0;
}
