// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "healthcheck/error.hpp"
#include "results/error.hpp"
#include "topology/error.hpp"

namespace muster::healthcheck {
namespace {

int complain(const CLI::App& app, std::string_view sentence, int code) {
  fmt::print(stderr, "{}: {}\n", app.get_name(), sentence);
  return code;
}

}  // namespace

int run_command(CLI::App& app, int argc, const char* const* argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
    return body();
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(app, fmt::format("{}; see {} --help", error.what(), app.get_name()), 2);
  } catch (const UsageError& error) {
    return complain(app, error.what(), 2);
  } catch (const results::Error& error) {
    return complain(app, error.what(), 2);
  } catch (const topology::Error& error) {
    return complain(app, error.what(), 2);
  } catch (const std::exception& error) {
    return complain(app, error.what(), 3);
  }
}

}  // namespace muster::healthcheck
