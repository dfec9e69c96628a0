// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/act.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {

int act_command(int argc, char** argv) {
  ApiOptions given;
  std::filesystem::path place;
  MarkOptions wanted;
  double oldest_hours = a_day.count();
  CommandLine line(
      "Marks the nodes that failed with a label and a taint, and takes its marks off those that pass again",
      "muster fleet act");
  line.add("REPORT", place, "What `muster fleet collect` or `night` wrote, or a folder whose newest it is");
  line.add_positive("--oldest", oldest_hours, "Hours that the report may be old");
  line.add("--apply", wanted.apply, "Do it; without this it is only said what would be done");
  line.add("--most", wanted.cap.count, "Nodes that one report may mark anew: with more, none is");
  line.add_positive("--most-share", wanted.cap.share, "And this share of all, but one in any case");
  line.add_choice("--effect", wanted.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, "Effect of the taint");
  line.add_positive("--wait", wanted.wait_seconds, "Seconds for all of it, where the API server is in trouble");
  add_server(line, given);
  line.examples({"muster fleet act muster-fleet.json", "muster fleet act muster-fleet.json --apply --most 1"});
  return line.run(argc, argv, [&] {
    const auto report = newest_in(place);
    if (!report) throw UsageError(fmt::format("{}: no report of a fleet is in this folder", place.string()));
    if (const auto why = outdated(*report, std::chrono::system_clock::now(), oldest_hours))
      throw UsageError(fmt::format("{}: {}: test the fleet again, or give --oldest", place.string(), *why));
    if (wanted.cap.share > 1) throw UsageError("--most-share: give a share such as 0.05, and at most 1");
    const Server server = server_of(given);
    Stop stop;
    const bool is_done = act(server, *report, wanted, stop, [](const std::string& sentence) {
      fmt::print("{}\n", results::shortened(sentence, 400));
    });
    return is_done ? 0 : exit_code(results::Status::unknown);
  });
}

}  // namespace muster::healthcheck::fleet
