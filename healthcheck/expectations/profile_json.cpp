// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/expectations/expectation_json.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

double number_in(results::Unit unit, const Field& field) {
  field.object({"value", "unit"});
  if (read_unit(field.at("unit")) != unit) field.at("unit").fail(fmt::format("must be {}", results::symbol(unit)));
  return field.at("value").number();
}

Match parsed_match(const Field& field) {
  field.object({"gpu_id", "gpu_count", "nic_count", "nic_rate", "cpu_count", "numa_count", "drive_count", "memory"});
  constexpr std::size_t most = 1'000'000;
  Match match;
  if (const auto id = field.find("gpu_id")) match.gpu_id = filled_text(*id);
  if (const auto count = field.find("gpu_count")) match.gpu_count = count->whole_number(0, most);
  if (const auto count = field.find("nic_count")) match.nic_count = count->whole_number(0, most);
  if (const auto count = field.find("cpu_count")) match.cpu_count = count->whole_number(1, most);
  if (const auto count = field.find("numa_count")) match.numa_count = count->whole_number(1, most);
  if (const auto count = field.find("drive_count")) match.drive_count = count->whole_number(0, most);
  if (const auto rate = field.find("nic_rate"))
    match.nic_rate_bits_per_second = number_in(results::Unit::bit_per_second, *rate);
  if (const auto memory = field.find("memory")) match.memory_bytes = number_in(results::Unit::byte, *memory);
  return match;
}

std::vector<std::string> parsed_mounts(const Field& field) {
  std::vector<std::string> mounts;
  for (const Field& item : field.items()) {
    mounts.push_back(filled_text(item));
    const std::filesystem::path path(mounts.back());
    if (!path.is_absolute() || path != path.lexically_normal() || (!path.has_filename() && path != path.root_path()))
      item.fail("must be a folder's full name, such as /mnt/scratch");
  }
  return mounts;
}

// Before all else, or a misspelled field would be one that is not there.
void expect_fields(const Field& root) {
  if (root.find("schema") && root.find("tool")) root.fail("this is a document of muster, and no profile");
  root.object({"name", "description", "extends", "match", "scratch_mounts", "information", "expectations", "evidence"});
}

Match match_of(const Field& root) {
  const auto match = root.find("match");
  return match ? parsed_match(*match) : Match{};
}

// What an expectation is about: one profile has one of each.
struct SameSubject {
  bool operator()(const Expectation* one, const Expectation* other) const {
    return one->bound.kind == other->bound.kind && one->metric == other->metric && one->check == other->check &&
           one->labels == other->labels;
  }
};

struct HashOfSubject {
  std::size_t operator()(const Expectation* expectation) const {
    constexpr std::size_t factor = 31;
    const std::hash<std::string> hash;
    std::size_t sum = hash(expectation->metric) + static_cast<std::size_t>(expectation->bound.kind);
    for (const auto& [name, value] : expectation->labels) sum = (sum * factor + hash(name)) * factor + hash(value);
    return sum;
  }
};

template <typename Pointer>
using BySubject = std::unordered_set<Pointer, HashOfSubject, SameSubject>;

void add_expectations(Profile& profile, const Field& list, Expectation (*read)(const Field&)) {
  const auto items = list.items();
  std::vector<Expectation> own;
  own.reserve(items.size());  // so that none moves
  BySubject<const Expectation*> known;
  known.reserve(items.size());
  for (const Field& item : items)
    if (!known.insert(&own.emplace_back(read(item))).second)
      item.fail("the same check, metric, labels and bound are expected above already; remove one");
  if (profile.expectations.empty()) {
    profile.expectations = std::move(own);
    return;
  }
  BySubject<Expectation*> inherited;
  for (Expectation& expectation : profile.expectations) inherited.insert(&expectation);
  std::vector<Expectation> added;
  for (Expectation& expectation : own)
    if (const auto found = inherited.find(&expectation); found != inherited.end())
      **found = std::move(expectation);
    else
      added.push_back(std::move(expectation));
  std::ranges::move(added, std::back_inserter(profile.expectations));
}

// A profile and the bytes that its hash is of: those of its file and of all files it extends.
struct Loaded {
  Profile profile;
  std::string bytes;
};

std::filesystem::path place_of(const std::string& name, const std::filesystem::path& folder, const Field& field) {
  std::error_code none;
  for (const auto& candidate : {folder / (name + ".json"), installation().profiles / (name + ".json")})
    if (std::filesystem::exists(candidate, none)) return candidate;
  field.fail(fmt::format("there is no profile '{}' in {} or {}", name, folder.empty() ? "this folder" : folder.string(),
                         installation().profiles.string()));
}

Loaded load(const Document& document, std::vector<std::filesystem::path> extending);

Loaded inherited(const Field& extends, const std::filesystem::path& file,
                 std::vector<std::filesystem::path> extending) {
  const auto parent = place_of(filled_text(extends), file.parent_path(), extends);
  extending.push_back(std::filesystem::weakly_canonical(file));
  if (std::ranges::find(extending, std::filesystem::weakly_canonical(parent)) != extending.end())
    extends.fail(fmt::format("'{}' extends this profile in turn; break the circle", extends.text()));
  return load(Document(parent), std::move(extending));
}

Loaded load(const Document& document, std::vector<std::filesystem::path> extending) {
  return document.read([&](const Field& root) {
    expect_fields(root);
    Loaded loaded;
    if (const auto extends = root.find("extends")) loaded = inherited(*extends, document.file(), std::move(extending));
    Profile& profile = loaded.profile;
    loaded.bytes += document.text();
    profile.name = filled_text(root.at("name"));
    profile.description = filled_text(root.at("description"));
    profile.match = match_of(root);
    if (const auto scratch = root.find("scratch_mounts")) profile.scratch_mounts = parsed_mounts(*scratch);
    if (const auto information = root.find("information"))
      for (const auto& [check, reason] : information->members()) profile.information[check] = filled_text(reason);
    add_expectations(profile, root.at("expectations"), read_check_expectation);
    if (const auto evidence = root.find("evidence")) add_expectations(profile, *evidence, read_evidence_expectation);
    return loaded;
  });
}

}  // namespace

Profile read_profile(const std::filesystem::path& file) { return read_profile(Document(file)); }

Profile read_profile(const Document& document) {
  Loaded loaded = load(document, {});
  for (Expectation& expectation : loaded.profile.expectations)
    if (expectation.bound.kind == BoundKind::peers || expectation.bound.kind == BoundKind::majority)
      if (const auto* metric = known_metrics().find(expectation.metric)) expectation.better = metric->better;
  loaded.profile.sha256 = results::sha256(loaded.bytes);
  return std::move(loaded.profile);
}

Match read_match(const std::filesystem::path& file) {
  return Document(std::filesystem::absolute(file)).read([](const Field& root) {
    expect_fields(root);
    return match_of(root);
  });
}

}  // namespace muster::healthcheck
