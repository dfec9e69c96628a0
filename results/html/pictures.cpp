// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "results/html/assets.hpp"
#include "results/html/picture.hpp"

namespace muster::results::html {

std::vector<Picture> pictures(const Report& report) {
  std::vector<Picture> all;
  for (const auto& kind : {machine, curves, pairs, times, incidents})
    std::ranges::move(kind(report), std::back_inserter(all));
  return all;
}

std::string svg_file(const Picture& picture) {
  auto drawing = picture.drawing;
  if (const auto end = drawing.find('>'); end != drawing.npos)
    drawing.insert(
        end + 1, fmt::format(R"(<style>{}</style><rect class="paper" width="100%" height="100%"/>)", picture_style()));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + drawing + "\n";
}

std::string_view picture_style() { return assets::picture; }

}  // namespace muster::results::html
