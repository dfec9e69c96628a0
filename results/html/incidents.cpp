// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "results/html/escape.hpp"
#include "results/html/picture.hpp"
#include "results/html/scale.hpp"
#include "results/html/svg.hpp"
#include "results/strings/utf8.hpp"

// What the kernel's log tells of faults, by the time at which each began.
namespace muster::results::html {
namespace {

constexpr std::size_t log_max_rows = 24;  // that are drawn
constexpr double log_width = 880, log_left = 330, log_right = 830, log_top = 30, log_step = 28;

// Messages of one fault of one component.
struct Incident {
  std::string code, component, began, last;
  double messages = 0, open = 0, recovered = 0, by_applications = 0;
  std::optional<double> at;  // seconds since 1970, or since boot
  bool since_boot = false;
  Status status = Status::pass;
};

void place_in_time(Incident& incident) {
  if (const auto time = time_from(incident.began)) {
    incident.at = static_cast<double>(time->time_since_epoch().count());
    return;
  }
  double seconds = 0;
  const auto* end = incident.began.data() + incident.began.size();
  if (const auto [at, error] = std::from_chars(incident.began.data(), end, seconds);
      error == std::errc() && std::isfinite(seconds) && std::string_view(at, end) == " s after boot") {
    incident.at = seconds;
    incident.since_boot = true;
  }
}

void add(Incident& to, std::string_view subject, const Value& value) {
  const std::map<std::string_view, double Incident::*> numbers{{"count", &Incident::messages},
                                                               {"incidents", &Incident::open},
                                                               {"recovered", &Incident::recovered},
                                                               {"by_applications", &Incident::by_applications}};
  if (const auto* quantity = std::get_if<Quantity>(&value)) {
    if (const auto field = numbers.find(subject); field != numbers.end()) to.*field->second = quantity->value;
  } else if (subject == "began") {
    to.began = std::get<std::string>(value);
  } else if (subject == "last") {
    to.last = std::get<std::string>(value);
  }
}

std::vector<Incident> incidents_of(const CheckRun& run) {
  std::map<Labels, Incident> by_labels;
  for (const Measurement& each : run.measurements)
    if (each.labels.contains("code")) add(by_labels[each.labels], subject_of(each.metric), each.value);
  for (const Verdict& verdict : run.verdicts) {
    auto labels = verdict.labels;
    labels.erase("host");
    if (const auto at = by_labels.find(labels); at != by_labels.end() && verdict.status != Status::skip)
      at->second.status = std::max(at->second.status, verdict.status);
  }
  std::vector<Incident> found;
  for (auto& [labels, incident] : by_labels) {
    if (incident.messages == 0 && incident.open == 0) continue;
    incident.code = labels.at("code");
    auto component = labels;
    component.erase("code");
    incident.component = to_text(component);
    place_in_time(incident);
    found.push_back(std::move(incident));
  }
  std::ranges::stable_sort(found, [](const Incident& one, const Incident& other) {
    return std::pair(!one.at, one.at.value_or(0)) < std::pair(!other.at, other.at.value_or(0));
  });
  return found;
}

// "2026-11-30 02:15" or "3.5 h after boot"
std::string moment(double at, bool since_boot) {
  if (since_boot)
    return at < 120    ? fmt::format("{:.0f} s", at)
           : at < 7200 ? fmt::format("{:.0f} min", at / 60)
                       : fmt::format("{:.1f} h", at / 3600);
  auto text = utc(std::chrono::system_clock::time_point(std::chrono::seconds(static_cast<std::int64_t>(at))));
  text.resize(std::min<std::size_t>(text.size(), 16));
  std::ranges::replace(text, 'T', ' ');
  return text;
}

class TimeLine {
 public:
  TimeLine(const Picture& picture, std::vector<Incident> incidents, std::optional<double> now)
      : incidents_(std::move(incidents)),
        since_boot_(incidents_.front().since_boot),
        end_(latest(now)),
        x_(Scale::Kind::linear, incidents_.front().at.value_or(0), end_, log_left, log_right),
        bottom_(log_top + log_step * static_cast<double>(incidents_.size())),
        svg_(picture.name, picture.title, picture.caption, log_width, bottom_ + 36) {}

