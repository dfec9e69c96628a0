// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/listener.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "benchmarks/handle.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/tell/signature.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Url = benchmarks::Handle<CURLU, curl_url_cleanup>;

// What muster says itself, and what would change the meaning of a request. Beginnings end with a dash.
constexpr std::array own_headers = {"content-",          "ce-", "webhook-", "host", "connection", "expect",
                                    "transfer-encoding", "te",  "upgrade"};

std::string part(const Url& url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, 0) != CURLUE_OK) return "";
  const benchmarks::Handle<char, curl_free> owned(text);
  return owned.get();
}

void read_url(Listener& listener, const std::filesystem::path& file, bool may_be_plain) {
  const auto text = results::read_text(file);
  listener.url = topology::trimmed(text);
  const Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, listener.url.c_str(), 0) != CURLUE_OK || part(url, CURLUPART_HOST).empty())
    throw UsageError(
        fmt::format("--url-file: {} holds no address such as https://HOST/PATH on its one line", file.string()));
  const auto scheme = part(url, CURLUPART_SCHEME);
  if (scheme != "https" && !(may_be_plain && scheme == "http"))
    throw UsageError(
        fmt::format("--url-file: the address in {} does not begin with https://{}", file.string(),
                    scheme == "http" ? "; --allow-http takes it, and then anybody on the way can read it" : ""));
  listener.host = part(url, CURLUPART_HOST);
}

bool is_word(std::string_view name) {
  constexpr std::string_view more = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](unsigned char letter) {
    return letter < 0x80 && (std::isalnum(letter) != 0 || more.find(static_cast<char>(letter)) != more.npos);
  });
}

bool is_ours(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return std::ranges::any_of(
      own_headers, [&](std::string_view own) { return own.ends_with('-') ? small.starts_with(own) : small == own; });
}

std::vector<std::string> headers_in(const std::filesystem::path& file) {
  std::vector<std::string> headers;
  const auto text = results::read_text(file);
  std::size_t line = 0;
  for (const auto& each : topology::lines(text)) {
    ++line;
    const auto header = topology::trimmed(each);
    if (header.empty()) continue;
    const auto colon = header.find(':');
    const auto name = header.substr(0, colon);
    const auto is_odd = [](unsigned char letter) { return (letter < ' ' && letter != '\t') || letter == 0x7f; };
    if (colon == header.npos || !is_word(name) || std::ranges::any_of(header, is_odd))
      throw UsageError(
          fmt::format("--header-file: line {} of {} is not a header such as 'Name: value'", line, file.string()));
    if (is_ours(name))
      throw UsageError(
          fmt::format("--header-file: line {} of {} has a header that muster sets itself", line, file.string()));
    const auto value = topology::trimmed(header.substr(colon + 1));
    // "Name;" is how libcurl is told of one without a value.
    headers.push_back(value.empty() ? fmt::format("{};", name) : fmt::format("{}: {}", name, value));
  }
  return headers;
}

}  // namespace

Listener listener_of(const ListenerFiles& files) {
  if (!files.url) throw UsageError("--url-file is missing: give a file that holds the address of the listener");
  Listener listener{.name = files.url->string()};
  read_url(listener, *files.url, files.may_be_plain);
  if (files.key) listener.key = key_in(*files.key);
  if (files.headers) listener.headers = headers_in(*files.headers);
  listener.ca = files.ca;
  return listener;
}

}  // namespace muster::healthcheck::fleet
