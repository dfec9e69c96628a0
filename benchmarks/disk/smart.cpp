// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/smart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libnvme.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include "benchmarks/error.hpp"
#include "results/system/descriptor.hpp"

namespace muster::benchmarks::disk {
namespace {

constexpr double zero_celsius_kelvin = 273.15;
constexpr double percents = 100;
constexpr double data_unit_bytes = 512e3;
constexpr double hour_seconds = 3600;

// By bit.
constexpr std::array<std::string_view, 6> warnings = {"spare",     "temperature",   "reliability",
                                                      "read-only", "backup memory", "persistent memory"};

// Its bytes come lowest first.
double number(std::span<const unsigned char> bytes) {
  double value = 0;
  double weight = 1;
  for (const auto byte : bytes) {
    value += weight * byte;
    weight *= 256;
  }
  return value;
}

[[noreturn]] void cannot_ask(const std::string& why) {
  throw Error(fmt::format("its SMART log could not be read: {}", why));
}

nvme_smart_log log_of(const std::filesystem::path& file) {
  const results::Descriptor device(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!device) cannot_ask(std::strerror(errno));
  nvme_smart_log log{};
  nvme_get_log_args request{};
  request.log = &log;
  request.args_size = sizeof request;
  request.fd = device.number();
  request.timeout = NVME_DEFAULT_IOCTL_TIMEOUT;
  request.lid = NVME_LOG_LID_SMART;
  request.len = sizeof log;
  request.nsid = NVME_NSID_ALL;
  request.rae = true;  // else a warning would be cleared for those who wait for it
  const int status = nvme_get_log(&request);
  if (status < 0) cannot_ask(std::strerror(errno));
  if (status > 0) cannot_ask(nvme_status_to_string(status, false));
  return log;
}

}  // namespace

std::string warns_of(unsigned critical_warning) {
  std::string all;
  for (std::size_t bit = 0; bit < warnings.size(); ++bit)
    if ((critical_warning >> bit & 1U) != 0) all += fmt::format("{}{}", all.empty() ? "" : ", ", warnings.at(bit));
  return all;
}

Smart smart(const std::filesystem::path& device) {
  const auto log = log_of(device);
  return {.critical_warning = log.critical_warning,
          .temperature_celsius = number(log.temperature) - zero_celsius_kelvin,
          .spare = log.avail_spare / percents,
          .spare_threshold = log.spare_thresh / percents,
          .used = log.percent_used / percents,
          .written_bytes = number(log.data_units_written) * data_unit_bytes,
          .power_on_seconds = number(log.power_on_hours) * hour_seconds,
          .unsafe_shutdowns = number(log.unsafe_shutdowns),
          .media_errors = number(log.media_errors),
          .error_log_entries = number(log.num_err_log_entries)};
}

}  // namespace muster::benchmarks::disk