  std::string drawn() && {
    const double begin = incidents_.front().at.value_or(0);
    for (const double share : {0.0, 0.5, 1.0}) {
      const double at = begin + share * (end_ - begin), x = log_left + share * (log_right - log_left);
      svg_.line("grid", {x, log_top - 14}, {x, bottom_});
      svg_.text("tick", {x, bottom_ + 20}, moment(at, since_boot_),
                share < 0.3   ? Anchor::start
                : share > 0.7 ? Anchor::end
                              : Anchor::middle);
    }
    for (std::size_t i = 0; i < incidents_.size(); ++i)
      draw(incidents_[i], log_top + log_step * static_cast<double>(i));
    return std::move(svg_).finished();
  }

 private:
  double latest(std::optional<double> now) const {
    const double last = incidents_.back().at.value_or(0);
    return now && !since_boot_ ? std::max(*now, last + 1)
                               : last + std::max(1.0, 0.05 * (last - incidents_.front().at.value_or(0)));
  }

  void draw(const Incident& incident, double y) {
    svg_.begin_group(fmt::format("{}, {}: {} messages, began {}", incident.code, incident.component, incident.messages,
                                 incident.began));
    svg_.sign(incident.status, {14, y}, 13);
    svg_.text("name", {30, y + 4},
              shortened(incident.code + (incident.component.empty() ? "" : "  " + incident.component), 46));
    const double x = x_.at(*incident.at);
    svg_.line(incident.open > 0 ? "span open" : "span", {x, y}, {incident.open > 0 ? log_right : x + 1, y});
    svg_.mark(fmt::format("moment s-{}", to_text(incident.status)), incident.open > 0 ? 3 : 0, {x, y});
    svg_.end_group();
  }

  std::vector<Incident> incidents_;
  bool since_boot_;
  double end_;
  Scale x_;
  double bottom_;
  Svg svg_;
};

// Those of the kind of time that most have: what is not on the line is in the table.
std::vector<Incident> on_one_line(std::vector<Incident> all) {
  std::erase_if(all, [](const Incident& each) { return !each.at; });
  const auto boot = std::ranges::count(all, true, &Incident::since_boot);
  const bool is_of_boot = 2 * boot > std::ssize(all);
  std::erase_if(all, [&](const Incident& each) { return each.since_boot != is_of_boot; });
  all.resize(std::min(all.size(), log_max_rows));
  return all;
}

Picture picture_of(const Report& report, const CheckRun& run, const std::vector<Incident>& all,
                   std::vector<Incident> shown, std::size_t number) {
  Picture picture{
      .name = identifier("incidents", number, run.host),
      .title = "Incidents in the kernel's log",
      .caption =
          "A diamond with a line is an incident that is not over, a circle one that ended or that a "
          "program can cause by itself.",
      .drawing = {},
      .head = {"Status", "Fault", "Component", "Began", "Messages", "Not over", "Recovered", "Last message"},
      .rows = {}};
  if (report.hosts.size() > 1) picture.title += " of " + run.host;
  if (shown.size() < all.size())
    picture.caption += fmt::format(" {} of {} are drawn; the table has all.", shown.size(), all.size());
  for (const auto& each : all)
    picture.rows.push_back({std::string(to_text(each.status)), each.code, each.component, each.began,
                            fmt::format("{:.0f}", each.messages), fmt::format("{:.0f}", each.open),
                            fmt::format("{:.0f}", each.recovered), each.last});
  const auto now = time_from(run.started.empty() ? report.started : run.started);
  picture.drawing = TimeLine(picture, std::move(shown),
                             now ? std::optional(static_cast<double>(now->time_since_epoch().count())) : std::nullopt)
                        .drawn();
  return picture;
}

}  // namespace

std::vector<Picture> incidents(const Report& report) {
  std::vector<Picture> found;
  for (const CheckRun& run : report.checks) {
    if (run.check != "kernel_log" || found.size() == max_pictures) continue;
    const auto all = incidents_of(run);
    if (auto shown = on_one_line(all); !shown.empty())
      found.push_back(picture_of(report, run, all, std::move(shown), found.size() + 1));
  }
  return found;
}

}  // namespace muster::results::html
