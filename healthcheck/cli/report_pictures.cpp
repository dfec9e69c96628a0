// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/report_pictures.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <string>
#include <system_error>
#include <vector>

#include "healthcheck/process/start.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/html/picture.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* converter = "rsvg-convert";  // of librsvg, in Debian's librsvg2-bin

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw UsageError(fmt::format("--pictures: {} cannot be made: {}; name a folder that can be written",
                                 folder.string(), error ? error.message() : "it is a file"));
}

// Twice as large as the drawing says, for screens of today; false where it failed.
bool converted(const fs::path& svg) {
  auto png = svg;
  png.replace_extension(".png");
  const auto started = start({find_program(converter, "install librsvg2-bin"), "--zoom=2", "--background-color=white",
                              "--output=" + png.string(), svg.string()});
  if (started.pid < 0) return false;
  int status = 0;
  waitpid(started.pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void write_pictures(const results::Report& report, const fs::path& folder) {
  make_folder(folder);
  const auto all = results::html::pictures(report);
  const bool has_converter = has_program(converter);
  std::string failed;
  for (const auto& picture : all) {
    const auto file = folder / (picture.name + ".svg");
    results::write_atomically(file, results::html::svg_file(picture));
    if (has_converter && !converted(file) && failed.empty()) failed = file.string();
  }
  if (all.empty())
    tell("no pictures: the report has no facts that can be drawn\n");
  else
    tell(fmt::format(
        "pictures: {} in {}{}\n", all.size(), folder.string(),
        has_converter ? "" : "; as SVG alone, for rsvg-convert (librsvg2-bin) is not installed, which makes PNG"));
  if (!failed.empty()) tell(fmt::format("{} made no PNG of {}\n", converter, failed));
}

}  // namespace muster::healthcheck
