// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/cuda/gpu_copier.hpp"

#include <fmt/format.h>

#include <utility>

#include "benchmarks/cuda/device.hpp"
#include "topology/machine/pci_link.hpp"

namespace muster::healthcheck {
namespace {

namespace cuda = benchmarks::cuda;
using benchmarks::cuda::HostEnd;
using results::Limit;

// One alone would be over too soon.
constexpr std::size_t copies_with_the_host = 4;
constexpr std::size_t copies_to_a_peer = 8;

std::optional<Limit> pcie_limit(const topology::Sysfs& sysfs, const std::string& address, int device) {
  const auto link = topology::link_at_most(sysfs, fmt::format("sys/bus/pci/devices/{}", address));
  const auto rate = topology::bytes_per_second(link);
  if (!rate || cuda::shares_page_tables(device)) return std::nullopt;
  return Limit{.value = {*rate, results::Unit::byte_per_second}, .source = topology::to_text(link)};
}

// Others for every GPU, and for both of its ends.
benchmarks::WordPattern random_words(std::uint64_t seed, std::size_t gpu, int end) {
  return {.filling = benchmarks::Filling::random, .seed = seed + 2 * gpu + static_cast<std::uint64_t>(end)};
}

}  // namespace

GpuCopier::GpuCopier(SelectedGpu gpu, const Place& place, const topology::Sysfs& sysfs)
    : chosen_(std::move(gpu)),
      place_(place),
      asked_(chosen_.address),
      links_(asked_),
      device_(cuda::device_at(chosen_.address)),
      pcie_(pcie_limit(sysfs, chosen_.address, device_)),
      nvlinks_(links_.nvlinks()),
      memory_(device_, place.bytes, random_words(place.seed, chosen_.index, 0)),
      host_(place.bytes, random_words(place.seed, chosen_.index, 1), HostEnd::Pages::pinned) {}

std::optional<Limit> GpuCopier::nvlinks_to(const GpuCopier& partner) const {
  if (!nvlinks_ || !partner.nvlinks_) return std::nullopt;
  return nvlinks_->value.value < partner.nvlinks_->value.value ? nvlinks_ : partner.nvlinks_;
}

cuda::Copy GpuCopier::in(const HostEnd& host, cuda::CopyEngine mover) const {
  return repeated(memory_.from(host, mover), copies_with_the_host);
}

cuda::Copy GpuCopier::out(const HostEnd& host, cuda::CopyEngine mover) const {
  return repeated(memory_.to(host, mover), copies_with_the_host);
}

cuda::Copy GpuCopier::to(const GpuCopier& partner) const {
  return repeated(memory_.to(partner.memory_), copies_to_a_peer);
}

void GpuCopier::clear(const HostEnd& host) const {
  memory_.clear_target();
  host.clear_target();
}

void GpuCopier::look(const HostEnd& host) {
  wrong_[to_device] += memory_.wrong_words(host.pattern());
  wrong_[to_host] += host.wrong_words(memory_.pattern());
}

void GpuCopier::look(const GpuCopier& partner) { wrong_[to_peer] += partner.memory_.wrong_words(memory_.pattern()); }

}  // namespace muster::healthcheck
