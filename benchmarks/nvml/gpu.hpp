// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "benchmarks/nvml/library.hpp"

namespace muster::benchmarks::nvml {

// A setting, and what it will be after the next reset.
struct Mode {
  bool on = false;
  bool on_after_reset = false;
};

struct RemappedRows {
  unsigned corrected = 0;  // for errors that were
  unsigned uncorrected = 0;
  bool pending = false;  // until the next reset
  bool failed = false;
};

struct Fabric {
  std::string state;   // "completed"; or how it failed
  std::string health;  // what ails it, or "none"
};

// Questions to one GPU, each of which NVML answers or refuses on its own. The library must outlive it.
class Gpu {
 public:
  Gpu(const Library& library, Device device) : library_(&library), device_(device) {}

  Answer<std::string> text(const Call<Device, char*, unsigned>& call) const;
  Answer<unsigned> number(const Call<Device, unsigned*>& call) const;
  Answer<bool> inforom_is_valid() const;

  Answer<Mode> ecc() const;
  Answer<Mode> mig() const;
  Answer<bool> persistence() const;
  Answer<std::uint64_t> memory_errors(int type, int since, int location) const;
  Answer<SramErrors> sram_errors() const;
  Answer<RemappedRows> remapped_rows() const;
  Answer<SpareRows> spare_rows() const;

  Answer<bool> nvlink_is_active(unsigned link) const;
  Answer<std::uint64_t> nvlink_errors(unsigned link, int counter) const;
  Answer<Fabric> fabric() const;

  Answer<std::uint64_t> slow_clock_reasons() const;
  Answer<double> clock_hertz(const Call<Device, int, unsigned*>& call, int domain) const;
  Answer<unsigned> temperature_celsius() const;
  Answer<int> margin_celsius() const;
  // How many programs compute on it.
  Answer<std::uint64_t> processes() const;
  // One of the values that have a number instead of a function; of an NVLink the scope says which.
  Answer<std::uint64_t> field(unsigned id, unsigned scope = 0) const;

 private:
  const Library* library_;
  Device device_;
};

// By its address as the kernel has it.
Answer<Gpu> gpu_at(const Library& library, const std::string& address);

}  // namespace muster::benchmarks::nvml
