// SPDX-License-Identifier: Apache-2.0
// What the NVML of a driver of these days has besides.
#include "tests/support/nvml_gpus.hpp"

using namespace muster::benchmarks::nvml;
using namespace muster::tests::nvml;

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): NVML's names
Code nvmlSystemGetConfComputeState(ConfidentialState* state) {
  return number(library(), "nvmlSystemGetConfComputeState", &state->feature);
}
Code nvmlDeviceGetUUID(Device device, char* buffer, unsigned size) {
  return text(gpu_of(device), "nvmlDeviceGetUUID", buffer, size);
}
Code nvmlDeviceGetSerial(Device device, char* buffer, unsigned size) {
  return text(gpu_of(device), "nvmlDeviceGetSerial", buffer, size);
}
Code nvmlDeviceGetVbiosVersion(Device device, char* buffer, unsigned size) {
  return text(gpu_of(device), "nvmlDeviceGetVbiosVersion", buffer, size);
}
Code nvmlDeviceValidateInforom(Device device) {
  unsigned valid = 0;
  return number(gpu_of(device), "nvmlDeviceValidateInforom", &valid);
}
Code nvmlDeviceGetEccMode(Device device, int* now, int* later) {
  return numbers(gpu_of(device), "nvmlDeviceGetEccMode", now, later);
}
Code nvmlDeviceGetMemoryErrorCounter(Device device, int type, int since, int location, unsigned long long* errors) {
  return answer(gpu_of(device), "nvmlDeviceGetMemoryErrorCounter", [&](const Json& said) {
    *errors = said.value(std::to_string(type) + "." + std::to_string(since) + "." + std::to_string(location), 0ULL);
  });
}
Code nvmlDeviceGetSramEccErrorStatus(Device device, SramErrors* errors) {
  if (errors->version != version_of<SramErrors>(1)) return Code::argument_version_mismatch;
  return answer(gpu_of(device), "nvmlDeviceGetSramEccErrorStatus", [&](const Json& said) {
    errors->uncorrected_parity = said.value("parity", 0ULL);
    errors->uncorrected_sec_ded = said.value("sec_ded", 0ULL);
    errors->threshold_exceeded = said.value("exceeded", 0U);
  });
}
Code nvmlDeviceGetRemappedRows(Device device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                               unsigned* failed) {
  return answer(gpu_of(device), "nvmlDeviceGetRemappedRows", [&](const Json& said) {
    *corrected = said.at(0);
    *uncorrected = said.at(1);
    *pending = said.at(2);
    *failed = said.at(3);
  });
}
Code nvmlDeviceGetRowRemapperHistogram(Device device, SpareRows* rows) {
  return answer(gpu_of(device), "nvmlDeviceGetRowRemapperHistogram", [&](const Json& said) {
    *rows = {.all = said.at(0), .high = said.at(1), .partial = said.at(2), .low = said.at(3), .none = said.at(4)};
  });
}
Code nvmlDeviceGetCurrPcieLinkGeneration(Device device, unsigned* generation) {
  return number(gpu_of(device), "nvmlDeviceGetCurrPcieLinkGeneration", generation);
}
Code nvmlDeviceGetMaxPcieLinkGeneration(Device device, unsigned* generation) {
  return number(gpu_of(device), "nvmlDeviceGetMaxPcieLinkGeneration", generation);
}
Code nvmlDeviceGetCurrPcieLinkWidth(Device device, unsigned* width) {
  return number(gpu_of(device), "nvmlDeviceGetCurrPcieLinkWidth", width);
}
Code nvmlDeviceGetMaxPcieLinkWidth(Device device, unsigned* width) {
  return number(gpu_of(device), "nvmlDeviceGetMaxPcieLinkWidth", width);
}
Code nvmlDeviceGetPcieReplayCounter(Device device, unsigned* replays) {
  return number(gpu_of(device), "nvmlDeviceGetPcieReplayCounter", replays);
}
Code nvmlDeviceGetNvLinkState(Device device, unsigned link, int* active) {
  return answer(gpu_of(device), "nvmlDeviceGetNvLinkState", [&](const Json& said) { *active = said.at(link); });
}
Code nvmlDeviceGetNvLinkErrorCounter(Device device, unsigned link, int counter, unsigned long long* errors) {
  return answer(gpu_of(device), "nvmlDeviceGetNvLinkErrorCounter", [&](const Json& said) {
    *errors = said.value(std::to_string(link) + "." + std::to_string(counter), 0ULL);
  });
}
Code nvmlDeviceGetGpuFabricInfoV(Device device, FabricInfo* fabric) {
  if (fabric->version != version_of<FabricInfo>(2)) return Code::argument_version_mismatch;
  return answer(gpu_of(device), "nvmlDeviceGetGpuFabricInfoV", [&](const Json& said) {
    fabric->state = said.at("state");
    fabric->status = static_cast<Code>(said.value("status", 0));
    fabric->health_mask = said.value("health", 0U);
  });
}
Code nvmlDeviceGetFieldValues(Device device, int count, Field* fields) {
  for (int index = 0; index < count; ++index) {
    Field& field = fields[index];
    field.type = 3;
    field.code = number(gpu_of(device), "field " + std::to_string(field.id), &field.number.as_unsigned_long_long);
  }
  return Code::success;
}
Code nvmlDeviceGetCurrentClocksEventReasons(Device device, unsigned long long* mask) {
  return number(gpu_of(device), "nvmlDeviceGetCurrentClocksEventReasons", mask);
}
Code nvmlDeviceGetClockInfo(Device device, int domain, unsigned* clock) {
  return answer(gpu_of(device), "nvmlDeviceGetClockInfo",
                [&](const Json& said) { *clock = said.at(static_cast<std::size_t>(domain)); });
}
Code nvmlDeviceGetMaxClockInfo(Device device, int domain, unsigned* clock) {
  return answer(gpu_of(device), "nvmlDeviceGetMaxClockInfo",
                [&](const Json& said) { *clock = said.at(static_cast<std::size_t>(domain)); });
}
Code nvmlDeviceGetTemperature(Device device, int, unsigned* celsius) {
  return number(gpu_of(device), "nvmlDeviceGetTemperature", celsius);
}
Code nvmlDeviceGetMarginTemperature(Device device, MarginTemperature* margin) {
  if (margin->version != version_of<MarginTemperature>(1)) return Code::argument_version_mismatch;
  return number(gpu_of(device), "nvmlDeviceGetMarginTemperature", &margin->margin);
}
Code nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return number(gpu_of(device), "nvmlDeviceGetPowerUsage", milliwatts);
}
Code nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  return number(gpu_of(device), "nvmlDeviceGetEnforcedPowerLimit", milliwatts);
}
Code nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned* milliwatts) {
  return number(gpu_of(device), "nvmlDeviceGetPowerManagementDefaultLimit", milliwatts);
}
Code nvmlDeviceGetPersistenceMode(Device device, int* on) {
  return number(gpu_of(device), "nvmlDeviceGetPersistenceMode", on);
}
Code nvmlDeviceGetMigMode(Device device, unsigned* now, unsigned* later) {
  return numbers(gpu_of(device), "nvmlDeviceGetMigMode", now, later);
}
Code nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, Process*) {
  const auto code = number(gpu_of(device), "nvmlDeviceGetComputeRunningProcesses_v3", count);
  return code == Code::success && *count > 0 ? Code::insufficient_size : code;
}
// NOLINTEND(readability-identifier-naming)
}
