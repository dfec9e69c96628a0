// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "benchmarks/handle.hpp"

namespace muster::healthcheck::fleet {

// Where the API server is and how it knows us.
struct Server {
  std::string url;                             // https://HOST:PORT
  std::optional<std::filesystem::path> token;  // read again for each request, because kubelet renews it
  std::optional<std::filesystem::path> ca;     // the system's when not given
  std::optional<std::filesystem::path> certificate;
  std::optional<std::filesystem::path> key;
};

// No answer, or one of a server in trouble; the next may be better.
class TryAgain : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The server answered, and not what was asked for. What it lacks, such as a Role, may have been made a moment ago.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Why nothing came of asking the server this time.
struct RequestFailure {
  std::string reason;
  bool is_refusal = false;
};

// Runs what asks the server; the setback, where it met one that may be gone the next time. Throws what stays.
std::optional<RequestFailure> attempt(const std::function<void()>& ask);

// The API server, by one connection that is kept.
class KubernetesApi {
 public:
  using Query = std::map<std::string, std::string>;

  // Requests take 10 s at most and none goes on after `end`, or long after `is_stopped` says so. Throws UsageError when
  // the address is none.
  KubernetesApi(Server server, std::chrono::steady_clock::time_point end, std::function<bool()> is_stopped);
  ~KubernetesApi() = default;
  KubernetesApi(const KubernetesApi&) = delete;
  KubernetesApi& operator=(const KubernetesApi&) = delete;

  // The object at the path, or nothing when there is none. Throws TryAgain, Refused, results::Error when a file cannot
  // be read, and std::runtime_error where the two will never trust each other.
  std::optional<std::string> get(const std::string& path, const Query& query = {});

  // Gives every page of the list at the path to `take`, which says what its token of the next page is; empty on the
  // last. Throws as get does, and what `take` throws.
  void list(const std::string& path, const std::string& selector,
            const std::function<std::string(const std::string&)>& take);

  // Makes an object from its JSON in the collection at the path, where there is none of its name. Throws as get does.
  void create(const std::string& path, const std::string& object);

  // Deletes the object at the path, where there is one. Throws as get does.
  void remove(const std::string& path);

  // Changes the object at the path by a strategic merge patch; false when there is none. Throws as get does.
  bool patch(const std::string& path, const std::string& changes, const Query& query);

 private:
  using Headers = benchmarks::Handle<curl_slist, curl_slist_free_all>;
  struct Library {
    Library();
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
  };
  struct Answer {
    long status = 0;
    std::string body;
    bool is_too_long = false;
  };

  void prepare();
  void set(int option, const std::filesystem::path& file);
  std::string address(const std::string& path, const Query& query);
  Answer ask(const char* method, const std::string& path, const Query& query, const std::string* body = nullptr);
  std::optional<std::string> understood(Answer answer, const std::string& path);
  [[noreturn]] void fail(int code, const Answer& answer) const;
  static std::size_t store(char* bytes, std::size_t size, std::size_t count, Answer* answer);
  static int look_up(const KubernetesApi* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

  Server server_;
  std::chrono::steady_clock::time_point end_;
  std::function<bool()> is_stopped_;
  Library library_;
  Headers of_objects_;
  Headers of_patches_;
  benchmarks::Handle<CURL, curl_easy_cleanup> curl_;
  std::array<char, CURL_ERROR_SIZE> problem_{};
};

}  // namespace muster::healthcheck::fleet
