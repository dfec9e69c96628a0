// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "results/values/report.hpp"

namespace muster::results {

// Takes names, serial numbers and addresses out of texts: what it was told of wherever it stands as a word, and what
// looks like a UUID, a GUID, or an address of IP or Ethernet anywhere. In the place of each is a word such as
// "host-1", the same for the same name. PCI addresses stay: they are alike on all machines of a kind.
class Redactor {
 public:
  // A name of such a kind: "host", "serial".
  void learn(std::string_view kind, std::string_view name);
  void learn(const Labels& labels);
  // A name for which another word than one of its own is to stand.
  void learn_word(std::string_view name, std::string word) { words_.emplace(name, std::move(word)); }

  std::string operator()(std::string_view text);
  // Of a text that is nothing but a name.
  std::string name(std::string_view name);
  Labels labels(const Labels& labels);

 private:
  const std::string& word_for(std::string_view kind, std::string_view name);
  std::string without_known(std::string_view text) const;
  std::string without_addresses(std::string_view word);

  std::map<std::string, std::string, std::less<>> words_;   // by name
  std::map<std::string, std::size_t, std::less<>> counts_;  // by kind
};

// The same report without them, and without the values of its environment.
Report redacted(Report report);

}  // namespace muster::results
