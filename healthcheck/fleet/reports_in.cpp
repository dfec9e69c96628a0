// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <system_error>
#include <utility>

#include "healthcheck/fleet/all_processors.hpp"
#include "healthcheck/fleet/node_report.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

namespace fs = std::filesystem;

struct Files {
  std::vector<fs::path> found;
  std::vector<Unreadable> unreadable;  // folders that nobody may look into, and what has the name of a report alone
};

// Whether a person would take it for a report by its name.
bool is_called_report(const fs::path& path) {
  auto extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return extension == ".json";
}

// Why something of such a name is not read; empty for a file that is.
std::string why_not(const fs::directory_entry& entry) {
  std::error_code gone;
  if (entry.is_regular_file(gone))
    return entry.path().extension() == ".json" ? "" : "it is passed over: the name of a report ends with .json";
  switch (entry.status(gone).type()) {
    case fs::file_type::fifo:
      return "it is a FIFO, not a file";
    case fs::file_type::directory:
      return "it is a folder without a report, not a file";
    case fs::file_type::not_found:
      return entry.is_symlink(gone) ? "it is a link that leads to nothing" : "it was removed meanwhile";
    default:
      return "it is not a file";
  }
}

// Adds those in the folder and below. Gives what is wrong where it cannot be read.
std::error_code add_files(Files& files, const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const auto path = entry->path();
    if (entry->is_directory(gone) && !entry->is_symlink(gone)) {
      const auto before = files.found.size();
      if (const auto problem = add_files(files, path)) {
        files.unreadable.push_back({path.string(), problem.message()});
        continue;
      }
      if (files.found.size() > before) continue;
    }
    if (!is_called_report(path)) continue;
    if (auto reason = why_not(*entry); reason.empty())
      files.found.push_back(path);
    else
      files.unreadable.push_back({path.string(), std::move(reason)});
  }
  return error;
}

Files files_in(const fs::path& folder) {
  Files files;
  if (const auto error = add_files(files, folder))
    throw results::Error(fmt::format("{}: {}", folder.string(), error.message()));
  return files;
}

std::chrono::sys_seconds time_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(status.st_mtime));
}

// What the threads share.
class FolderReader {
 public:
  explicit FolderReader(Files files) : files_(std::move(files.found)) {
    found_.unreadable = std::move(files.unreadable);
  }

  std::size_t count() const { return files_.size(); }

  void run() {
    NodeReportReader reader;
    std::vector<NodeReport> reports;
    std::string text;
    for (std::size_t next = next_++; next < files_.size(); next = next_++) {
      const auto path = files_[next].string();
      try {
        results::read_text(files_[next], text);
        auto read = reader.read(text);
        const auto when = time_of(files_[next]);
        if (!read) continue;
        reports.push_back({path, when, read->is_whole, std::move(read->summary), false, std::move(read->rates),
                           std::move(read->finished), std::move(read->checks)});
      } catch (const std::exception& error) {  // of the system, too, where the file went meanwhile
        const std::scoped_lock lock(mutex_);
        found_.unreadable.push_back({path, error.what()});
      }
    }
    const auto numbers = renumbering(reader.texts());
    for (auto& report : reports) {
      numbers.apply(report.rates);
      numbers.apply(report.checks);
    }
    const std::scoped_lock lock(mutex_);
    std::ranges::move(reports, std::back_inserter(found_.reports));
  }

  Found sorted() && {
    std::ranges::sort(found_.reports, {}, &NodeReport::path);
    std::ranges::sort(found_.unreadable, {}, &Unreadable::path);
    return std::move(found_);
  }

 private:
  Renumbering renumbering(const RateTexts& from) {
    const std::scoped_lock lock(mutex_);
    return {from, found_.texts};
  }

  std::vector<fs::path> files_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  Found found_;
};

}  // namespace

Found reports_in(const fs::path& folder) {
  FolderReader reader(files_in(folder));
  on_all_processors(reader.count(), [&] { reader.run(); });
  return std::move(reader).sorted();
}

}  // namespace muster::healthcheck::fleet
