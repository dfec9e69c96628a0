// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

// What muster asks of NVML, declared here because the driver's library is opened at run time and its header is not
// everywhere. Names, numbers and layouts are those of the NVML API reference (CUDA 13); a test holds them against
// nvml.h where there is one.
namespace muster::benchmarks::nvml {

enum class Code : int {
  success = 0,
  not_supported = 3,
  not_found = 6,
  insufficient_size = 7,
  driver_not_loaded = 9,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  argument_version_mismatch = 25,
};

using Device = struct OpaqueDevice*;

struct SramErrors {
  unsigned version;
  unsigned long long uncorrected_parity;  // since the GPU was made
  unsigned long long uncorrected_sec_ded;
  unsigned long long corrected;
  unsigned long long recent_uncorrected_parity;  // since the driver was loaded
  unsigned long long recent_uncorrected_sec_ded;
  unsigned long long recent_corrected;
  unsigned long long of_l2;
  unsigned long long of_multiprocessors;
  unsigned long long of_pcie;
  unsigned long long of_microcontrollers;
  unsigned long long of_others;
  unsigned threshold_exceeded;
};

// Banks of memory by how many spare rows they have left.
struct SpareRows {
  unsigned all;
  unsigned high;
  unsigned partial;
  unsigned low;
  unsigned none;
};

union FieldNumber {
  double as_double;
  int as_int;
  unsigned as_unsigned;
  unsigned long as_unsigned_long;
  unsigned long long as_unsigned_long_long;
  long long as_long_long;
  unsigned short as_unsigned_short;
};

struct Field {
  unsigned id;
  unsigned scope;  // of an NVLink: which
  long long timestamp;
  long long latency;
  int type;  // which of the union's
  Code code;
  FieldNumber number;
};

struct FabricInfo {
  unsigned version;
  std::array<unsigned char, 16> cluster;
  Code status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
};

struct MarginTemperature {
  unsigned version;
  int margin;
};

struct ConfidentialState {
  unsigned environment;
  unsigned feature;
  unsigned tools_mode;
};

struct Process {
  unsigned id;
  unsigned long long memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

// As NVML tells versions of a structure apart.
template <class Structure>
constexpr unsigned version_of(unsigned version) {
  return static_cast<unsigned>(sizeof(Structure)) | version << 24U;
}

// A function of the library.
template <class... Arguments>
struct Call {
  const char* name;
};

constexpr unsigned even_without_gpus = 1;  // a GPU is attached when it is first asked for
constexpr Call<unsigned> init{"nvmlInitWithFlags"};
constexpr Call<> shutdown{"nvmlShutdown"};
constexpr Call<char*, unsigned> driver_version{"nvmlSystemGetDriverVersion"};
constexpr Call<char*, unsigned> library_version{"nvmlSystemGetNVMLVersion"};
constexpr Call<ConfidentialState*> confidential_state{"nvmlSystemGetConfComputeState"};
constexpr Call<const char*, Device*> gpu_by_address{"nvmlDeviceGetHandleByPciBusId_v2"};

constexpr Call<Device, char*, unsigned> model{"nvmlDeviceGetName"};
constexpr Call<Device, char*, unsigned> uuid{"nvmlDeviceGetUUID"};
constexpr Call<Device, char*, unsigned> serial{"nvmlDeviceGetSerial"};
constexpr Call<Device, char*, unsigned> vbios{"nvmlDeviceGetVbiosVersion"};
constexpr Call<Device> validate_inforom{"nvmlDeviceValidateInforom"};

constexpr Call<Device, int*, int*> ecc_mode{"nvmlDeviceGetEccMode"};  // now, after the next reset
constexpr Call<Device, int, int, int, unsigned long long*> memory_errors{"nvmlDeviceGetMemoryErrorCounter"};
constexpr Call<Device, SramErrors*> sram_errors{"nvmlDeviceGetSramEccErrorStatus"};
constexpr Call<Device, unsigned*, unsigned*, unsigned*, unsigned*> remapped_rows{"nvmlDeviceGetRemappedRows"};
constexpr Call<Device, SpareRows*> spare_rows{"nvmlDeviceGetRowRemapperHistogram"};

constexpr Call<Device, unsigned*> pcie_generation{"nvmlDeviceGetCurrPcieLinkGeneration"};
constexpr Call<Device, unsigned*> max_pcie_generation{"nvmlDeviceGetMaxPcieLinkGeneration"};
constexpr Call<Device, unsigned*> pcie_width{"nvmlDeviceGetCurrPcieLinkWidth"};
constexpr Call<Device, unsigned*> max_pcie_width{"nvmlDeviceGetMaxPcieLinkWidth"};
constexpr Call<Device, unsigned*> pcie_replays{"nvmlDeviceGetPcieReplayCounter"};

constexpr Call<Device, unsigned, int*> nvlink_state{"nvmlDeviceGetNvLinkState"};
constexpr Call<Device, unsigned, int, unsigned long long*> nvlink_errors{"nvmlDeviceGetNvLinkErrorCounter"};
constexpr Call<Device, FabricInfo*> fabric_info{"nvmlDeviceGetGpuFabricInfoV"};
constexpr Call<Device, int, Field*> fields{"nvmlDeviceGetFieldValues"};

constexpr Call<Device, unsigned long long*> slow_clock_reasons{"nvmlDeviceGetCurrentClocksEventReasons"};
constexpr Call<Device, int, unsigned*> clock{"nvmlDeviceGetClockInfo"};  // in MHz
constexpr Call<Device, int, unsigned*> max_clock{"nvmlDeviceGetMaxClockInfo"};
constexpr Call<Device, int, unsigned*> temperature{"nvmlDeviceGetTemperature"};  // in °C
constexpr Call<Device, MarginTemperature*> margin_temperature{"nvmlDeviceGetMarginTemperature"};
constexpr Call<Device, unsigned*> power{"nvmlDeviceGetPowerUsage"};  // in mW
constexpr Call<Device, unsigned*> power_limit{"nvmlDeviceGetEnforcedPowerLimit"};
constexpr Call<Device, unsigned*> default_power_limit{"nvmlDeviceGetPowerManagementDefaultLimit"};

constexpr Call<Device, int*> persistence{"nvmlDeviceGetPersistenceMode"};
constexpr Call<Device, unsigned*, unsigned*> mig_mode{"nvmlDeviceGetMigMode"};  // now, after the next reset
constexpr Call<Device, unsigned*, Process*> processes{"nvmlDeviceGetComputeRunningProcesses_v3"};

// Arguments of memory_errors.
constexpr int corrected = 0;
constexpr int uncorrected = 1;
constexpr int since_the_driver_was_loaded = 0;
constexpr int since_the_gpu_was_made = 1;
constexpr int in_dram = 2;
constexpr int in_sram = 7;

// Of clock and temperature.
constexpr int of_multiprocessors = 1;
constexpr int of_memory = 2;
constexpr int of_the_die = 0;

// Bits of what holds clocks down that no load alone sets: hardware slowdown, heat as the driver and as the hardware
// sees it, and a power brake.
constexpr unsigned long long slowdowns = 1U << 3U | 1U << 5U | 1U << 6U | 1U << 7U;

// States of a fabric.
constexpr unsigned no_fabric = 0;
constexpr unsigned fabric_completed = 3;

constexpr unsigned memory_temperature_field = 82;
constexpr unsigned nvlink_count_field = 91;
constexpr unsigned nvlink_speed_field = 164;  // in MB/s
constexpr unsigned recovery_action_field = 230;

}  // namespace muster::benchmarks::nvml
