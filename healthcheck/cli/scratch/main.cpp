// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/scratch/scratch.hpp"

namespace {

using namespace muster::healthcheck;
namespace results = muster::results;
using scratch::Settings;

std::filesystem::path usable(const std::filesystem::path& place) {
  if (!place.is_absolute() || place.lexically_normal() == "/")
    throw UsageError(
        fmt::format("--mount-at {}: give the whole name of a folder, such as /mnt/scratch", place.string()));
  return std::filesystem::weakly_canonical((place / "").parent_path());
}

int scratch_command(int argc, char** argv) {
  std::filesystem::path root = "/";
  Settings settings{.sysfs = muster::topology::Sysfs("/"), .wishes = {.mount_at = "/mnt/scratch"}};
  auto& wishes = settings.wishes;
  CommandLine line(
      "Makes one RAID0 with a file system of the local NVMe drives that hold nothing, mounts it, and after a restart "
      "mounts it again; a drive that holds or does anything is left alone and named",
      "muster scratch");
  line.add("--dry-run", settings.dry_run, "Say what would be done, and change nothing");
  line.add("--is-mounted", settings.is_mounted, "Say whether it is mounted, by the exit code too, and change nothing");
  line.add_folder("--mount-at", wishes.mount_at, "Where it is mounted; the folder is made");
  line.add("--model", wishes.model, "Drives that may be taken, by a pattern of their model");
  line.add_positive("--drives", wishes.drives, "Do it with exactly so many drives or not at all");
  line.add_output("--status", settings.status, results::Document::scratch_status, "Where a JSON status goes");
  line.add_positive("--every", settings.every_seconds, "Seconds between looks (default: do it once)");
  line.add_folder("--root", root, "A captured tree in the place of this machine, for a dry run");
  line.examples({"muster scratch --dry-run", "muster scratch --mount-at /mnt/scratch --drives 8"});
  return line.run(argc, argv, [&] {
    settings.dry_run = settings.dry_run || settings.is_mounted;
    if (root != "/" && !settings.dry_run)
      throw UsageError("--root: nothing can be changed in a captured tree: add --dry-run");
    settings.sysfs = muster::topology::Sysfs(root);
    wishes.mount_at = usable(wishes.mount_at);
    line.expect_outputs();
    Stop stop;
    const auto status = provide(settings, stop, [](const std::string& text) {
      fmt::print("{}\n", text);
      std::fflush(stdout);
    });
    return results::exit_code(status);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return with_streams("muster scratch", [&] { return scratch_command(argc, argv); });
}
