// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/judge/judge.hpp"
#include "results/json/report_json.hpp"
#include "results/render/formats.hpp"
#include "results/system/error.hpp"
#include "results/values/redactor.hpp"
#include "tests/support/files.hpp"

namespace {

using namespace muster;

void demand(bool holds) {
  if (!holds) std::abort();
}

// Whatever the reader accepts can be written, shown, shortened and judged.
void use(const results::Report& report) {
  static const auto folder = tests::source_folder() / "healthcheck";
  static const healthcheck::Faults faults(folder / "faults.json");
  static const auto profile = healthcheck::read_profile(folder / "profiles/generic.json");

  const auto text = results::to_json(report);
  demand(results::report_from_json(text) == report);
  for (const bool redact : {false, true}) {
    results::View view;
    view.redact = redact;
    for (const auto& format : results::format_names()) demand(!results::rendered(format, report, view).empty());
  }
  demand(results::report_from_json(results::to_json(results::redacted(report))).status == report.status);
  demand(results::summary_json(report, "report.json", text).size() <= 4096);
  const auto judged = healthcheck::judge(report, profile, faults);
  demand(healthcheck::judge(judged, profile, faults) == judged);
  demand(results::report_from_json(results::to_json(judged)) == judged);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(results::report_from_json(std::string_view(reinterpret_cast<const char*>(data), size)));
  } catch (const results::Error&) {  // the right answer to a text that is no report
  }
  return 0;
}
