// SPDX-License-Identifier: Apache-2.0
#include "topology/siblings/siblings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "topology/counters/counters.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/plain_text.hpp"
#include "topology/kernel/text_fields.hpp"
#include "topology/machine/pci_link.hpp"
#include "topology/siblings/kin.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view hexadecimal = "0123456789abcdefABCDEF:x.,";
// drivers/infiniband/core/sysfs.c
constexpr std::array<std::string_view, 3> layers = {"InfiniBand", "Ethernet", "Unspecified"};
constexpr std::string_view unknown_speed = "Unknown";  // as of a function without a link
constexpr std::size_t min_others = 3;                  // two that differ accuse nobody

// Siblings and what is odd about their files.
class Siblings {
 public:
  Siblings(const Sysfs& sysfs, std::string_view plural, std::vector<std::string> folders)
      : tree_(sysfs),
        sysfs_(sysfs.told_to([sysfs](const Error& error) {
          if (error.code() != EINVAL) sysfs.damaged(error);  // as of the carrier of an interface that is down
        })),
        plural_(plural),
        folders_(std::move(folders)) {}

  void compare(const FileOfKind& file) {
    for (const auto& name : names(file, folders_)) compare(name, file.form);
  }

  void compare(const Companions& companions) {
    for (const auto& component : folders_) {
      if (!companions.vendor.empty() && adapter_vendor(component) != companions.vendor) continue;
      const auto folder = component + (companions.folder.empty() ? "" : "/") + std::string(companions.folder);
      const auto path_of = [&](std::string_view name) { return fmt::format("{}/{}", folder, name); };
      const auto is_here = [&](std::string_view name) { return sysfs_.exists(path_of(name)); };
      const auto there = std::ranges::find_if(companions.names, is_here);
      if (there == companions.names.end() || sysfs_.text(path_of(*there)) == no_counter) continue;
      for (const auto name : companions.names)
        if (const auto path = path_of(name); !is_here(name) && !is_known_absent(path))
          odd_.push_back({path, fmt::format("is absent, while all {} with {} have it", plural_, *there)});
    }
  }

  // For one without siblings: the others that the same maker made files for. Makers give and withhold files in groups,
  // by what a model can do, so that only what lacks a single one of a folder is odd.
  void compare_alone(std::span<const FileOfKind> files, const std::vector<std::string>& others) {
    if (folders_.size() != 1 || others.size() < min_others) return;
    std::map<std::string, std::vector<Absent>> lacking;
    for (const auto& file : files)
      for (const auto& name : names(file, others)) {
        auto path = fmt::format("{}/{}", folders_.front(), name);
        if (holds(path, file.form)) continue;
        const auto holders = static_cast<std::size_t>(std::ranges::count_if(
            others, [&](const auto& other) { return holds(fmt::format("{}/{}", other, name), file.form); }));
        if (2 * holders < others.size()) continue;
        auto& these = lacking[path.substr(0, path.rfind('/'))];
        these.emplace_back(std::move(path), holders);
      }
    for (auto& [folder, lost] : lacking)
      if (const auto& [path, holders] = lost.front();
          lost.size() == 1 && std::ranges::find(odd_, path, &OddFile::path) == odd_.end())
        odd_.push_back({path, fmt::format("is {}, while {} of {} other {} have it",
                                          sysfs_.exists(path) ? "empty" : "absent", holders, others.size(), plural_)});
  }

  std::vector<OddFile> found() {
    for (const auto& [folder, files] : absent_) {
      const auto& [file, holders] = files.front();
      const auto have = fmt::format("{} of {} {} have", holders, folders_.size(), plural_);
      if (files.size() == 1)
        odd_.push_back({file, fmt::format("is absent, while {} it", have)});
      else
        odd_.push_back({folder, fmt::format("{} files are absent, such as {}, which {}", files.size(),
                                            file.substr(file.rfind('/') + 1), have)});
    }
    return std::move(odd_);
  }

 private:
  using Absent = std::pair<std::string, std::size_t>;  // a file, and how many have it

  // Of the file, or of all that any of them has in its folder.
  std::set<std::string> names(const FileOfKind& file, const std::vector<std::string>& folders) const {
    if (!file.name.ends_with('/')) return {std::string(file.name)};
    std::set<std::string> found;
    for (const auto& folder : folders)
      for (const auto& name : sysfs_.list(fmt::format("{}/{}", folder, file.name)))
        found.insert(std::string(file.name) + name);
    return found;
  }

  // Of a port.
  std::string adapter_vendor(const std::string& port) const {
    return sysfs_.text(port.substr(0, port.find("/ports/")) + "/device/vendor").value_or("");
  }

  bool is_known_absent(const std::string& path) const {
    const auto folder = absent_.find(path.substr(0, path.rfind('/')));
    return folder != absent_.end() && std::ranges::find(folder->second, path, &Absent::first) != folder->second.end();
  }

  // Whether it is there, and a text in it.
  bool holds(const std::string& path, FileForm form) const {
    return is_there(path, form) && (form != FileForm::text || sysfs_.text(path) != "");
  }

  bool is_there(const std::string& path, FileForm form) const {
    return sysfs_.exists(path) && (form != FileForm::link || sysfs_.link(path));
  }

  void compare(const std::string& name, FileForm form) {
    std::vector<std::string> holders;
    std::vector<std::string> others;
    for (const auto& folder : folders_) {
      auto path = fmt::format("{}/{}", folder, name);
      auto& these = is_there(path, form) ? holders : others;
      these.push_back(std::move(path));
    }
    if (2 * holders.size() >= folders_.size())
      for (const auto& path : others) absent_[path.substr(0, path.rfind('/'))].emplace_back(path, holders.size());
    if (form == FileForm::same) return compare_texts(holders);
    if (form == FileForm::text) return compare_lengths(holders);
    for (const auto& path : holders) read(path, form);
  }

