// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/hyperv.hpp"

#include <fmt/format.h>

#include "results/strings/utf8.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr std::size_t key_size = 512;
constexpr std::size_t value_size = 2048;
constexpr std::size_t record_size = key_size + value_size;

bool readable(std::string_view text) { return results::printable(text) == text; }

std::string_view to_first_nul(std::string_view field) { return field.substr(0, field.find('\0')); }

}  // namespace

HypervPool hyperv_pool(std::string_view bytes) {
  HypervPool pool;
  pool.is_whole = bytes.size() % record_size == 0;
  if (!pool.is_whole)
    pool.problems.push_back(
        fmt::format("{} bytes are not a whole number of {}-byte records: it was being rewritten or is damaged",
                    bytes.size(), record_size));
  for (std::size_t number = 0; number < bytes.size() / record_size; ++number) {
    const auto record = bytes.substr(number * record_size, record_size);
    const auto key = to_first_nul(record.substr(0, key_size));
    const auto value = to_first_nul(record.substr(key_size));
    if (!readable(key) || !readable(value))
      pool.problems.push_back(fmt::format("record {} is not readable UTF-8 text and was left out", number));
    else if (!key.empty())
      pool.values.emplace(key, value);
  }
  return pool;
}

// The daemon truncates and rewrites the whole file, under a lock.
std::optional<HypervPool> hyperv_pool(const Sysfs& sysfs) try {
  const auto bytes = sysfs.settled_bytes(hyperv_pool_file);
  if (!bytes) return std::nullopt;
  return hyperv_pool(*bytes);
} catch (const Error& error) {
  return HypervPool{.problems = {error.what()}, .is_whole = false};
}

}  // namespace muster::topology
