// SPDX-License-Identifier: Apache-2.0
#include "tests/support/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "results/json/report_json.hpp"
#include "results/system/file.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

// Without what tells that this machine has too few CPUs for the job, which is no fault of what is tested.
results::Report on_enough_cpus(results::Report report) {
  for (auto& run : report.checks)
    std::erase_if(run.measurements,
                  [](const results::Measurement& fact) { return fact.metric.ends_with(".ranks_per_cpu"); });
  return report;
}

}  // namespace

results::CheckRun checked(const Job& job) {
  const TemporaryFolder folder;
  const auto report = folder.path() / "report.json";
  const auto output = folder.path() / "output";
  const auto program = job.folder / healthcheck::executable_name(healthcheck::make_check()->describe().name);
  std::string command = fmt::format("env {} ", fmt::join(job.environment, " "));
  if (!job.fault.empty()) {
    const auto faults = folder.path() / "faults.so";  // LD_PRELOAD takes no path with a space
    std::filesystem::copy_file(bin_folder().parent_path() / "tests/libmpi_faults.so", faults);
    command +=
        fmt::format("MUSTER_FAULT={} MUSTER_FAULT_RANK={} LD_PRELOAD={} ", job.fault, job.faulty_rank, faults.string());
  }
  if (job.ranks > 1)
    command = fmt::format("mpirun --allow-run-as-root --oversubscribe {} -np {} {}",
                          job.loses_ranks ? "" : "-mca odls_base_sigkill_timeout 0", job.ranks, command);
  command += fmt::format("'{}' --quiet --profile '{}' --report '{}' {} >'{}' 2>&1 </dev/null", program.string(),
                         job.profile, report.string(), fmt::join(job.arguments, " "), output.string());
  const int code = std::system(command.c_str());
  if (code == -1 || !std::filesystem::exists(report))
    throw std::runtime_error(command + ": " + results::read_text(output));
  return judged_again(on_enough_cpus(results::report_from_json(results::read_text(report))), job.profile);
}

}  // namespace muster::tests
