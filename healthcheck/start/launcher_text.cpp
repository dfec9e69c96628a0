// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/launcher_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "results/strings/utf8.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t shortest_rule = 20;
constexpr std::size_t max_sentence = 240;

bool is_rule(std::string_view line) {
  return line.size() >= shortest_rule && (line.find_first_not_of('-') == std::string_view::npos ||
                                          line.find_first_not_of('=') == std::string_view::npos);
}

// Hydra begins each line of its box with an equals sign.
std::string_view bare(std::string_view line) {
  line = topology::trimmed(line);
  return line.starts_with("= ") ? topology::trimmed(line.substr(1)) : line;
}

// With one blank between words.
std::string evened(std::string_view line) { return fmt::format("{}", fmt::join(topology::words(bare(line)), " ")); }

Passage passage_of(std::vector<std::string> lines, bool is_block) {
  Passage made{.lines = std::move(lines), .joined = {}, .is_block = is_block};
  for (const auto& line : made.lines)
    if (!line.empty()) made.joined += (made.joined.empty() ? "" : " ") + line;
  return made;
}

// The word that follows; nothing where the words before it are not there.
std::optional<std::string> word_after(std::string_view text, std::string_view before) {
  const auto at = text.rfind(before);
  if (at == std::string_view::npos) return std::nullopt;
  auto word = text.substr(at + before.size());
  word = word.substr(0, word.find_first_of(" ,;)"));
  while (word.ends_with('.') || word.ends_with(':')) word.remove_suffix(1);
  return word.empty() ? std::nullopt : std::optional(std::string(word));
}

std::optional<std::size_t> number_at(std::string_view text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// "[h2:1234]", "[proxy:1@h2]": what stands between the brackets.
std::string_view bracketed(std::string_view line) {
  const auto end = line.find(']');
  return line.starts_with('[') && end != std::string_view::npos ? line.substr(1, end - 1) : std::string_view();
}

// Without "[mpiexec@h1] function (/source/file.c:73): ".
std::string_view without_place(std::string_view line) {
  const auto end = line.find("): ");
  return !bracketed(line).empty() && line.find(".c:") < end && end != std::string_view::npos ? line.substr(end + 3)
                                                                                             : line;
}

// The lines from here to the next one without a word, where `line` is left.
std::string paragraph(const std::vector<std::string>& lines, std::vector<std::string>::const_iterator& line,
                      std::string_view between) {
  std::string joined;
  while (line != lines.end() && line->empty()) ++line;
  for (; line != lines.end() && !line->empty(); ++line) joined.append(joined.empty() ? "" : between).append(*line);
  return joined;
}

}  // namespace

std::vector<Passage> passages(std::string_view said) {
  std::vector<Passage> found;
  std::vector<std::string> block;
  bool is_inside = false;
  const auto add = [&](std::vector<std::string> lines, bool is_block) {
    if (auto made = passage_of(std::move(lines), is_block); !made.joined.empty()) found.push_back(std::move(made));
  };
  while (!said.empty()) {
    const auto end = std::min(said.find('\n'), said.size());
    const auto line = topology::trimmed(said.substr(0, end));
    said.remove_prefix(std::min(end + 1, said.size()));
    if (is_rule(line)) {
      add(std::exchange(block, {}), true);
      is_inside = !is_inside;
    } else if (is_inside) {
      block.push_back(evened(line));
    } else {
      add({evened(line)}, false);
    }
  }
  add(std::move(block), true);
  return found;
}

std::optional<std::string> field(const Passage& passage, std::string_view name) {
  for (const auto& line : passage.lines) {
    if (!line.starts_with(name)) continue;
    const auto rest = topology::trimmed(std::string_view(line).substr(name.size()));
    if (!rest.starts_with(':')) continue;
    if (const auto value = topology::trimmed(rest.substr(1)); !value.empty()) return std::string(value);
  }
  return std::nullopt;
}

std::string first_sentence(const Passage& passage) {
  auto line = passage.lines.begin();
  auto told = paragraph(passage.lines, line, " ");
  if (told.ends_with(':')) told += " " + paragraph(passage.lines, line, ", ");
  auto text = without_place(told);
  for (const std::string_view pleasantry : {"Sorry! ", "WARNING: "})
    if (text.starts_with(pleasantry)) text.remove_prefix(pleasantry.size());
  text = topology::trimmed(text.substr(0, text.find(". ")));
  while (text.ends_with('.') || text.ends_with(':')) text.remove_suffix(1);
  return results::shortened(text, max_sentence);
}

std::optional<std::size_t> rank_of(const Passage& passage) {
  for (const std::string_view before : {"process rank ", "MPI_ABORT was invoked on rank "})
    if (const auto at = passage.joined.find(before); at != std::string::npos)
      return number_at(std::string_view(passage.joined).substr(at + before.size()));
  if (const auto name = field(passage, "Process name"))  // "[[27183,1],1]", "[prterun-h1-5622@1,1]"
    if (const auto comma = name->rfind(','); comma != std::string::npos)
      return number_at(std::string_view(*name).substr(comma + 1));
  return std::nullopt;
}

std::optional<std::string> host_named_by(const Passage& passage) {
  for (const std::string_view name : {"Node", "Remote host", "Local host", "Host"})
    if (auto host = field(passage, name)) return host;
  for (const std::string_view before : {" on node ", " RUNNING AT "})
    if (auto host = word_after(passage.joined, before)) return host;
  return std::nullopt;
}

std::vector<std::string> hosts_told_by_srun(const Passage& passage) {
  constexpr std::string_view start = "srun: error: ";
  std::string_view text = passage.joined;
  if (!text.starts_with(start)) return {};
  text.remove_prefix(start.size());
  const auto end = text.find(": task");  // and ": tasks 0-7:"
  if (end == std::string_view::npos || text.substr(0, end).find(' ') != std::string_view::npos) return {};
  try {
    return expanded(text.substr(0, end), "srun");
  } catch (const UsageError&) {
    return {};
  }
}

std::optional<std::string> writer_of(const Passage& passage) {
  constexpr std::string_view slurmstepd = "slurmstepd-";
  for (const auto& line : passage.lines) {
    if (line.starts_with(slurmstepd)) return line.substr(slurmstepd.size(), line.find(": ") - slurmstepd.size());
    const auto place = bracketed(line);
    if (place.starts_with("proxy:"))
      if (auto host = word_after(place, "@")) return host;
    const auto colon = place.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == place.size() || colon == 0) continue;
    const auto process = place.substr(colon + 1);
    if (process.find_first_not_of("0123456789") == std::string_view::npos) return std::string(place.substr(0, colon));
  }
  return std::nullopt;
}

}  // namespace muster::healthcheck
