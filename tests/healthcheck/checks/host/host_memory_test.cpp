// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::tests {
namespace {

using results::Status;

constexpr std::size_t mebi = 1 << 20;
// A sanitiser takes several times the arrays, and several times the caches may be most of a machine's memory.
const Given small_arrays{.options = {"--bytes-per-array", "16M"}};

// As long as a fault takes to show.
Given few_samples() {
  auto given = small_arrays;
  given.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  return given;
}

struct Region {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  auto operator<=>(const Region&) const = default;
};

// Whether a mapping is the program's own: near the libraries, from which a sanitiser keeps its mappings far away.
bool is_near(std::uintptr_t address, std::uintptr_t library) {
  constexpr std::uintptr_t tebi = std::uintptr_t{1} << 40;
  return address + tebi > library && address < library + tebi;
}

// Writable anonymous memory of this process that is as large as an array of the check.
std::set<Region> big_regions() {
  std::set<Region> regions;
  std::uintptr_t library = 0;
  std::istringstream maps(topology::Sysfs().text("proc/self/maps").value_or(""));
  for (std::string line; std::getline(maps, line);) {
    Region region;
    char rights[5] = {};
    unsigned long inode = 1;
    const int fields = std::sscanf(line.c_str(), "%lx-%lx %4s %*x %*s %lu", &region.begin, &region.end, rights, &inode);
    if (line.find("/libc.so") != std::string::npos) library = region.begin;
    if (fields == 4 && inode == 0 && std::string_view(rights) == "rw-p" && region.end - region.begin >= 16 * mebi)
      regions.insert(region);
  }
  std::erase_if(regions, [&](const Region& region) { return !is_near(region.begin, library); });
  return regions;
}

// Breaks one word of the check's arrays, as soon as they are there and as long as this object lives. It writes as a
// debugger does, which fails harmlessly once the memory is gone.
class Corruption {
 public:
  using Place = std::function<std::uintptr_t(const Region&)>;
  using Change = std::function<std::uint64_t(std::uint64_t)>;

  Corruption(const Place& place, const Change& change)
      : thread_([this, place, change](const std::stop_token& stop) { go_on(stop, place, change); }) {}

 private:
  static std::optional<Region> wait_for_arrays(const std::stop_token& stop, const std::set<Region>& before) {
    while (!stop.stop_requested())
      for (const auto& region : big_regions())
        if (!before.contains(region)) return region;
    return std::nullopt;
  }

  void go_on(const std::stop_token& stop, const Place& place, const Change& change) const {
    const auto region = wait_for_arrays(stop, before_);
    if (!region) return;
    const auto at = static_cast<off_t>(place(*region));
    const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    while (!stop.stop_requested()) {
      std::uint64_t word = 0;
      if (pread(memory, &word, sizeof(word), at) == sizeof(word)) {
        word = change(word);
        [[maybe_unused]] const auto written = pwrite(memory, &word, sizeof(word), at);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));  // often in each pass, and the CPU is the check's
    }
    close(memory);
  }

  std::set<Region> before_ = big_regions();
  std::jthread thread_;
};

std::uintptr_t middle(const Region& region) { return (region.begin + (region.end - region.begin) / 2) / 8 * 8; }
std::uintptr_t last_word(const Region& region) { return region.end - 8; }

results::CheckRun checked_under(const Corruption::Place& place, const Corruption::Change& change) {
  const Corruption corruption(place, change);
  return checked("/", "generic", few_samples());
}

// An SMBIOS table of memory devices (type 17), each in a channel of its own.
std::string dmi(int channels, unsigned mega_transfers, unsigned width_bits) {
  std::string table;
  for (int channel = 0; channel < channels; ++channel) {
    std::string device(0x22, '\0');
    const auto set_word = [&](std::size_t at, unsigned value) {
      device[at] = static_cast<char>(value & 0xff);
      device[at + 1] = static_cast<char>(value >> 8);
    };
    device[0] = 17;
    device[1] = static_cast<char>(device.size());
    set_word(0x02, static_cast<unsigned>(channel));  // handle
    set_word(0x08, width_bits);                      // total width
    set_word(0x0a, width_bits);                      // data width
    set_word(0x0c, 0x4000);                          // size in MiB
    device[0x10] = 1;                                // locator: first string
    device[0x11] = 2;                                // bank locator: second string
    set_word(0x20, mega_transfers);                  // configured speed
    table += device + fmt::format("DIMM {}", channel) + '\0' + fmt::format("P0 CHANNEL {}", channel) + '\0' + '\0';
  }
  return table + std::string("\x7f\x04\xff\xfe\0\0", 6);
}

