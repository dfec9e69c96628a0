// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/tell.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "healthcheck/marks/act.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/tell/event.hpp"
#include "healthcheck/tell/message.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

struct TellCommand {
  std::filesystem::path place;
  ListenerFiles files;
  TellOptions wanted;
  std::optional<std::string> chat;
  std::string source = "/muster/fleet", in_doubt = "leave";
  double oldest_hours = static_cast<double>(a_day.count());
  bool redact = false, print = false;
};

void add_tell_options(CommandLine& line, TellCommand& given) {
  line.add("REPORT", given.place, "What `muster fleet collect` or `night` wrote, or a folder whose newest it is");
  line.add("--url-file", given.files.url, "File with the address of the listener, which begins with https://");
  line.add("--key-file", given.files.key, "File with the key that signs each message by HMAC-SHA256");
  line.add("--header-file", given.files.headers,
           "File with more headers, such as 'Authorization: Bearer WORD', on lines");
  line.add("--ca", given.files.ca, "File with the certificates to trust (default: those of the system)");
  line.add("--allow-http", given.files.may_be_plain, "Take an address that begins with http://, too");
  line.add("--template", given.chat,
           "Tell a chat instead of sending a CloudEvent: slack, teams, or a file of your own");
  line.add("--source", given.source, "Whose night this is, as the `source` of a CloudEvent");
  line.add_folder("--state", given.wanted.state, "Folder that remembers what was told, so that no night is told twice");
  line.add_choice("--when-in-doubt", given.in_doubt, {"leave", "again"},
                  "What may have arrived is left, or sent again to a listener that drops what has an id that it knows");
  line.add("--tries", given.wanted.tries, "How often it is tried");
  line.add_positive("--wait", given.wanted.wait_seconds, "Seconds for all of it");
  line.add_positive("--oldest", given.oldest_hours, "Hours that the report may be old");
  line.add("--redact", given.redact, "Leave names, serial numbers and addresses out");
  line.add("--print", given.print, "Print what would be sent, and send nothing");
}

std::string from_template(const std::string& wanted, const FleetEvent& event) {
  const bool is_shipped = wanted == "slack" || wanted == "teams";
  const auto file = is_shipped ? installation().messages / (wanted + ".json") : std::filesystem::path(wanted);
  const auto text = results::read_text(file);
  try {
    return message_by(text, event);
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("--template: {}: {}", file.string(), error.what()));
  }
}

// Of a template the event is in the headers, as in the binary mode of CloudEvents, and what a chat reads in the body.
Message message_of(const FleetEvent& event, const std::optional<std::string>& chat) {
  if (!chat)
    return {.id = event.id,
            .headers = {"Content-Type: application/cloudevents+json; charset=UTF-8"},
            .body = to_json(event)};
  return {.id = event.id,
          .headers = {"Content-Type: application/json", "ce-specversion: 1.0", "ce-id: " + event.id,
                      "ce-source: " + event.source, fmt::format("ce-type: {}", event_type), "ce-time: " + event.made,
                      fmt::format("ce-status: {}", to_text(event.status))},
          .body = from_template(*chat, event)};
}

int tell_one(const TellCommand& given) {
  if (given.wanted.tries == 0) throw UsageError("--tries: give one at least");
  auto report = newest_in(given.place);
  if (!report) throw UsageError(fmt::format("{}: no report of a fleet is in this folder", given.place.string()));
  if (given.redact) report = redacted(std::move(*report));
  const auto message = message_of(event_of(*report, given.source), given.chat);
  if (given.print) {
    print_document(message.body + "\n");
    return 0;
  }
  if (const auto why = outdated(*report, std::chrono::system_clock::now(), given.oldest_hours))
    throw UsageError(fmt::format("{}: {}: test the fleet again, or give --oldest", given.place.string(), *why));
  const auto listener = listener_of(given.files);
  auto wanted = given.wanted;
  wanted.again_when_in_doubt = given.in_doubt == "again";
  Stop stop;
  const bool is_told = tell_listener(
      listener, message, wanted, stop, [](const std::string& sentence) { fmt::print("{}\n", sentence); },
      [](const std::string& sentence) { tell(fmt::format("muster fleet tell: {}\n", sentence)); });
  return is_told ? 0 : exit_code(results::Status::unknown);
}

}  // namespace

int tell_command(int argc, char** argv) {
  TellCommand given;
  CommandLine line("Tells a listener how the fleet is: a CloudEvent by POST, or a message of a chat",
                   "muster fleet tell");
  add_tell_options(line, given);
  line.examples({"muster fleet tell muster-fleet.json --url-file url --key-file key --state told",
                 "muster fleet tell muster-fleet.json --template teams --print"});
  return line.run(argc, argv, [&] { return tell_one(given); });
}

}  // namespace muster::healthcheck::fleet
