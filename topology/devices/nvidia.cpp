// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/nvidia.hpp"

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

std::optional<std::string> nvidia_driver_version(std::string_view text) {
  const auto line = value_of(text, "NVRM version", ':');
  if (!line) return std::nullopt;
  for (const auto word : words(*line))
    if (word.find('.') != std::string_view::npos && word.find_first_not_of("0123456789.") == std::string_view::npos)
      return std::string(word);
  return std::nullopt;
}

NvidiaInformation nvidia_information(std::string_view text) {
  const auto value = [text](std::string_view key) {
    return std::string(value_of(text, key, ':').value_or(std::string_view()));
  };
  return {.model = value("Model"), .uuid = value("GPU UUID"), .video_bios = value("Video BIOS")};
}

std::optional<NvidiaInformation> nvidia_information(const Sysfs& sysfs, const std::string& address) {
  return parsed(sysfs, "proc/driver/nvidia/gpus/" + address + "/information", [](std::string_view text) {
    auto information = nvidia_information(text);
    if (information.model.empty()) throw Error("names no model");
    return information;
  });
}

}  // namespace muster::topology
