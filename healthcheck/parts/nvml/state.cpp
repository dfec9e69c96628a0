// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/nvml/state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/nvml/words.hpp"

namespace muster::healthcheck {
namespace {

namespace nvml = benchmarks::nvml;
using nvml::Answer;
using nvml::Code;
using results::Labels;
using results::Limit;
using results::Quantity;
using results::Unit;
using results::Value;

constexpr double watts_per_milliwatt = 1e-3;
constexpr double bytes_per_second_per_megabyte = 1e6;

std::string mode_words(const nvml::Mode& mode) {
  if (mode.on == mode.on_after_reset) return nvml::on_or_off(mode.on);
  return fmt::format("{}, {} after the next reset", nvml::on_or_off(mode.on), nvml::on_or_off(mode.on_after_reset));
}

Quantity number(double value, Unit unit = Unit::one) { return {.value = value, .unit = unit}; }

// The facts of one GPU.
class State {
 public:
  State(Context& context, const nvml::Gpu& gpu, Labels labels)
      : context_(context), gpu_(gpu), labels_(std::move(labels)) {}

  void read() {
    for (const auto subject : {&State::identity, &State::modes, &State::memory, &State::rows, &State::pcie,
                               &State::nvlinks, &State::fabric, &State::clocks, &State::heat_and_power})
      (this->*subject)();
    if (!absent_.empty()) add("not_supported", fmt::format("{}", fmt::join(absent_, ", ")));
    add("answer", answer_);
    context_.add(std::move(facts_));
  }

 private:
  void identity() {
    for (const auto& [subject, call] : {std::pair("model", nvml::model), std::pair("uuid", nvml::uuid),
                                        std::pair("serial", nvml::serial), std::pair("vbios", nvml::vbios)})
      if (const auto text = known(subject, gpu_.text(call))) add(subject, *text);
    if (const auto valid = known("inforom", gpu_.inforom_is_valid())) add("inforom", *valid ? "valid" : "corrupt");
    if (const auto action = known("recovery_action", gpu_.field(nvml::recovery_action_field)))
      add("recovery_action", nvml::recovery_action_words(*action));
    if (const auto count = known("processes", gpu_.processes())) add("processes", results::count(*count));
  }

  void modes() {
    if (const auto ecc = known("ecc_mode", gpu_.ecc())) add("ecc_mode", mode_words(*ecc));
    if (const auto mig = known("mig_mode", gpu_.mig())) add("mig_mode", mode_words(*mig));
    if (const auto on = known("persistence_mode", gpu_.persistence())) add("persistence_mode", nvml::on_or_off(*on));
  }

  // By where they were, and since when they are counted.
  void memory() {
    for (const auto& [subject, type] :
         {std::pair("ecc_correctable", nvml::corrected), std::pair("ecc_uncorrectable", nvml::uncorrected)})
      for (const auto& [memory, location] : {std::pair("dram", nvml::in_dram), std::pair("sram", nvml::in_sram)})
        for (const auto& [since, counter] : {std::pair("driver load", nvml::since_the_driver_was_loaded),
                                             std::pair("manufacture", nvml::since_the_gpu_was_made)}) {
          const Labels which{{"memory", memory}, {"since", since}};
          if (const auto errors = known(subject, gpu_.memory_errors(type, counter, location), which))
            add(subject, results::count(*errors), which);
        }
    if (const auto errors = known("sram_uncorrectable", gpu_.sram_errors())) {
      add("sram_uncorrectable", results::count(errors->uncorrected_parity + errors->uncorrected_sec_ded));
      add("sram_threshold", errors->threshold_exceeded != 0 ? "exceeded" : "not exceeded");
    }
  }

  void rows() {
    if (const auto rows = known("row_remap", gpu_.remapped_rows())) {
      add("row_remap_pending", results::count(rows->pending ? 1 : 0));
      add("row_remap_failed", results::count(rows->failed ? 1 : 0));
      add("row_remaps", results::count(rows->corrected), {{"errors", "correctable"}});
      add("row_remaps", results::count(rows->uncorrected), {{"errors", "uncorrectable"}});
    }
    if (const auto banks = known("spare_rows", gpu_.spare_rows()))
      for (const auto& [left, count] :
           {std::pair("all", banks->all), std::pair("many", banks->high), std::pair("some", banks->partial),
            std::pair("few", banks->low), std::pair("none", banks->none)})
        add("spare_rows", results::count(count), {{"left", left}});
  }

  // An idle link may run at a lower generation; its width stays.
  void pcie() {
    add_of_most("pcie_width", gpu_.number(nvml::pcie_width), gpu_.number(nvml::max_pcie_width),
                "lanes that GPU and slot can");
    add_of_most("pcie_generation", gpu_.number(nvml::pcie_generation), gpu_.number(nvml::max_pcie_generation),
                "generation that GPU and slot can");
    if (const auto replays = known("pcie_replays", gpu_.number(nvml::pcie_replays)))
      add("pcie_replays", results::count(*replays));
  }

