// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace muster::benchmarks {

// Items as a text, for processes of one build.
template <class Item>
std::string packed(std::span<const Item> items) {
  static_assert(std::is_trivially_copyable_v<Item>, "other processes have no part in its memory");
  std::string text(items.size_bytes(), '\0');
  if (!items.empty()) std::memcpy(text.data(), items.data(), text.size());
  return text;
}

template <class Item>
std::vector<Item> unpacked(const std::string& text) {
  std::vector<Item> items(text.size() / sizeof(Item));
  if (!items.empty()) std::memcpy(items.data(), text.data(), items.size() * sizeof(Item));
  return items;
}

}  // namespace muster::benchmarks
