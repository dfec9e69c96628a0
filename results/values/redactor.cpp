// SPDX-License-Identifier: Apache-2.0
#include "results/values/redactor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <ranges>
#include <utility>

namespace muster::results {
namespace {

using Kind = std::pair<std::string_view, std::string_view>;

// Labels whose values are names of a machine or of a part of it.
constexpr std::array<Kind, 9> kinds_of_labels = {{{"host", "host"},
                                                  {"partner", "host"},
                                                  {"server", "host"},
                                                  {"serial", "serial"},
                                                  {"gpu_uuid", "uuid"},
                                                  {"guid", "guid"},
                                                  {"partner_guid", "guid"},
                                                  {"address", "address"},
                                                  {"board_id", "board"}}};

constexpr std::size_t shortest_name = 3;  // that is looked for in sentences

bool is_alnum(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }
bool is_hex(char letter) { return std::isxdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_digit_letter(char letter) { return letter >= '0' && letter <= '9'; }

// Whether a text has the shape of another, in which x stands for a hexadecimal digit.
bool has_shape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(text, shape,
                            [](char letter, char wanted) { return wanted == 'x' ? is_hex(letter) : letter == wanted; });
}

bool is_ipv4(std::string_view word) {
  return std::ranges::count(word, '.') == 3 && word.size() >= 7 && word.size() <= 15 && word.back() != '.' &&
         word.front() != '.' && word.find("..") == word.npos &&
         std::ranges::all_of(word, [](char letter) { return is_digit_letter(letter) || letter == '.'; });
}

// Times such as 12:30:45 have too few colons, PCI addresses a point.
bool is_ipv6(std::string_view word) {
  const auto colons = std::ranges::count(word, ':');
  return colons >= 2 && (colons == 7 || word.find("::") != word.npos) && word.size() > 2 &&
         std::ranges::all_of(word, [](char letter) { return is_hex(letter) || letter == ':'; });
}

// The kind of a word that is an identity by its looks; empty where it is none.
std::string_view kind_by_looks(std::string_view word) {
  if (word.starts_with("GPU-") || word.starts_with("MIG-")) word.remove_prefix(4);
  if (has_shape(word, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")) return "uuid";
  if (has_shape(word, "xxxx:xxxx:xxxx:xxxx") ||
      (word.starts_with("0x") && has_shape(word.substr(2), "xxxxxxxxxxxxxxxx")))
    return "guid";
  if (has_shape(word, "xx:xx:xx:xx:xx:xx") || is_ipv4(word) || is_ipv6(word)) return "address";
  return "";
}

bool is_of_word(char letter) { return is_alnum(letter) || letter == '.' || letter == ':' || letter == '-'; }

// Facts whose value is such a name, and of which kind.
std::string_view kind_of_fact(std::string_view metric) {
  constexpr std::array<Kind, 8> endings = {{{"serial", "serial"},
                                            {"uuid", "uuid"},
                                            {"hostname", "host"},
                                            {"physical_host_name", "host"},
                                            {"virtual_machine_id", "uuid"},
                                            {"boot_id", "uuid"},
                                            {"guid", "guid"},
                                            {"gid", "address"}}};
  const auto subject = metric.substr(metric.rfind('.') + 1);
  const auto found = std::ranges::find(endings, subject, &Kind::first);
  return found == endings.end() ? "" : found->second;
}

// Where a name ends that a domain may follow: gpu-1.example.com.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at + 1 < text.size() && text[at] == '.' && is_alnum(text[at + 1])) {
    ++at;
    while (at < text.size() && (is_alnum(text[at]) || text[at] == '-')) ++at;
  }
  return at;
}

// Whose home a path is in.
std::string without_users(std::string text) {
  constexpr std::string_view homes = "/home/";
  for (auto at = text.find(homes); at != text.npos; at = text.find(homes, at)) {
    at += homes.size();
    const auto end = std::min(text.find_first_of("/ :,;'\"", at), text.size());
    text.replace(at, end - at, "user");
  }
  return text;
}

void learn_all(Redactor& redact, const Report& report) {
  for (const Host& host : report.hosts) {
    redact.learn("host", host.name);
    for (const auto& [name, value] : host.fingerprint)
      if (const auto kind = kind_of_fact(name); !kind.empty()) redact.learn(kind, value);
  }
  for (const CheckRun& run : report.checks) {
    redact.learn("host", run.host);
    for (const auto& host : run.hosts) redact.learn("host", host);
    redact.learn(run.component);
    for (const Measurement& fact : run.measurements) {
      redact.learn(fact.labels);
      const auto* text = std::get_if<std::string>(&fact.value);
      if (const auto kind = kind_of_fact(fact.metric); text != nullptr && !kind.empty()) redact.learn(kind, *text);
    }
    for (const Delta& delta : run.evidence) redact.learn(delta.labels);
    for (const Verdict& verdict : run.verdicts) redact.learn(verdict.labels);
    CheckRun job{.hosts = run.hosts};
    for (auto& host : job.hosts) host = redact.name(host);
    if (!job.hosts.empty()) redact.learn_word(place(run), place(job));
  }
}

void redact_value(Redactor& redact, Value& value) {
  if (auto* text = std::get_if<std::string>(&value)) *text = redact.name(*text);
}

void redact_run(Redactor& redact, CheckRun& run) {
  run.host = redact.name(run.host);
  for (auto* text : {&run.reason, &run.phase, &run.information}) *text = redact(*text);
  for (auto& host : run.hosts) host = redact.name(host);
  run.component = redact.labels(run.component);
  for (auto& [label, values] : run.selected)
    for (auto& value : values) value = redact(value);
  for (Measurement& fact : run.measurements) {
    redact_value(redact, fact.value);
    fact.labels = redact.labels(fact.labels);
    if (fact.limit) fact.limit->source = redact(fact.limit->source);
  }
  for (Delta& delta : run.evidence) delta.labels = redact.labels(delta.labels);
  for (Verdict& verdict : run.verdicts) {
    verdict.labels = redact.labels(verdict.labels);
    if (verdict.value) redact_value(redact, *verdict.value);
    for (auto* text : {&verdict.expected, &verdict.source, &verdict.reason, &verdict.action}) *text = redact(*text);
  }
}

}  // namespace

const std::string& Redactor::word_for(std::string_view kind, std::string_view name) {
  const auto known = words_.find(name);
  if (known != words_.end()) return known->second;
  auto word = fmt::format("{}-{}", kind, ++counts_[std::string(kind)]);
  return words_.emplace(name, std::move(word)).first->second;
}

void Redactor::learn(std::string_view kind, std::string_view name) {
  if (name.empty()) return;
  const auto& word = word_for(kind, name);
  const auto point = name.find('.');
  if (kind == "host" && point != name.npos && point >= shortest_name && !is_ipv4(name))
    words_.emplace(name.substr(0, point), word);
}

void Redactor::learn(const Labels& labels) {
  for (const auto& [label, kind] : kinds_of_labels)
    if (const auto found = labels.find(label); found != labels.end() && found->second.find(' ') == std::string::npos)
      learn(kind, found->second);  // else it is "h1 h2" or "64 hosts"
}

std::string Redactor::name(std::string_view name) {
  const auto known = words_.find(name);
  return known == words_.end() ? (*this)(name) : known->second;
}

Labels Redactor::labels(const Labels& labels) {
  Labels result;
  for (const auto& [label, value] : labels) {
    const bool is_name = std::ranges::find(kinds_of_labels, label, &Kind::first) != kinds_of_labels.end();
    result.emplace(label, is_name ? name(value) : (*this)(value));
  }
  return result;
}

std::string Redactor::operator()(std::string_view text) {
  const auto known = without_users(without_known(text));
  std::string result;
  for (std::size_t at = 0; at < known.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(known.begin() + static_cast<std::ptrdiff_t>(at), known.end(), is_of_word) - known.begin());
    result += end == at ? std::string(1, known[at]) : without_addresses(std::string_view(known).substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return result;
}

// Of a word, or of its parts, such as an address with a port.
std::string Redactor::without_addresses(std::string_view word) {
  const auto core = word.substr(0, word.find_last_not_of(".-:") + 1);
  std::string rest(word.substr(core.size()));
  if (const auto kind = kind_by_looks(core); !kind.empty()) return word_for(kind, core) + rest;
  const auto cut = core.find_first_of(":-");
  if (cut == core.npos) return std::string(word);
  return without_addresses(core.substr(0, cut)) + core[cut] + without_addresses(core.substr(cut + 1)) + rest;
}

// A number alone is no name in a sentence, and neither is a letter or two.
std::string Redactor::without_known(std::string_view text) const {
  std::string result(text);
  for (const auto& [name, word] : std::views::reverse(words_)) {  // longer ones before what they begin with
    if (name.size() < shortest_name || std::ranges::all_of(name, is_digit_letter)) continue;
    for (auto at = result.find(name); at != result.npos; at = result.find(name, at)) {
      const auto end = end_of_name(result, at + name.size());
      const bool is_word = (at == 0 || !is_alnum(result[at - 1])) && (end == result.size() || !is_alnum(result[end]));
      if (is_word) result.replace(at, end - at, word);
      at += is_word ? word.size() : 1;
    }
  }
  return result;
}

Report redacted(Report report) {
  Redactor redact;
  learn_all(redact, report);
  for (auto& [name, value] : report.environment) value = "redacted";
  for (Host& host : report.hosts) {
    host.name = redact.name(host.name);
    for (auto& [name, value] : host.fingerprint) value = redact.name(value);
  }
  for (CheckRun& run : report.checks) redact_run(redact, run);
  for (auto* text : {&report.summary, &report.profile.chosen_by, &report.profile.doubt}) *text = redact(*text);
  return report;
}

}  // namespace muster::results
