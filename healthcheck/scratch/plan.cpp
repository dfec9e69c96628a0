// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace muster::healthcheck::scratch {
namespace {

constexpr std::array<std::string_view, 4> of_the_system = {"/", "/boot", "/boot/efi", "/usr"};

std::string count_of(std::size_t drives) { return fmt::format("{} drive{}", drives, drives == 1 ? "" : "s"); }

Choice refused(const Drive& drive, std::string reason) { return {drive.name, Decision::refuse, std::move(reason)}; }

std::string texts(const std::vector<Signature>& signatures) {
  std::vector<std::string_view> all;
  for (const auto& signature : signatures) all.emplace_back(signature.text);
  return fmt::format("{}", fmt::join(all, " and "));
}

// Those that are no data of the array's, in which anything may look like a signature.
std::vector<Signature> of_others(const Drive& drive, const Membership& membership) {
  std::vector<Signature> found;
  for (const auto& each : drive.contents.signatures)
    if (each.offset != superblock_offset && (each.offset < membership.data_begin || each.offset >= membership.data_end))
      found.push_back(each);
  return found;
}

Choice choice_of_member(const Drive& drive, const Membership& membership, const std::vector<Array>& arrays) {
  const auto others = of_others(drive, membership);
  if (!others.empty()) return refused(drive, fmt::format("is of an array of muster, but holds {}, too", texts(others)));
  for (const auto& holder : drive.holders)
    if (std::ranges::find(arrays, holder, &Array::name) == arrays.end())
      return refused(drive, fmt::format("is of an array of muster, but held by {}", holder));
  return {drive.name, Decision::ours,
          fmt::format("is drive {} of {} of muster's array", membership.slot + 1, membership.members)};
}

// What the kernel uses it for; empty where for nothing.
std::string use_of(const Drive& drive) {
  const bool is_system = std::ranges::any_of(
      drive.mounts, [](const auto& point) { return std::ranges::find(of_the_system, point) != of_the_system.end(); });
  if (is_system) return fmt::format("carries the operating system ({})", fmt::join(drive.mounts, ", "));
  if (!drive.mounts.empty()) return fmt::format("is mounted at {}", fmt::join(drive.mounts, ", "));
  if (drive.is_swap) return "is swapped to";
  if (!drive.partitions.empty()) return fmt::format("has partitions: {}", fmt::join(drive.partitions, ", "));
  if (!drive.holders.empty()) return fmt::format("is held by {}", fmt::join(drive.holders, ", "));
  return "";
}

Choice choice_of(const Drive& drive, const Wishes& wishes, const std::vector<Array>& arrays) {
  const auto& contents = drive.contents;
  if (!drive.is_of_model)
    return {drive.name, Decision::other_model, fmt::format("is a '{}', no '{}'", drive.model, wishes.model)};
  if (!drive.other_path.empty())
    return refused(drive,
                   fmt::format("is the same drive as {}: two paths lead to it, and the kernel joins them only with "
                               "nvme_core.multipath=Y",
                               drive.other_path));
  if (!contents.problem.empty())
    return {drive.name, Decision::unknown, fmt::format("is not known: {}", contents.problem)};
  if (contents.membership && drive.partitions.empty()) return choice_of_member(drive, *contents.membership, arrays);
  if (const auto use = use_of(drive); !use.empty()) return refused(drive, use);
  if (!contents.signatures.empty()) return refused(drive, fmt::format("holds {}", texts(contents.signatures)));
  if (!contents.is_blank)
    return refused(drive, fmt::format("holds unknown data: if they are not needed, "
                                      "blkdiscard /dev/{} makes it empty",
                                      drive.name));
  if (drive.is_read_only) return refused(drive, "cannot be written");
  if (drive.is_claimed) return refused(drive, "is in use");
  return {drive.name, Decision::take, "is empty"};
}

// "nvme0n1 holds ...; nvme1n1 ..." of those that are decided so.
std::string told(const std::vector<Choice>& choices, const std::set<Decision>& decisions) {
  std::vector<std::string> said;
  for (const auto& choice : choices)
    if (decisions.contains(choice.decision)) said.push_back(fmt::format("{} {}", choice.name, choice.reason));
  return said.empty() ? "there are no others" : fmt::format("{}", fmt::join(said, "; "));
}

// Of a drive that is decided to have one.
Membership membership_of(const Drive& drive) { return drive.contents.membership.value_or(Membership()); }

class Planning {
 public:
  Planning(const Facts& facts, const Wishes& wishes) : facts_(facts), wishes_(wishes) {
    for (const auto& drive : facts.drives) plan_.drives.push_back(choice_of(drive, wishes, facts.arrays));
  }