constexpr std::string_view roomy = "MemTotal: 67108864 kB\nMemAvailable: 67108864 kB\n";

results::CheckRun checked_with_dmi(std::string_view table) {
  const TemporaryFolder tree;
  tree.write("proc/meminfo", roomy);
  tree.write("sys/firmware/dmi/tables/DMI", table);
  return checked(tree.path(), "generic", few_samples());
}

// Lets this process map only so much more memory.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(std::size_t more) {
    getrlimit(RLIMIT_AS, &before_);
    const auto pages = std::stoul(topology::Sysfs().text("proc/self/statm").value());
    const rlimit limit{pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(HostMemoryFaults, AWordThatChangesBehindItsBackIsWrongData) {
  const auto run = checked_under(middle, [](std::uint64_t) { return 0xdeadbeef; });
  expect_fault(run, Status::fail, "host_memory_wrong_data", {{"numa", "all"}});
}

// The one bit that every value of the arrays has clear, whatever the number of repetitions was.
std::uint64_t with_stuck_sign(std::uint64_t word) { return word | std::uint64_t{1} << 63; }

TEST(HostMemoryFaults, AStuckBitIsWrongData) {
  const auto run = checked_under(middle, with_stuck_sign);
  expect_fault(run, Status::fail, "host_memory_wrong_data", {{"numa", "all"}});
}

TEST(HostMemoryFaults, AStuckBitInTheLastElementIsWrongData) {
  const auto run = checked_under(last_word, with_stuck_sign);
  expect_fault(run, Status::fail, "host_memory_wrong_data", {{"numa", "all"}});
}

TEST(HostMemoryFaults, FarLessThanItsMemoryModulesCanDoIsSlow) {
  const auto run = checked_with_dmi(dmi(16, 60000, 64));  // 7.7 TB/s
  expect_fault(run, Status::fail, "host_memory_slow", {{"numa", "all"}, {"kernel", "triad"}});
}

TEST(HostMemoryFaults, MoreThanItsMemoryModulesCanDoIsImpossible) {
  const auto run = checked_with_dmi(dmi(1, 100, 8));  // 100 MB/s
  expect_fault(run, Status::unknown, "measurement_impossible", {{"numa", "all"}, {"kernel", "triad"}});
}

TEST(HostMemoryFaults, TooLittleMemoryForTheArraysIsNotMeasured) {
  const TemporaryFolder tree;
  tree.write("proc/meminfo", "MemTotal: 67108864 kB\nMemAvailable: 500000 kB\n");
  expect_fault(checked(tree.path()), Status::fail, "not_measured", {});
}

TEST(HostMemoryFaults, AControlGroupWithoutRoomForTheArraysIsNotMeasured) {
  const TemporaryFolder tree;
  tree.write("proc/meminfo", roomy);
  tree.write("proc/self/cgroup", "0::/small\n");
  tree.write("proc/self/mountinfo", "29 1 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroup/small/memory.max", "268435456\n");
  expect_fault(checked(tree.path()), Status::fail, "not_measured", {});
}

TEST(HostMemoryFaults, MemoryThatTheSystemRefusesCannotBeMeasured) {
  const AddressSpaceLimit limit(160 * mebi);
  expect_fault(checked("/"), Status::unknown, "could_not_measure", {});
}

TEST(HostMemoryHealthy, ThisMachineStaysGreen) { expect_healthy(checked("/", "generic", small_arrays)); }

}  // namespace
}  // namespace muster::tests
