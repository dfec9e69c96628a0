// SPDX-License-Identifier: Apache-2.0
#include "topology/utf8.hpp"

#include <algorithm>
#include <array>

namespace muster::topology {
namespace {

// A row of table 3-7: lead bytes, the range of the second byte, and how many bytes follow the lead.
struct Form {
  unsigned char lead_first, lead_last, second_first, second_last;
  std::size_t following;
};

constexpr std::array<Form, 9> forms = {{{0x00, 0x7f, 0x00, 0x00, 0},
                                        {0xc2, 0xdf, 0x80, 0xbf, 1},
                                        {0xe0, 0xe0, 0xa0, 0xbf, 2},
                                        {0xe1, 0xec, 0x80, 0xbf, 2},
                                        {0xed, 0xed, 0x80, 0x9f, 2},
                                        {0xee, 0xef, 0x80, 0xbf, 2},
                                        {0xf0, 0xf0, 0x90, 0xbf, 3},
                                        {0xf1, 0xf3, 0x80, 0xbf, 3},
                                        {0xf4, 0xf4, 0x80, 0x8f, 3}}};

bool within(char byte, unsigned char first, unsigned char last) {
  const auto value = static_cast<unsigned char>(byte);
  return first <= value && value <= last;
}

}  // namespace

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto* form =
        std::ranges::find_if(forms, [&](const Form& row) { return within(text[0], row.lead_first, row.lead_last); });
    if (form == forms.end() || text.size() <= form->following) return false;
    if (form->following > 0 && !within(text[1], form->second_first, form->second_last)) return false;
    for (std::size_t at = 2; at <= form->following; ++at)
      if (!within(text[at], 0x80, 0xbf)) return false;
    text.remove_prefix(form->following + 1);
  }
  return true;
}

}  // namespace muster::topology
