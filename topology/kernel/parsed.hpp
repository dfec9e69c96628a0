// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "topology/kernel/error.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// The file's text as `parse` understands it; nothing when absent. Where `parse` throws Error the file is damaged.
template <class Parse>
auto parsed(const Sysfs& sysfs, std::string_view path, Parse parse)
    -> std::optional<decltype(parse(std::string_view()))> {
  const auto text = sysfs.text(path);
  if (!text) return std::nullopt;
  try {
    return parse(std::string_view(*text));
  } catch (const Error& error) {
    sysfs.damaged({path, error.what()});
    return std::nullopt;
  }
}

// What `read` returns; its type's empty value when it met a damaged file, which the check `inventory` names.
template <class Read>
auto or_empty(Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace muster::topology
