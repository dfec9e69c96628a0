// SPDX-License-Identifier: Apache-2.0
#include "results/json/cut_json.hpp"

namespace muster::results {

std::optional<std::string> without_cut_end(std::string_view json) {
  std::string open;         // what closes the objects and arrays that are open, the outermost first
  std::string whole;        // up to the last value that came whole
  std::string whole_open;   // what was open there
  bool is_in_text = false;  // where a backslash protects the next letter
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char letter = json[at];
    if (is_in_text) {
      if (letter == '\\') ++at;
      is_in_text = letter != '"';
      continue;
    }
    is_in_text = letter == '"';
    if (letter == '{') open += '}';
    if (letter == '[') open += ']';
    const bool closes = !open.empty() && letter == open.back() && (letter == '}' || letter == ']');
    if (closes) open.pop_back();
    if (letter != '{' && letter != '[' && letter != ',' && !closes) continue;
    whole = json.substr(0, letter == ',' ? at : at + 1);
    whole_open = open;
  }
  if (open.empty()) return std::nullopt;
  return whole + std::string(whole_open.rbegin(), whole_open.rend());
}

}  // namespace muster::results
