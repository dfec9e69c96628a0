// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "results/html/escape.hpp"
#include "results/html/picture.hpp"
#include "results/html/svg.hpp"
#include "results/strings/utf8.hpp"

// What each pair of hosts of a job carried, as a matrix.
namespace muster::results::html {
namespace {

constexpr std::size_t max_hosts = 40;  // that are drawn
constexpr std::size_t max_with_numbers = 10;
constexpr double pairs_width = 880, pairs_left = 150, pairs_top = 92;

struct Matrix {
  std::string metric;
  std::set<std::string> hosts;
  std::map<std::pair<std::string, std::string>, Quantity> values;  // the worse where there are several
  bool less_is_better = false;
};

// "a b" as a job names a pair, or a host and its partner.
std::optional<std::pair<std::string, std::string>> pair_of(const Labels& labels) {
  const auto host = labels.find("host");
  if (host == labels.end()) return std::nullopt;
  if (const auto blank = host->second.find(' '); blank != std::string::npos)
    return std::pair(host->second.substr(0, blank), host->second.substr(blank + 1));
  const auto partner = labels.find("partner");
  return partner == labels.end() ? std::nullopt : std::optional(std::pair(host->second, partner->second));
}

std::map<std::string, Matrix> matrices(const CheckRun& run) {
  std::map<std::string, Matrix> found;
  for (const Measurement& each : run.measurements) {
    const auto* quantity = std::get_if<Quantity>(&each.value);
    if (quantity == nullptr || !subject_of(each.metric).starts_with("pair_")) continue;
    const auto pair = pair_of(each.labels);
    if (!pair || pair->first == pair->second) continue;
    auto& matrix = found[each.metric];
    matrix.metric = each.metric;
    matrix.less_is_better = quantity->unit == Unit::second;
    matrix.hosts.insert(pair->first);
    matrix.hosts.insert(pair->second);
    const auto [at, is_new] = matrix.values.try_emplace(*pair, *quantity);
    if (!is_new && (quantity->value < at->second.value) != matrix.less_is_better) at->second = *quantity;
  }
  return found;
}

double median_of(const Matrix& matrix) {
  std::vector<double> all;
  for (const auto& [pair, value] : matrix.values) all.push_back(value.value);
  return median(std::move(all));
}

// 0: as good as the median or better, to 4: less than half as good.
int step_of(double value, double middle, bool less_is_better) {
  const double share = less_is_better ? middle / value : value / middle;
  if (!std::isfinite(share)) return 4;
  return share > 0.97 ? 0 : share > 0.9 ? 1 : share > 0.75 ? 2 : share > 0.5 ? 3 : 4;
}

void legend(Svg& svg, Point at) {
  constexpr std::array<const char*, 5> words{"within 3 % of the median", "10 %", "25 %", "50 %", "worse"};
  int step = 0;
  for (const auto* const word : words) {
    svg.box(fmt::format("cell h{}", step++), {at.x, at.y - 10}, 13, 13, 2);
    svg.text("tick", {at.x + 18, at.y + 1}, word);
    at.x += 34 + 6.6 * static_cast<double>(std::string_view(word).size());
  }
}

std::string drawn(const Picture& picture, const Matrix& matrix) {
  std::vector<std::string> hosts(matrix.hosts.begin(), matrix.hosts.end());
  hosts.resize(std::min(hosts.size(), max_hosts));
  const double count = static_cast<double>(hosts.size()),
               cell = std::min(64.0, (pairs_width - pairs_left - 20) / count);
  const double high = std::min(cell, 34.0), middle = median_of(matrix);
  Svg svg(picture.name, picture.title, picture.caption, pairs_width, pairs_top + high * count + 44);
  for (std::size_t row = 0; row < hosts.size(); ++row) {
    const double y = pairs_top + high * static_cast<double>(row),
                 x = pairs_left + cell * (static_cast<double>(row) + 0.5);
    svg.text("name", {pairs_left - 10, y + high / 2 + 4}, shortened(hosts[row], 20), Anchor::end);
    svg.turned_text("name", {x + 4, pairs_top - 8}, shortened(hosts[row], 14));
    for (std::size_t column = 0; column < hosts.size(); ++column) {
      auto at = matrix.values.find({hosts[row], hosts[column]});
      if (at == matrix.values.end()) at = matrix.values.find({hosts[column], hosts[row]});
      if (at == matrix.values.end()) continue;
      const Point corner{pairs_left + cell * static_cast<double>(column) + 1, y + 1};
      svg.begin_group(fmt::format("{} and {}: {}", hosts[row], hosts[column], to_text(at->second)));
      svg.box(fmt::format("cell h{}", step_of(at->second.value, middle, matrix.less_is_better)), corner, cell - 2,
              high - 2, 2);
      if (hosts.size() <= max_with_numbers)
        svg.text("in-cell", {corner.x + cell / 2 - 1, corner.y + high / 2 + 3}, to_text(at->second), Anchor::middle);
      svg.end_group();
    }
  }
  legend(svg, {pairs_left, pairs_top + high * count + 28});
  return std::move(svg).finished();
}

Picture picture_of(const CheckRun& run, const Matrix& matrix, std::size_t number) {
  Picture picture{.name = identifier("pairs", number, run.check),
                  .title = fmt::format("{}: each pair of hosts", run.check),
                  .caption = "The stronger the colour of a pair, the further it is behind the median of all pairs.",
                  .drawing = {},
                  .head = {"Host", "Partner", "Found", "Share of the median"},
                  .rows = {}};
  if (matrix.hosts.size() > max_hosts)
    picture.caption += fmt::format(" {} of {} hosts are drawn; the table has all.", max_hosts, matrix.hosts.size());
  const double middle = median_of(matrix);
  for (const auto& [pair, value] : matrix.values)
    picture.rows.push_back({pair.first, pair.second, to_text(value), percent(value.value / middle)});
  picture.drawing = drawn(picture, matrix);
  return picture;
}

}  // namespace

std::vector<Picture> pairs(const Report& report) {
  std::vector<Picture> found;
  for (const CheckRun& run : report.checks)
    for (const auto& [metric, matrix] : matrices(run))
      if (found.size() < max_pictures) found.push_back(picture_of(run, matrix, found.size() + 1));
  return found;
}

}  // namespace muster::results::html
