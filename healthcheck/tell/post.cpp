// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/post.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "benchmarks/handle.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/tell/signature.hpp"
#include "results/strings/utf8.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;
using End = Attempt::End;

constexpr double most_seconds = 10, max_connect_seconds = 5;
constexpr std::size_t most_bytes = std::size_t{1} << 20;  // of an answer, with its headers
constexpr std::array later = {408L, 425L, 429L, 500L, 502L, 503L, 504L};

class Exchange {
 public:
  Exchange(const Listener& listener, const Message& message, Stop& stop, const std::function<void()>& before)
      : listener_(listener), message_(message), stop_(stop), before_(before), curl_(curl_easy_init()) {
    if (!curl_) throw std::runtime_error("libcurl has no memory for a connection");
    add_headers();
    prepare();
  }

  Attempt run(double seconds) {
    set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(std::min(seconds, max_connect_seconds)));
    set(CURLOPT_TIMEOUT_MS, milliseconds(seconds));
    const CURLcode code = curl_easy_perform(curl_.get());
    if (failure_) std::rethrow_exception(failure_);
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status >= 200 ? answered(status) : unanswered(code);
  }

 private:
  static long milliseconds(double seconds) { return std::max(1L, static_cast<long>(seconds * 1000)); }

  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(curl_.get(), option, value) != CURLE_OK)
      throw std::runtime_error(fmt::format("libcurl does not take its option {}", static_cast<int>(option)));
  }

  void add(const std::string& header) {
    auto* const longer = curl_slist_append(headers_.get(), header.c_str());
    if (longer == nullptr) throw std::runtime_error("libcurl has no memory for headers");
    (void)headers_.release();
    headers_.reset(longer);
  }

  void add_headers() {
    const auto now = static_cast<long>(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
    for (const auto& each : message_.headers) add(each);
    add("webhook-id: " + message_.id);
    add(fmt::format("webhook-timestamp: {}", now));
    if (listener_.key) add("webhook-signature: " + signature(*listener_.key, message_.id, now, message_.body));
    for (const auto& each : listener_.headers) add(each);
    add("Expect:");  // no answer is awaited before the body is sent
  }

  void prepare() {
    set(CURLOPT_ERRORBUFFER, problem_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "muster");
    set(CURLOPT_URL, listener_.url.c_str());
    set(CURLOPT_POSTFIELDSIZE, static_cast<long>(message_.body.size()));
    set(CURLOPT_POSTFIELDS, message_.body.c_str());
    set(CURLOPT_HTTPHEADER, headers_.get());
    set(CURLOPT_WRITEFUNCTION, take_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, count_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, look_up);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_PREREQFUNCTION, connected);
    set(CURLOPT_PREREQDATA, this);
    if (listener_.ca) set(CURLOPT_CAINFO, listener_.ca->c_str());
    // Since 7.87: not to wait for a name server that does not answer.
    if (const auto* quick = curl_easy_option_by_name("QUICK_EXIT")) set(quick->id, 1L);
  }

  static std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, Exchange* self) {
    constexpr std::size_t enough = 64;
    self->read_ += size * count;
    if (self->body_.size() < enough) self->body_.append(bytes, std::min(size * count, enough));
    return self->read_ > most_bytes ? 0 : size * count;
  }

  static std::size_t count_header(const char*, std::size_t size, std::size_t count, Exchange* self) {
    self->read_ += size * count;
    return self->read_ > most_bytes ? 0 : size * count;
  }

  static int look_up(Exchange* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return self->stop_.is_told() ? 1 : 0;
  }

  static int connected(Exchange* self, char*, char*, int, int) {
    try {
      self->before_();
    } catch (...) {
      self->failure_ = std::current_exception();
      return CURL_PREREQFUNC_ABORT;
    }
    self->is_connected_ = true;
    return CURL_PREREQFUNC_OK;
  }

  // The one word that says why, as Slack answers it; nothing that may be a part of a secret.
  std::string word() const {
    const auto is_letter = [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '_'; };
    const auto is_secret = [&](const std::string& secret) { return secret.find(body_) != secret.npos; };
    if (body_.size() < 4 || body_.size() > 40 || !std::ranges::all_of(body_, is_letter)) return "";
    if (is_secret(listener_.url) || std::ranges::any_of(listener_.headers, is_secret)) return "";
    return fmt::format(" ({})", body_);
  }

  Attempt answered(long status) {
    if (status < 300) return {.end = End::told};
    if (status < 400)
      return {.end = End::refused, .why = fmt::format("it answers {}, a redirect, which is not followed", status)};
    auto why = fmt::format("it answers {}{}", status, word());
    if (std::ranges::find(later, status) == later.end()) return {.end = End::refused, .why = std::move(why)};
    curl_off_t after = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RETRY_AFTER, &after);
    return {.end = End::later, .why = std::move(why), .after_seconds = static_cast<double>(after)};
  }

  Attempt unanswered(CURLcode code) const {
    auto why = said(code);
    if (is_connected_) return {.end = End::in_doubt, .why = fmt::format("it was sent, and no answer came: {}", why)};
    const bool is_final = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
                          code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT;
    return {.end = is_final ? End::refused : End::unsent, .why = std::move(why)};
  }

  // libcurl's own words where they have nothing of the address.
  std::string said(CURLcode code) const {
    const std::string_view words = problem_.data();
    const bool is_safe = !words.empty() && words.find(listener_.host) == words.npos && words.find("://") == words.npos;
    return results::shortened(is_safe ? words : curl_easy_strerror(code), 200);
  }

  const Listener& listener_;
  const Message& message_;
  Stop& stop_;
  const std::function<void()>& before_;
  benchmarks::Handle<curl_slist, curl_slist_free_all> headers_;
  benchmarks::Handle<CURL, curl_easy_cleanup> curl_;
  std::array<char, CURL_ERROR_SIZE> problem_{};
  std::exception_ptr failure_;
  std::string body_;
  std::size_t read_ = 0;
  bool is_connected_ = false;
};

}  // namespace

Attempt post(const Listener& listener, const Message& message, std::chrono::steady_clock::time_point end, Stop& stop,
             const std::function<void()>& before) {
  const double left = std::min(seconds(end - Clock::now()), most_seconds);
  if (left <= 0) return {.why = "there was no time left"};
  return Exchange(listener, message, stop, before).run(left);
}

}  // namespace muster::healthcheck::fleet