  Plan result() {
    if (!decided(Decision::unknown).empty())
      stop_unknown(told(plan_.drives, {Decision::unknown}));
    else if (const auto own = decided(Decision::ours); own.empty())
      begin(decided(Decision::take));
    else
      go_on(own);
    return std::move(plan_);
  }

 private:
  void act(Action action, std::string reason) {
    plan_.action = action;
    plan_.reason = std::move(reason);
  }
  void stop(std::string reason) { act(Action::stop, std::move(reason)); }
  void stop_unknown(std::string reason) {
    plan_.is_unknown = true;
    stop(std::move(reason));
  }

  std::vector<const Drive*> decided(Decision decision) const {
    std::vector<const Drive*> found;
    for (std::size_t at = 0; at < facts_.drives.size(); ++at)
      if (plan_.drives[at].decision == decision) found.push_back(&facts_.drives[at]);
    return found;
  }

  bool stops_for_place() {
    if (facts_.mounted.empty()) return false;
    stop(fmt::format("{} has {} mounted already: unmount that, or give another place", wishes_.mount_at.string(),
                     facts_.mounted));
    return true;
  }

  // There is no array of muster.
  void begin(const std::vector<const Drive*>& empty) {
    if (std::ranges::none_of(facts_.drives, &Drive::is_of_model))
      return stop(fmt::format("this machine has no local NVMe drive of the model '{}'", wishes_.model));
    if (empty.empty()) return stop(fmt::format("no drive is empty: {}", told(plan_.drives, {Decision::refuse})));
    if (wishes_.drives && empty.size() != *wishes_.drives)
      return stop(fmt::format("{} empty drives are wanted and there are {}: {}", *wishes_.drives, empty.size(),
                              told(plan_.drives, {Decision::refuse})));
    if (stops_for_place()) return;
    for (const auto* drive : empty) plan_.members.push_back(drive->name);
    act(Action::create, fmt::format("{} will be one array", count_of(empty.size())));
  }

  void go_on(const std::vector<const Drive*>& own) {
    for (auto& choice : plan_.drives)
      if (choice.decision == Decision::take)
        choice = {choice.name, Decision::spare, "is empty, and not in muster's array"};
    const auto first = membership_of(*own.front());
    std::map<std::size_t, const Drive*> by_slot;
    for (const auto* drive : own) {
      const auto membership = membership_of(*drive);
      if (membership.uuid != first.uuid)
        return stop(
            fmt::format("{} and {} are of two arrays of muster: empty those of the one that is not needed by "
                        "blkdiscard",
                        own.front()->name, drive->name));
      const auto [at, is_first] = by_slot.emplace(membership.slot, drive);
      if (!is_first) return stop(fmt::format("{} and {} are copies of one drive", at->second->name, drive->name));
    }
    plan_.uuid = first.uuid;
    for (const auto& [slot, drive] : by_slot) plan_.members.push_back(drive->name);
    if (by_slot.size() < first.members) return stop_for_lost(by_slot, first.members);
    if (wishes_.drives && first.members != *wishes_.drives)
      return stop(fmt::format("muster's array is of {}, and {} are wanted", count_of(first.members), *wishes_.drives));
    use_array();
  }

