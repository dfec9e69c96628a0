// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

// A profile is read or refused in one sentence; one that was read can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const tests::TemporaryFolder folder;
  folder.write("profile.json", std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    const auto profile = healthcheck::read_profile(folder.path() / "profile.json");
    const auto text = healthcheck::to_json(profile, "");
    folder.write("again.json", text);
    if (healthcheck::to_json(healthcheck::read_profile(folder.path() / "again.json"), "") != text) std::abort();
  } catch (const healthcheck::UsageError&) {  // the right answer to a text that is no profile
  }
  return 0;
}
