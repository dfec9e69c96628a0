// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/kubernetes_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "healthcheck/kubernetes/job_state.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t max_bytes = std::size_t{16} << 20;
constexpr auto on_a_page = "200";  // with Volcano's own objects of about 20 KB each, some 4 MB
constexpr double connect_seconds = 5;
constexpr double request_seconds = 10;

long milliseconds(double seconds) { return std::max(1L, static_cast<long>(seconds * 1000)); }

// These say that what we were given does not fit the server.
bool is_final(int code) {
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      return true;
    default:
      return false;
  }
}

std::string token_in(const std::filesystem::path& file) {
  const auto text = results::read_text(file);
  std::string token(topology::trimmed(text));
  const auto is_odd = [](char letter) { return letter <= ' ' || letter > '~'; };
  if (token.empty() || std::ranges::any_of(token, is_odd))
    throw results::Error(fmt::format("{} holds no token", file.string()));
  return token;
}

}  // namespace

std::optional<RequestFailure> attempt(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refused& refused) {
    return RequestFailure{.reason = refused.what(), .is_refusal = true};
  } catch (const TryAgain& trouble) {
    return RequestFailure{.reason = trouble.what()};
  } catch (const results::Error& trouble) {  // an answer that is no object, or a file that is being renewed
    return RequestFailure{.reason = trouble.what()};
  }
  return std::nullopt;
}

KubernetesApi::Library::Library() {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl cannot be started");
}

KubernetesApi::Library::~Library() { curl_global_cleanup(); }

KubernetesApi::KubernetesApi(Server server, std::chrono::steady_clock::time_point end, std::function<bool()> is_stopped)
    : server_(std::move(server)),
      end_(end),
      is_stopped_(std::move(is_stopped)),
      of_objects_(curl_slist_append(nullptr, "Content-Type: application/json")),
      of_patches_(curl_slist_append(nullptr, "Content-Type: application/strategic-merge-patch+json")),
      curl_(curl_easy_init()) {
  if (!of_objects_ || !of_patches_ || !curl_) throw std::runtime_error("libcurl has no memory for a connection");
  const benchmarks::Handle<CURLU, curl_url_cleanup> url(curl_url());
  if (!server_.url.starts_with("https://") ||
      curl_url_set(url.get(), CURLUPART_URL, server_.url.c_str(), 0) != CURLUE_OK)
    throw UsageError(fmt::format("--server: '{}' is not an address such as https://10.0.0.1:6443", server_.url));
  while (server_.url.ends_with('/')) server_.url.pop_back();
  prepare();
}

void KubernetesApi::set(int option, const std::filesystem::path& file) {
  if (curl_easy_setopt(curl_.get(), static_cast<CURLoption>(option), file.c_str()) != CURLE_OK)
    throw std::runtime_error(fmt::format("libcurl has no use for {}", file.string()));
}

void KubernetesApi::prepare() {
  CURL* const curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem_.data());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");  // the server is in the cluster, and a proxy of the environment is not
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "muster");
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, store);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_up);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, this);
  if (server_.ca) set(CURLOPT_CAINFO, *server_.ca);
  if (server_.certificate) set(CURLOPT_SSLCERT, *server_.certificate);
  if (server_.key) set(CURLOPT_SSLKEY, *server_.key);
}

std::size_t KubernetesApi::store(char* bytes, std::size_t size, std::size_t count, Answer* answer) {
  answer->is_too_long = answer->body.size() + size * count > max_bytes;
  if (answer->is_too_long) return 0;
  answer->body.append(bytes, size * count);
  return size * count;
}

int KubernetesApi::look_up(const KubernetesApi* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return self->is_stopped_() ? 1 : 0;
}

std::string KubernetesApi::address(const std::string& path, const Query& query) {
  std::string url = server_.url + path;
  char mark = '?';
  for (const auto& [name, value] : query) {
    const benchmarks::Handle<char, curl_free> escaped(
        curl_easy_escape(curl_.get(), value.data(), static_cast<int>(value.size())));
    if (!escaped) throw std::runtime_error("libcurl has no memory for an address");
    url += fmt::format("{}{}={}", mark, name, escaped.get());
    mark = '&';
  }
  return url;
}

