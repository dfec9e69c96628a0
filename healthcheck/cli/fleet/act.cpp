// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/marks/act.hpp"

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
  CommandLine line(
      "Marks the nodes that failed with a label and a taint, and takes its marks off those that pass again",
      "muster fleet act");
  line.add("REPORT", place, "What `muster fleet collect` or `night` wrote, or a folder whose newest it is");
  line.add_positive("--oldest", wanted.oldest_hours, "Hours that the report may be old");
  line.add("--apply", wanted.apply, "Do it; without this it is only said what would be done");
  line.add("--most", wanted.cap.count, "Nodes that one report may mark anew: with more, none is");
  line.add_positive("--most-share", wanted.cap.share, "And this share of all, but one in any case");
  line.add_choice("--effect", wanted.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, "Effect of the taint");
  line.add("--condition", wanted.condition,
           "Tell each node's condition MusterFit: True, False, or Unknown where nobody tested it for --oldest");
  line.add("--events", wanted.events, "Make an Event of each node that is marked, or not any more");
  line.add("--gate", wanted.gate,
           "Take a taint of this key off each node that passed, as of nodes that nobody has tested yet");
  line.add_positive("--wait", wanted.wait_seconds, "Seconds for all of it, where the API server is in trouble");
  add_server(line, given);
  line.examples({"muster fleet act muster-fleet.json", "muster fleet act muster-fleet.json --apply --most 1"});
  return line.run(argc, argv, [&] {
    const auto report = newest_in(place);
    if (!report) throw UsageError(fmt::format("{}: no report of a fleet is in this folder", place.string()));
    if (wanted.cap.share > 1) throw UsageError("--most-share: give a share such as 0.05, and at most 1");
    if (wanted.gate) require_taint("--gate", *wanted.gate);
    Stop stop;
    const auto say = [](const std::string& sentence) { fmt::print("{}\n", results::shortened(sentence, 400)); };
    if (const auto why = outdated(*report, std::chrono::system_clock::now(), wanted.oldest_hours)) {
      if (wanted.condition) outdate_conditions(server_of(given), wanted, stop, say);
      throw UsageError(fmt::format("{}: {}: test the fleet again, or give --oldest", place.string(), *why));
    }
    const bool is_done = act(server_of(given), *report, wanted, stop, say);
    return is_done ? 0 : exit_code(results::Status::unknown);
  });
}

}  // namespace muster::healthcheck::fleet
