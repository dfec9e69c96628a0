// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/steps.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "healthcheck/scratch/run_program.hpp"

namespace muster::healthcheck::scratch {
namespace {

constexpr std::uint64_t chunk = std::uint64_t{512} << 10;
constexpr std::uint64_t block_of_ext4 = 4096;
constexpr mode_t for_all = 01777;

std::string device(const std::string& name) { return "/dev/" + name; }

// mdadm without its configuration, which is of the host that it was made for.
std::vector<std::string> mdadm(const std::string& mode, const std::vector<std::string>& words) {
  std::vector<std::string> all{"mdadm", mode, "--config=none"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

const Drive& drive_named(const Facts& facts, const std::string& name) {
  return *std::ranges::find(facts.drives, name, &Drive::name);
}

// So opened that nobody else has it; its number is that of the facts.
results::Descriptor claimed(const std::string& name, const std::string& number) {
  return opened(device(name), number, O_RDWR | O_EXCL);
}

void expect_blank(const Facts& facts, const std::vector<std::string>& names) {
  std::vector<results::Descriptor> all;
  for (const auto& name : names) {
    const auto& drive = drive_named(facts, name);
    const auto& file = all.emplace_back(claimed(name, drive.number));
    if (!contents_of(file, drive.bytes, ends_of_drive).is_blank)
      throw std::runtime_error(fmt::format("{} is not empty any more", name));
  }
}

void create(const Plan& plan, const Facts& facts) {
  expect_blank(facts, plan.members);
  auto words = mdadm("--create", {fmt::format("/dev/md/{}", own_name), "--metadata=1.2", "--level=0", "--homehost=any",
                                  fmt::format("--name={}", own_name), fmt::format("--chunk={}K", chunk >> 10),
                                  fmt::format("--data-offset={}K", data_offset >> 10),
                                  fmt::format("--raid-devices={}", plan.members.size())});
  if (plan.members.size() == 1) words.emplace_back("--force");  // which mdadm wants of an array of one
  for (const auto& name : plan.members) words.push_back(device(name));
  run_program(words);
}

void assemble(const Plan& plan) {
  if (!plan.array.empty()) run_program(mdadm("--stop", {device(plan.array)}));  // it does not run
  auto words = mdadm("--assemble", {fmt::format("/dev/md/{}", own_name), fmt::format("--uuid={}", plan.uuid)});
  for (const auto& name : plan.members) words.push_back(device(name));
  run_program(words);
}

const Array& array_of(const Plan& plan, const Facts& facts) {
  return *std::ranges::find(facts.arrays, plan.array, &Array::name);
}

void format(const Array& array, std::size_t members) {
  {
    const auto file = claimed(array.name, array.number);
    const auto now = contents_of(file, array.bytes, ends_of_array);
    if (now != array.contents) throw std::runtime_error(fmt::format("{} is not empty any more", array.name));
    mark_unfinished(file, array.bytes, true);
  }
  const auto stride = chunk / block_of_ext4;
  run_program({"mkfs.ext4", "-q", "-b", std::to_string(block_of_ext4), "-m", "0", "-L", std::string(own_name), "-E",
               fmt::format("nodiscard,stride={},stripe_width={}", stride, stride * members), device(array.name),
               std::to_string((array.bytes - ends_of_array) / block_of_ext4)});
}

void mount_array(const Array& array, const topology::Sysfs& sysfs, const Wishes& wishes) {
  const auto& place = wishes.mount_at;
  if (array.contents.is_unfinished) mark_unfinished(claimed(array.name, array.number), array.bytes, false);
  std::filesystem::create_directories(place);
  if (mount(device(array.name).c_str(), place.c_str(), "ext4", MS_NOATIME, nullptr) != 0)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("{} cannot be mounted at {}", array.name, place.string()));
  if (facts_of(sysfs, wishes).mounted == array.name) return;
  umount2(place.c_str(), MNT_DETACH);
  throw std::runtime_error(
      fmt::format("{} was mounted at {}, where the process 1 of the host does not see it: the folder above must be "
                  "shared with the host (mountPropagation: Bidirectional)",
                  array.name, place.string()));
}

}  // namespace

void perform(const Plan& plan, const Facts& facts, const topology::Sysfs& sysfs, const Wishes& wishes) {
  switch (plan.action) {
    case Action::create:
      return create(plan, facts);
    case Action::assemble:
      return assemble(plan);
    case Action::format:
      return format(array_of(plan, facts), plan.members.size());
    case Action::mount:
      return mount_array(array_of(plan, facts), sysfs, wishes);
    case Action::none:
    case Action::stop:
      return;
  }
}

void open_to_all(const std::filesystem::path& place) {
  struct stat found {};
  if (stat(place.c_str(), &found) == 0 && (found.st_mode & ~static_cast<mode_t>(S_IFMT)) == for_all) return;
  if (chmod(place.c_str(), for_all) != 0)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("the rights of {} cannot be changed", place.string()));
}

}  // namespace muster::healthcheck::scratch