  void stop_for_lost(const std::map<std::size_t, const Drive*>& by_slot, std::size_t members) {
    std::vector<std::size_t> lost;
    for (std::size_t slot = 0; slot < members; ++slot)
      if (!by_slot.contains(slot)) lost.push_back(slot + 1);
    stop(
        fmt::format("muster's array lacks drive {} of {}, and its data with it: bring that back, or unmount the array, "
                    "stop it and empty {} by blkdiscard; {}",
                    fmt::join(lost, ", "), members, fmt::join(plan_.members, ", "),
                    told(plan_.drives, {Decision::spare, Decision::refuse})));
  }

  // All its members are there.
  void use_array() {
    std::vector<const Array*> holding;
    for (const auto& array : facts_.arrays)
      if (std::ranges::any_of(facts_.drives, [&](const auto& drive) {
            return std::ranges::find(plan_.members, drive.name) != plan_.members.end() &&
                   std::ranges::find(drive.holders, array.name) != drive.holders.end();
          }))
        holding.push_back(&array);
    if (holding.size() > 1)
      return stop(fmt::format("its drives are in {} and {}: stop one by mdadm", holding[0]->name, holding[1]->name));
    if (!holding.empty()) plan_.array = holding.front()->name;
    if (!holding.empty() && !holding.front()->mounts.empty()) return check_mount(*holding.front());
    if (stops_for_place()) return;
    if (holding.empty() || !holding.front()->is_running)
      return act(Action::assemble, fmt::format("muster's array of {} is to run", count_of(plan_.members.size())));
    use_contents(*holding.front());
  }

  void check_mount(const Array& array) {
    const auto place = wishes_.mount_at.string();
    if (!array.is_running)
      stop(fmt::format("muster's array {} is broken, and mounted at {}: unmount it and look into the log of the kernel",
                       array.name, fmt::join(array.mounts, ", ")));
    else if (std::ranges::find(array.mounts, place) == array.mounts.end())
      stop(fmt::format("muster's array {} is mounted at {}: unmount it there, or give that place", array.name,
                       fmt::join(array.mounts, ", ")));
    else if (facts_.mounted != array.name)
      stop(fmt::format("{} is mounted at {}, over muster's array {}: unmount that", facts_.mounted, place, array.name));
    else
      act(Action::none, fmt::format("{} of {} is mounted at {}", array.name, count_of(plan_.members.size()), place));
  }

  void use_contents(const Array& array) {
    const auto& contents = array.contents;
    if (!contents.problem.empty())
      return stop_unknown(fmt::format("what is on muster's array {} is not known: {}", array.name, contents.problem));
    if (std::ranges::any_of(contents.signatures, &Signature::is_own_filesystem))
      return act(Action::mount, fmt::format("{} is to be mounted at {}", array.name, wishes_.mount_at.string()));
    if (contents.signatures.empty() && (contents.is_blank || contents.is_unfinished))
      return act(Action::format, fmt::format("{} gets a file system", array.name));
    stop(fmt::format(
        "muster's array {} holds {} and no file system of muster: if that is not needed, stop the array and "
        "empty {} by blkdiscard",
        array.name, contents.signatures.empty() ? "unknown data" : texts(contents.signatures),
        fmt::join(plan_.members, ", ")));
  }

  const Facts& facts_;
  const Wishes& wishes_;
  Plan plan_;
};

}  // namespace

std::string_view to_text(Decision decision) {
  constexpr std::array<std::string_view, 6> names = {"take", "ours", "spare", "refuse", "unknown", "other_model"};
  return names.at(static_cast<std::size_t>(decision));
}

std::string_view to_text(Action action) {
  constexpr std::array<std::string_view, 6> names = {"create", "assemble", "format", "mount", "none", "stop"};
  return names.at(static_cast<std::size_t>(action));
}

Plan plan(const Facts& facts, const Wishes& wishes) { return Planning(facts, wishes).result(); }

}  // namespace muster::healthcheck::scratch
