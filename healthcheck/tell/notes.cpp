// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/notes.hpp"

#include <fmt/format.h>

#include <system_error>

#include "healthcheck/program/error.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::string_view as_told = "told", as_sending = "sending";

std::filesystem::path made(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("--state: {} is no folder and none can be made there: {}", folder.string(),
                                 error ? error.message() : "something else is there"));
  return folder;
}

std::string word_of(const std::string& text) { return results::sha256(text).substr(0, 16); }

}  // namespace

// The name of a file says neither the address, which is secret, nor an id that somebody else chose.
Note::Note(const std::filesystem::path& folder, const std::string& url, const std::string& id)
    : file_(made(folder) / fmt::format("{}-{}", word_of(url), word_of(id))),
      id_(id),
      lock_(folder / (word_of(url) + ".lock")) {
  if (!lock_.held())
    throw UsageError(fmt::format("--state: another muster fleet tell is telling this listener, by {}: wait for its end",
                                 folder.string()));
  results::expect_room(folder);
  if (!std::filesystem::exists(file_)) return;
  const auto text = results::read_text(file_);
  state_ = text.starts_with(as_told) ? State::told : State::sending;
}

void Note::write(State state) {
  state_ = state;
  if (state != State::none) {
    results::write_atomically(
        file_, fmt::format("{} {} {}\n", state == State::told ? as_told : as_sending, id_, results::utc_now()));
    return;
  }
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error) throw results::Error(fmt::format("{} cannot be removed: {}", file_.string(), error.message()));
}

}  // namespace muster::healthcheck::fleet
