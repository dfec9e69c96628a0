// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ranges>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "benchmarks/host/locked_memory.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "topology/cpu/cgroup.hpp"
#include "topology/kernel/meminfo.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Unit;

// The word in brackets of "always [madvise] never".
std::string chosen_word(const std::string& text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open);
  return open == std::string::npos || close == std::string::npos ? text : text.substr(open + 1, close - open - 1);
}

Quantity count(double value) { return {.value = value, .unit = Unit::one}; }
Quantity bytes(double value) { return {.value = value, .unit = Unit::byte}; }

constexpr double shm_of_a_job = 1 << 30;  // NCCL user guide, troubleshooting: sharing system memory
constexpr std::size_t max_named = 3;

class Limits final : public Check {
 public:
  Description describe() const override {
    return {.name = "limits",
            .summary = "Locked memory, shared memory, open files, cgroup memory, swap and huge pages",
            .tier = results::Tier::preflight,
            .typical_seconds = 0.1};
  }

  void run(Context& context) override {
    context.phase("locking memory");
    context.add("limits.locked_memory", bytes(static_cast<double>(benchmarks::host::lockable_bytes())));
    context.phase("reading limits");
    add_open_files(context);
    add_shared_memory(context);
    add_memory(context);
    const auto& sysfs = context.sysfs();
    if (const auto pages = sysfs.text("sys/kernel/mm/transparent_hugepage/enabled"))
      context.add("limits.transparent_huge_pages", chosen_word(*pages));
    const auto enforcing = sysfs.number("sys/fs/selinux/enforce");
    context.add("limits.selinux", std::string(!enforcing ? "absent" : *enforcing == 1 ? "enforcing" : "permissive"));
  }

 private:
  static void add_open_files(Context& context) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot read the limit of open files");
    context.add("limits.open_files", count(static_cast<double>(limit.rlim_cur)));
  }

  static void add_shared_memory(Context& context) {
    constexpr auto place = "dev/shm";
    struct statvfs system {};
    const auto path = context.sysfs().path(place);
    if (context.sysfs().exists(place) && statvfs(path.c_str(), &system) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot read the size of " + path.string());
    context.add("limits.shm_size", bytes(static_cast<double>(system.f_blocks) * static_cast<double>(system.f_frsize)),
                {{"path", place}});
    results::Labels labels = {{"path", place}};
    const double free = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
    if (free < shm_of_a_job)
      if (auto left = largest_files(path); !left.empty()) labels.emplace("largest", std::move(left));
    context.add("limits.shm_free", bytes(free), std::move(labels));
  }

  // "nccl-7bQ3aZ 1.07 GB, ucx_shm_posix_1f 268 MB": what jobs that were killed leave there.
  static std::string largest_files(const std::filesystem::path& folder) {
    std::vector<std::pair<std::uintmax_t, std::string>> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code gone;
      if (const auto size = entry->file_size(gone); !gone) files.emplace_back(size, entry->path().filename().string());
    }
    std::ranges::sort(files, std::greater{});
    std::vector<std::string> named;
    for (const auto& [size, name] : files | std::views::take(max_named))
      named.push_back(fmt::format("{} {}", name, results::to_text(bytes(static_cast<double>(size)))));
    return fmt::format("{}", fmt::join(named, ", "));
  }

  // What a cgroup's limit leaves of the machine's memory for everything outside it, as a share.
  static void add_memory(Context& context) {
    const auto memory = topology::meminfo(context.sysfs().text("proc/meminfo").value_or(""));
    if (const auto swap = memory.find("SwapTotal"); swap != memory.end())
      context.add("limits.swap", bytes(swap->second));
    const auto total = memory.find("MemTotal");
    const auto limit = topology::cgroup_limits(context.sysfs()).memory_bytes;
    if (!limit || total == memory.end() || total->second <= 0) return;
    context.add("limits.memory_limit", bytes(*limit));
    context.add("limits.memory_reserve", count(std::max(0.0, 1 - *limit / total->second)));
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<Limits>(); }

}  // namespace muster::healthcheck