  void nvlinks() {
    const auto count = known("nvlink", gpu_.field(nvml::nvlink_count_field));
    if (!count || *count == 0) return;
    std::size_t active = 0;
    for (unsigned link = 0; link < *count; ++link)
      if (nvlink(link)) ++active;
    add("nvlinks_active", results::count(active));
  }

  // Whether it is active.
  bool nvlink(unsigned link) {
    const Labels which{{"link", std::to_string(link)}};
    const auto active = known("nvlink", gpu_.nvlink_is_active(link), which);
    if (!active) return false;
    add("nvlink", *active ? "active" : "inactive", which);
    if (*active) traffic(link, which);
    return *active;
  }

  void traffic(unsigned link, const Labels& which) {
    if (const auto speed = known("nvlink_speed", gpu_.field(nvml::nvlink_speed_field, link), which))
      add("nvlink_speed", number(static_cast<double>(*speed) * bytes_per_second_per_megabyte, Unit::byte_per_second),
          which);
    for (std::size_t counter = 0; counter < counters.size(); ++counter)
      if (const auto errors = known("nvlink_errors", gpu_.nvlink_errors(link, static_cast<int>(counter)), which)) {
        Labels labels = which;
        labels.emplace("kind", counters.at(counter));
        add("nvlink_errors", results::count(*errors), std::move(labels));
      }
  }

  void fabric() {
    const auto fabric = known("fabric_state", gpu_.fabric());
    if (!fabric) return;
    add("fabric_state", fabric->state);
    add("fabric_health", fabric->health);
  }

  void clocks() {
    if (const auto mask = known("throttle_reasons", gpu_.slow_clock_reasons()))
      add("throttle_reasons", nvml::slow_clock_words(*mask));
    for (const auto& [domain, id] :
         {std::pair("multiprocessors", nvml::of_multiprocessors), std::pair("memory", nvml::of_memory)})
      add_of_most("clock", gpu_.clock_hertz(nvml::clock, id), gpu_.clock_hertz(nvml::max_clock, id),
                  "highest clock of the GPU", Unit::hertz, {{"domain", domain}});
  }

  void heat_and_power() {
    const Labels die{{"of", "die"}};
    if (const auto celsius = known("temperature", gpu_.temperature_celsius(), die))
      add("temperature", number(*celsius, Unit::celsius), die);
    const Labels memory{{"of", "memory"}};
    if (const auto celsius = known("temperature", gpu_.field(nvml::memory_temperature_field), memory))
      add("temperature", number(static_cast<double>(*celsius), Unit::celsius), memory);
    if (const auto margin = known("temperature_margin", gpu_.margin_celsius()))
      add("temperature_margin", number(*margin, Unit::celsius));
    if (const auto power = known("power", gpu_.number(nvml::power)))
      add("power", number(*power * watts_per_milliwatt, Unit::watt));
    const auto limit = known("power_limit", gpu_.number(nvml::power_limit));
    if (limit) add("power_limit", number(*limit * watts_per_milliwatt, Unit::watt));
    const auto made_for = known("power_share", gpu_.number(nvml::default_power_limit));
    if (limit && made_for && *made_for != 0) add("power_share", number(static_cast<double>(*limit) / *made_for));
  }

  // A number and the most that it can be.
  template <class Number>
  void add_of_most(std::string_view subject, const Answer<Number>& answer, const Answer<Number>& most,
                   std::string_view source, Unit unit = Unit::one, Labels labels = {}) {
    const auto now = known(subject, answer, labels);
    const auto limit = known(fmt::format("most_{}", subject), most, labels);
    if (!now) return;
    add(subject, number(*now, unit), std::move(labels));
    if (limit) facts_.back().limit = Limit{.value = number(*limit, unit), .source = std::string(source)};
  }

  // The value; where there is none, the reason becomes a fact.
  template <class Number>
  std::optional<Number> known(std::string_view subject, const Answer<Number>& answer, Labels labels = {}) {
    if (answer.value) return answer.value;
    switch (answer.refusal.code) {
      case Code::not_supported:
        if (std::ranges::find(absent_, subject) == absent_.end()) absent_.emplace_back(subject);
        break;
      case Code::gpu_is_lost:
      case Code::reset_required:
        answer_ = answer.refusal.words;  // of every question from here on
        break;
      default:
        labels.emplace("field", subject);
        add("unreadable", answer.refusal.words, std::move(labels));
    }
    return std::nullopt;
  }

  void add(std::string_view subject, Value value, Labels labels = {}) {
    labels.insert(labels_.begin(), labels_.end());
    facts_.push_back(
        {.metric = fmt::format("gpu_state.{}", subject), .value = std::move(value), .labels = std::move(labels)});
  }

  // Of an NVLink, in NVML's order.
  static constexpr std::array<std::string_view, 5> counters = {"replay", "recovery", "CRC of flits", "CRC of data",
                                                               "ECC of data"};

  Context& context_;
  nvml::Gpu gpu_;
  Labels labels_;
  std::vector<results::Measurement> facts_;
  std::vector<std::string> absent_;
  std::string answer_ = "yes";
};

}  // namespace

void add_state(Context& context, const nvml::Gpu& gpu, Labels labels) { State(context, gpu, std::move(labels)).read(); }

}  // namespace muster::healthcheck