std::optional<std::string> KubernetesApi::get(const std::string& path, const Query& query) {
  return understood(ask("GET", path, query), path);
}

void KubernetesApi::list(const std::string& path, const std::string& selector,
                         const std::function<std::string(const std::string&)>& take) {
  Query query{{"limit", on_a_page}};
  if (!selector.empty()) query["labelSelector"] = selector;
  do {
    const auto page = get(path, query);
    if (!page) throw TryAgain(fmt::format("the API server {} has no list {}", server_.url, path));
    query["continue"] = take(*page);
  } while (!query["continue"].empty());
}

void KubernetesApi::create(const std::string& path, const std::string& object) {
  auto answer = ask("POST", path, {}, &object);
  if (answer.status == 201 || (answer.status == 409 && refusal_from_json(answer.body).reason == "AlreadyExists"))
    return;
  understood(std::move(answer), path);
  throw Refused(fmt::format("the API server {} made nothing of what {} was given", server_.url, path));
}

void KubernetesApi::remove(const std::string& path) {
  auto answer = ask("DELETE", path, {});
  if (answer.status != 202) understood(std::move(answer), path);
}

bool KubernetesApi::patch(const std::string& path, const std::string& changes, const Query& query) {
  return understood(ask("PATCH", path, query, &changes), path).has_value();
}

KubernetesApi::Answer KubernetesApi::ask(const char* method, const std::string& path, const Query& query,
                                         const std::string* body) {
  const double left = std::min(seconds(end_ - std::chrono::steady_clock::now()), request_seconds);
  if (left <= 0) throw TryAgain("there was no time left to ask for " + path);
  CURL* const curl = curl_.get();
  Answer answer;
  curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  if (body != nullptr) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(body->size()));
    curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body->c_str());
  }
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER,
                   std::string_view(method) == "PATCH" ? of_patches_.get() : of_objects_.get());
  curl_easy_setopt(curl, CURLOPT_URL, address(path, query).c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(std::min(left, connect_seconds)));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(left));
  if (server_.token) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, token_in(*server_.token).c_str());
  }
  problem_.front() = '\0';
  if (const CURLcode code = curl_easy_perform(curl); code != CURLE_OK) fail(code, answer);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

void KubernetesApi::fail(int code, const Answer& answer) const {
  if (answer.is_too_long)
    throw TryAgain(fmt::format("the API server {} answers more than {} MiB", server_.url, max_bytes >> 20));
  const char* const why = problem_.front() == '\0' ? curl_easy_strerror(static_cast<CURLcode>(code)) : problem_.data();
  if (is_final(code))
    throw std::runtime_error(
        fmt::format("the API server {} and this program do not trust each other: {}", server_.url, why));
  throw TryAgain(fmt::format("the API server {} does not answer: {}", server_.url, why));
}

std::optional<std::string> KubernetesApi::understood(Answer answer, const std::string& path) {
  const long status = answer.status;
  if (status == 200) return std::move(answer.body);
  const std::string said = results::shortened(refusal_from_json(answer.body).message, 300);
  if (status == 404 && !said.empty()) return std::nullopt;
  if (status == 404)
    throw Refused(fmt::format("the API server {} knows no {}; is Volcano installed?", server_.url, path));
  if (status == 401)
    throw Refused(fmt::format("the API server {} does not know who asks: {}", server_.url,
                              server_.token ? "it refuses the token in " + server_.token->string() : "give --token"));
  if (status == 403) throw Refused(fmt::format("a right is missing: {}", said.empty() ? "for " + path : said));
  const std::string what = fmt::format("the API server {} answers {}: {}", server_.url, status, said);
  if (status == 408 || status == 410 || status == 429 || status >= 500) throw TryAgain(what);
  throw Refused(what);
}

}  // namespace muster::healthcheck::fleet
