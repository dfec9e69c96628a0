// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nvml/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "benchmarks/nvml/words.hpp"

namespace muster::benchmarks::nvml {
namespace {

constexpr double hertz_per_megahertz = 1e6;

// By the type of a field's number, in NVML's order.
std::uint64_t whole_number(const Field& field) {
  switch (field.type) {
    case 1:
      return field.number.as_unsigned;
    case 2:
      return field.number.as_unsigned_long;
    case 3:
      return field.number.as_unsigned_long_long;
    case 4:
      return static_cast<std::uint64_t>(std::max(field.number.as_long_long, 0LL));
    case 5:
      return static_cast<std::uint64_t>(std::max(field.number.as_int, 0));
    case 6:
      return field.number.as_unsigned_short;
    default:
      return static_cast<std::uint64_t>(field.number.as_double);
  }
}

}  // namespace

Answer<std::string> Gpu::text(const Call<Device, char*, unsigned>& call) const {
  std::array<char, 96> buffer{};  // NVML_DEVICE_NAME_V2_BUFFER_SIZE and its like
  const auto code = library_->call(call, device_, buffer.data(), static_cast<unsigned>(buffer.size()));
  return library_->answer(code, std::string(buffer.data()));
}

Answer<unsigned> Gpu::number(const Call<Device, unsigned*>& call) const {
  unsigned number = 0;
  const auto code = library_->call(call, device_, &number);
  return library_->answer(code, number);
}

Answer<bool> Gpu::inforom_is_valid() const {
  const auto code = library_->call(validate_inforom, device_);
  if (code == Code::corrupted_inforom) return library_->answer(Code::success, false);
  return library_->answer(code, true);
}

Answer<Mode> Gpu::ecc() const {
  int now = 0;
  int later = 0;
  const auto code = library_->call(ecc_mode, device_, &now, &later);
  return library_->answer(code, Mode{.on = now != 0, .on_after_reset = later != 0});
}

Answer<Mode> Gpu::mig() const {
  unsigned now = 0;
  unsigned later = 0;
  const auto code = library_->call(mig_mode, device_, &now, &later);
  return library_->answer(code, Mode{.on = now != 0, .on_after_reset = later != 0});
}

Answer<bool> Gpu::persistence() const {
  int on = 0;
  const auto code = library_->call(nvml::persistence, device_, &on);
  return library_->answer(code, on != 0);
}

Answer<std::uint64_t> Gpu::memory_errors(int type, int since, int location) const {
  unsigned long long errors = 0;
  const auto code = library_->call(nvml::memory_errors, device_, type, since, location, &errors);
  return library_->answer(code, std::uint64_t{errors});
}

Answer<SramErrors> Gpu::sram_errors() const {
  SramErrors errors{.version = version_of<SramErrors>(1)};
  const auto code = library_->call(nvml::sram_errors, device_, &errors);
  return library_->answer(code, errors);
}

Answer<RemappedRows> Gpu::remapped_rows() const {
  unsigned pending = 0;
  unsigned failed = 0;
  RemappedRows rows;
  const auto code = library_->call(nvml::remapped_rows, device_, &rows.corrected, &rows.uncorrected, &pending, &failed);
  rows.pending = pending != 0;
  rows.failed = failed != 0;
  return library_->answer(code, rows);
}

Answer<SpareRows> Gpu::spare_rows() const {
  SpareRows rows{};
  const auto code = library_->call(nvml::spare_rows, device_, &rows);
  return library_->answer(code, rows);
}

Answer<bool> Gpu::nvlink_is_active(unsigned link) const {
  int active = 0;
  const auto code = library_->call(nvlink_state, device_, link, &active);
  return library_->answer(code, active != 0);
}

Answer<std::uint64_t> Gpu::nvlink_errors(unsigned link, int counter) const {
  unsigned long long errors = 0;
  const auto code = library_->call(nvml::nvlink_errors, device_, link, counter, &errors);
  return library_->answer(code, std::uint64_t{errors});
}

Answer<Fabric> Gpu::fabric() const {
  FabricInfo info{.version = version_of<FabricInfo>(2)};
  auto code = library_->call(fabric_info, device_, &info);
  if (code == Code::success && info.state == no_fabric) code = Code::not_supported;
  Fabric fabric{.state = fabric_state_words(info.state), .health = fabric_health_words(info.health_mask)};
  if (info.state == fabric_completed && info.status != Code::success)
    fabric.state = fmt::format("failed: {}", library_->words(info.status));
  return library_->answer(code, std::move(fabric));
}

Answer<std::uint64_t> Gpu::slow_clock_reasons() const {
  unsigned long long mask = 0;
  const auto code = library_->call(nvml::slow_clock_reasons, device_, &mask);
  return library_->answer(code, std::uint64_t{mask});
}

Answer<double> Gpu::clock_hertz(const Call<Device, int, unsigned*>& call, int domain) const {
  unsigned megahertz = 0;
  const auto code = library_->call(call, device_, domain, &megahertz);
  return library_->answer(code, megahertz * hertz_per_megahertz);
}

Answer<unsigned> Gpu::temperature_celsius() const {
  unsigned celsius = 0;
  const auto code = library_->call(temperature, device_, of_the_die, &celsius);
  return library_->answer(code, celsius);
}

Answer<int> Gpu::margin_celsius() const {
  MarginTemperature margin{.version = version_of<MarginTemperature>(1)};
  const auto code = library_->call(margin_temperature, device_, &margin);
  return library_->answer(code, margin.margin);
}

Answer<std::uint64_t> Gpu::processes() const {
  unsigned count = 0;
  const auto code = library_->call(nvml::processes, device_, &count, nullptr);
  // They are more than none, which is what would have fitted; the count is right.
  return library_->answer(code == Code::insufficient_size ? Code::success : code, std::uint64_t{count});
}

Answer<std::uint64_t> Gpu::field(unsigned id, unsigned scope) const {
  Field field{.id = id, .scope = scope};
  auto code = library_->call(fields, device_, 1, &field);
  if (code == Code::success) code = field.code;
  return library_->answer(code, code == Code::success ? whole_number(field) : 0);
}

Answer<Gpu> gpu_at(const Library& library, const std::string& address) {
  Device device = nullptr;
  const auto code = library.call(gpu_by_address, address.c_str(), &device);
  return library.answer(code, Gpu(library, device));
}

}  // namespace muster::benchmarks::nvml
