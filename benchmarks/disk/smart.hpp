// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace muster::benchmarks::disk {

// What an NVMe drive says of itself: its SMART log (NVM Express base specification 2.0, 5.16.1.3).
struct Smart {
  unsigned critical_warning = 0;   // a bit for each thing it warns of
  double temperature_celsius = 0;  // of all of it
  double spare = 0;                // blocks left for those that fail, as a share of what there were
  double spare_threshold = 0;      // below it the drive warns
  double used = 0;                 // share of its rated life, above 1 where it lives longer
  double written_bytes = 0;        // by hosts, in its life
  double power_on_seconds = 0;
  double unsafe_shutdowns = 0;
  double media_errors = 0;  // data that it could not give back
  double error_log_entries = 0;

  bool operator==(const Smart&) const = default;
};

// What a critical warning is about: "spare, temperature"; empty for none.
std::string warns_of(unsigned critical_warning);

// Asks the drive behind a device file ("/dev/nvme0"), and changes nothing there. Throws Error where it cannot be asked.
Smart smart(const std::filesystem::path& device);

}  // namespace muster::benchmarks::disk
