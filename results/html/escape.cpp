// SPDX-License-Identifier: Apache-2.0
#include "results/html/escape.hpp"

#include <fmt/format.h>

#include "results/strings/base64.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/file.hpp"

namespace muster::results::html {
namespace {

// U+FDD0 to U+FDEF and the last two of each plane.
bool is_noncharacter(std::string_view three, std::string_view four) {
  const auto byte = [](std::string_view of, std::size_t at) { return static_cast<unsigned char>(of[at]); };
  if (three.size() == 3 && byte(three, 0) == 0xEF)
    return (byte(three, 1) == 0xB7 && byte(three, 2) >= 0x90 && byte(three, 2) <= 0xAF) ||
           (byte(three, 1) == 0xBF && byte(three, 2) >= 0xBE);
  return four.size() == 4 && byte(four, 0) >= 0xF0 && (byte(four, 1) & 0x0F) == 0x0F && byte(four, 2) == 0xBF &&
         byte(four, 3) >= 0xBE;
}

// U+200B to U+200F, U+2028 to U+202E and U+2066 to U+2069, which nobody sees, or which show "gpu-1" as "1-upg".
bool is_unseen(std::string_view three) {
  const auto last = three.size() == 3 ? static_cast<unsigned char>(three[2]) : 0;
  return (three.starts_with("\xE2\x80") && ((last >= 0x8B && last <= 0x8F) || (last >= 0xA8 && last <= 0xAE))) ||
         (three.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9);
}

std::string_view entity(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

std::string cleaned(std::string_view any, bool with_entities) {
  const auto clean = printable(any);
  std::string text;
  text.reserve(clean.size() + clean.size() / 8);
  for (std::string_view rest = clean; !rest.empty();) {
    std::size_t size = 1;
    if (const auto name = entity(rest[0]); !name.empty() && with_entities) {
      text += name;
    } else if (is_noncharacter(rest.substr(0, 3), rest.substr(0, 4))) {
      size = static_cast<unsigned char>(rest[0]) == 0xEF ? 3 : 4;
      text += '?';
    } else if (is_unseen(rest.substr(0, 3))) {
      size = 3;
      text += '?';
    } else {
      text += rest[0];
    }
    rest.remove_prefix(size);
  }
  return text;
}

// Of text that is much longer, no more than may be shown is looked at.
std::string cut(std::string_view any, std::size_t bytes) { return shortened(any.substr(0, 4 * bytes), bytes); }

}  // namespace

std::string escaped(std::string_view any) { return cleaned(any, true); }
std::string escaped(std::string_view any, std::size_t bytes) { return escaped(cut(any, bytes)); }
std::string plain(std::string_view any, std::size_t bytes) { return cleaned(cut(any, bytes), false); }

std::string policy_hash(std::string_view text) { return "sha256-" + base64(sha256_bytes(text)); }

std::string identifier(std::string_view kind, std::size_t number, std::string_view about) {
  constexpr std::size_t most = 60;
  auto text = fmt::format("{}-{}-", kind, number);
  for (const char letter : about) {
    const bool is_plain =
        (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    if (text.size() < most && (is_plain || text.back() != '-')) text += is_plain ? letter : '-';
  }
  text.erase(text.find_last_not_of('-') + 1);
  return text;
}

}  // namespace muster::results::html
