// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/fingerprint.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <set>

#include "results/system/file.hpp"
#include "topology/cpu/cpus.hpp"
#include "topology/devices/hyperv.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/devices/nvidia.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/pci.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/mounts.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/plain_text.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

using Text = std::optional<std::string>;

Text joined(const std::set<std::string>& texts) {
  if (texts.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(texts, ", "));
}

Text cmdline_sha256(const Sysfs& sysfs) {
  const auto cmdline = sysfs.text("proc/cmdline");
  if (!cmdline) return std::nullopt;
  return results::sha256(*cmdline);
}

Text model_of_cpu(const Sysfs& sysfs) {
  return parsed(sysfs, "proc/cpuinfo",
                [](std::string_view text) {
                  if (text.find("processor") == text.npos) throw Error("it names no processor");
                  return cpu_model(text);
                })
      .value_or(std::nullopt);
}

Text memory_bytes(const Sysfs& sysfs) {
  const auto memory = parsed(sysfs, "proc/meminfo", meminfo).value_or(Meminfo());
  const auto total = memory.find("MemTotal");
  if (total == memory.end()) return std::nullopt;
  return fmt::format("{:.0f}", total->second);
}

Text distribution(const Sysfs& sysfs) {
  return parsed(sysfs, "etc/os-release",
                [](std::string_view text) -> Text {
                  if (!text.empty() && text.find('=') == text.npos)
                    throw Error("it assigns nothing, as NAME=value does");
                  const auto name = value_of(text, "PRETTY_NAME", '=');
                  if (!name) return std::nullopt;
                  const bool quoted = name->size() >= 2 && name->front() == '"' && name->back() == '"';
                  return std::string(quoted ? name->substr(1, name->size() - 2) : *name);
                })
      .value_or(std::nullopt);
}

Text nvidia_driver(const Sysfs& sysfs) {
  return parsed(sysfs, "proc/driver/nvidia/version", [](std::string_view text) {
    auto version = nvidia_driver_version(text);
    if (!version) throw Error("it names no version");
    return *std::move(version);
  });
}

// The toolkit's folder carries its version: usr/local/cuda -> cuda-12.4, on Debian and Ubuntu through etc/alternatives.
Text cuda_toolkit(const Sysfs& sysfs) {
  constexpr std::string_view prefix = "cuda-";
  for (const auto* link : {"usr/local/cuda", "etc/alternatives/cuda"})
    if (const auto name = sysfs.link_name(link); name && name->starts_with(prefix)) return name->substr(prefix.size());
  return std::nullopt;
}

Text gpu_model(const Sysfs& sysfs) {
  std::set<std::string> models;
  for (const auto& gpu : nvidia_gpus(sysfs)) {
    const auto information = nvidia_information(sysfs, gpu.address);
    models.insert(information ? information->model : id(gpu));
  }
  return joined(models);
}

Text hca_firmware(const Sysfs& sysfs) {
  std::set<std::string> versions;
  for (const auto& hca : infiniband_hcas(sysfs))
    if (hca.firmware) versions.insert(*hca.firmware);
  return joined(versions);
}

Text nvme_firmware(const Sysfs& sysfs) {
  std::set<std::string> versions;
  for (const auto& drive : nvme_drives(sysfs))
    if (!drive.firmware.empty()) versions.insert(drive.firmware);
  return joined(versions);
}

Text from_hyperv(const Sysfs& sysfs, std::string_view key) {
  const auto pool = hyperv_pool(sysfs);
  if (!pool) return std::nullopt;
  const auto value = pool->values.find(key);
  if (value == pool->values.end()) return std::nullopt;
  return value->second;
}

struct Line {
  const char* key;
  std::function<Text(const Sysfs&)> read;
};

std::vector<Line> sources() {
  const auto file = [](const char* path) {
    return [path](const Sysfs& sysfs) { return parsed(sysfs, path, written_text); };
  };
  const auto hyperv = [](const char* key) { return [key](const Sysfs& sysfs) { return from_hyperv(sysfs, key); }; };
  return {{"hostname", file("proc/sys/kernel/hostname")},
          {"boot_id", file("proc/sys/kernel/random/boot_id")},
          {"kernel", file("proc/sys/kernel/osrelease")},
          {"cmdline_sha256", cmdline_sha256},
          {"cpu_model", model_of_cpu},
          {"memory_bytes", memory_bytes},
          {"distribution", distribution},
          {"container", container},
          {"nvidia_driver", nvidia_driver},
          {"cuda_toolkit", cuda_toolkit},
          {"gpu_model", gpu_model},
          {"hca_firmware", hca_firmware},
          {"nvme_firmware", nvme_firmware},
          {"physical_host_name", hyperv("PhysicalHostName")},
          {"virtual_machine_id", hyperv("VirtualMachineId")}};
}

}  // namespace

std::string container(const Sysfs& sysfs) {
  if (sysfs.exists(".dockerenv")) return "docker";
  if (sysfs.exists("run/.containerenv")) return "podman";
  if (sysfs.text("proc/self/cgroup").value_or("").find("kubepods") != std::string::npos) return "kubernetes";
  const auto mounted = parsed(sysfs, "proc/self/mountinfo", mounts).value_or(std::vector<Mount>());
  for (const auto& mount : mounted)
    if (mount.point.ends_with("/hosts") && mount.root.find("/pods/") != std::string::npos) return "kubernetes";
  constexpr std::array<std::string_view, 4> engines = {"docker", "containerd", "podman", "lxc"};
  for (const auto& mount : mounted)
    for (const auto engine : engines)
      if (mount.point == "/" && mount.options.find(engine) != std::string::npos) return std::string(engine);
  return "none";
}

Fingerprint fingerprint(const Sysfs& sysfs) {
  Fingerprint found;
  for (const auto& line : sources()) {
    auto text = or_empty([&] { return line.read(sysfs); });
    if (text && !text->empty()) found.emplace(line.key, std::move(*text));
  }
  return found;
}

}  // namespace muster::topology
