// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

using Fingerprint = std::map<std::string, std::string, std::less<>>;

// Names, versions and hashes that identify this host: hostname, boot_id, kernel, cmdline_sha256, cpu_model,
// memory_bytes, distribution, container, nvidia_driver, cuda_toolkit, gpu_model, hca_firmware, nvme_firmware,
// physical_host_name, virtual_machine_id. What is unknown or damaged is absent; it never throws for a file's content.
Fingerprint fingerprint(const Sysfs& sysfs);

// "kubernetes", "docker", "containerd", "podman", "lxc", or "none" where nothing speaks for a container.
std::string container(const Sysfs& sysfs);

}  // namespace muster::topology