  // Which is damaged is told by who reads it.
  void read(const std::string& path, FileForm form) {
    if (form == FileForm::link) return;
    const auto text = form == FileForm::config ? sysfs_.bytes(path) : sysfs_.text(path);
    if (!text) return;
    if (text->empty() && form != FileForm::nodes)
      tree_.damaged({path, "is empty"});
    else if (form == FileForm::number && text != no_counter)
      sysfs_.number(path);
    else if (form == FileForm::cpus || form == FileForm::nodes)
      parsed(sysfs_, path, cpu_list);
    else if (form == FileForm::hex && text->find_first_not_of(hexadecimal) != text->npos)
      tree_.damaged({path, fmt::format("'{}' is not a number in hexadecimal", *text)});
    else if (form == FileForm::numbers &&
             !std::ranges::all_of(words(*text), [](auto word) { return whole_number(word).has_value(); }))
      tree_.damaged({path, fmt::format("'{}' are not numbers", *text)});
    else if (form == FileForm::named && !whole_number(text->substr(0, text->find(':'))))
      tree_.damaged({path, fmt::format("'{}' has no number before its name, as '4: ACTIVE' has", *text)});
    else if (form == FileForm::layer && std::ranges::find(layers, *text) == layers.end())
      tree_.damaged({path, fmt::format("'{}' is not one of {}", *text, fmt::join(layers, ", "))});
    else if (form == FileForm::speed && !nccl_speed(*text) && !text->starts_with(unknown_speed))
      tree_.damaged({path, fmt::format("'{}' is not a speed such as '32.0 GT/s PCIe'", *text)});
    else if (form == FileForm::config)
      compare_ids(path, *text);
  }

  // A function that is lost answers every read with ones, which is told of the GPU or the drive.
  void compare_ids(const std::string& path, const std::string& bytes) const {
    const auto folder = path.substr(0, path.rfind('/'));
    const auto vendor = sysfs_.number(folder + "/vendor");
    if (!vendor || bytes.starts_with("\xff\xff")) return;
    const auto byte = [&](std::size_t at) { return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U; };
    if (byte(0) + 256 * byte(1) != static_cast<unsigned>(*vendor))
      tree_.damaged({path, "does not begin with the id of its vendor"});
  }

  // What no sibling has anything in is no fault.
  void compare_lengths(const std::vector<std::string>& paths) {
    std::vector<std::string> empty;
    std::size_t filled = 0;
    for (const auto& path : paths)
      if (const auto text = parsed(sysfs_, path, plain_text); text && text->empty())
        empty.push_back(path);
      else
        ++filled;
    if (2 * filled < paths.size()) return;
    for (const auto& path : empty)
      odd_.push_back({path, fmt::format("is empty, and that of {} of {} {} is not", filled, folders_.size(), plural_)});
  }

  void compare_texts(const std::vector<std::string>& paths) {
    std::map<std::string, std::vector<std::string>> by_text;
    for (const auto& path : paths)
      if (auto text = parsed(sysfs_, path, written_text)) by_text[*std::move(text)].push_back(path);
    const auto most = std::ranges::max_element(by_text, {}, [](const auto& each) { return each.second.size(); });
    if (most == by_text.end() || 2 * most->second.size() <= paths.size()) return;
    for (const auto& [text, own] : by_text)
      if (text != most->first)
        for (const auto& path : own)
          odd_.push_back({path, fmt::format("'{}' instead of '{}', which {} of {} {} have", text, most->first,
                                            most->second.size(), folders_.size(), plural_)});
  }

  const Sysfs& tree_;
  Sysfs sysfs_;
  std::string_view plural_;
  std::vector<std::string> folders_;
  std::map<std::string, std::vector<Absent>> absent_;  // by folder
  std::vector<OddFile> odd_;
};

// The other components whose files have the same maker.
std::vector<std::string> others_of_maker(const std::vector<Component>& components, std::string_view folder) {
  const auto own = std::ranges::find(components, folder, &Component::folder);
  std::vector<std::string> others;
  if (own == components.end() || own->maker.empty()) return others;
  for (const auto& other : components)
    if (other.maker == own->maker && other.folder != folder) others.push_back(other.folder);
  return others;
}

}  // namespace

std::vector<OddFile> odd_files(const Sysfs& sysfs, Kin kin) {
  const auto kind = kind_of(sysfs, kin);
  std::map<std::string, std::vector<std::string>> by_model;
  std::vector<std::string> damaged;
  for (const auto& [folder, model, maker] : kind.components)
    (model.find(unknown_model) == model.npos ? by_model[model] : damaged).push_back(folder);
  if (by_model.empty()) by_model[""];
  auto& most = std::ranges::max_element(by_model, {}, [](const auto& each) { return each.second.size(); })->second;
  most.insert(most.end(), damaged.begin(), damaged.end());
  std::vector<OddFile> all;
  for (auto& [model, folders] : by_model) {
    const auto others =
        folders.size() == 1 ? others_of_maker(kind.components, folders.front()) : std::vector<std::string>();
    Siblings siblings(sysfs, kind.plural, std::move(folders));
    for (const auto& file : kind.files) siblings.compare(file);
    for (const auto& companions : kind.companions) siblings.compare(companions);
    siblings.compare_alone(kind.files, others);
    std::ranges::move(siblings.found(), std::back_inserter(all));
  }
  return all;
}

}  // namespace muster::topology
