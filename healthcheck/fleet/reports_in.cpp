// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "healthcheck/fleet/node_report.hpp"
#include "results/error.hpp"
#include "results/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_threads = 16;
constexpr std::uintmax_t most_bytes_of_report = std::uintmax_t{256} << 20;

std::vector<fs::path> files_in(const fs::path& folder) try {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".json" && entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
} catch (const fs::filesystem_error& error) {
  throw results::Error(fmt::format("{}: {}", folder.string(), error.code().message()));
}

std::chrono::sys_seconds time_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(status.st_mtime));
}

// What the threads share.
class Reading {
 public:
  explicit Reading(const std::vector<fs::path>& files) : files_(files) {}

  void run() {
    NodeReportReader reader;
    std::vector<NodeReport> reports;
    for (std::size_t next = next_++; next < files_.size(); next = next_++) {
      const auto path = files_[next].string();
      try {
        if (fs::file_size(files_[next]) > most_bytes_of_report)
          throw results::Error(fmt::format("more than {} MiB are no report", most_bytes_of_report >> 20));
        auto read = reader.read(results::read_text(files_[next]));
        const auto when = time_of(files_[next]);
        if (!read) continue;
        reports.push_back({path, when, read->is_whole, std::move(read->summary), false, std::move(read->rates)});
      } catch (const std::exception& error) {  // of the system, too, where the file went meanwhile
        const std::scoped_lock lock(mutex_);
        found_.unreadable.push_back({path, error.what()});
      }
    }
    const std::scoped_lock lock(mutex_);
    for (auto& report : reports) renumber(report.rates, reader.texts(), found_.texts);
    std::ranges::move(reports, std::back_inserter(found_.reports));
  }

  Found sorted() && {
    std::ranges::sort(found_.reports, {}, &NodeReport::path);
    std::ranges::sort(found_.unreadable, {}, &Unreadable::path);
    return std::move(found_);
  }

 private:
  const std::vector<fs::path>& files_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  Found found_;
};

}  // namespace

Found reports_in(const fs::path& folder) {
  const auto files = files_in(folder);
  Reading reading(files);
  {
    std::vector<std::jthread> threads;
    const auto count = std::min({files.size(), most_threads, std::size_t{std::thread::hardware_concurrency()}});
    for (std::size_t thread = 0; thread < count; ++thread) threads.emplace_back([&] { reading.run(); });
  }
  return std::move(reading).sorted();
}

}  // namespace muster::healthcheck::fleet
