// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "results/values/report.hpp"

namespace muster::healthcheck {

class CommandLine;
class Context;

// How many runs of a check make one node's worth: one, one for each component, or one job. A job of `ranks` has several
// on each node; one of `hosts` has one, and that of one node is this process alone.
enum class Scope { once, per_gpu, per_nic, per_drive, all_gpus, ranks, hosts };

// What a check must have for itself while it runs; checks that share none of these run side by side. Of the GPUs a
// run of scope per_gpu has its own.
enum class Resource { cpu, memory, disk, gpu, nic };

// What a check looks at and many machines have not: `muster list` looks for it. Whether there is something to look at
// is for the check itself to say.
enum class Part { nvidia_gpu, rdma_device, several_drives, topology_file };

// The time that one run of a check is given where nobody says otherwise.
double default_timeout_seconds(results::Tier tier);

bool is_job(Scope scope);

std::string_view to_text(Scope scope);
std::string_view to_text(Resource resource);
std::string_view to_text(Part part);

// "host_memory" -> "muster-host-memory"
std::string executable_name(std::string_view check);

struct Description {
  std::string name;     // the file's name: "host_memory"
  std::string summary;  // one line for `muster list`
  Scope scope = Scope::once;
  std::vector<Resource> resources;            // none: reads only
  results::Tier tier = results::Tier::quick;  // the least tier that runs it
  double typical_seconds = 0;                 // cheap checks start first
  bool reads_tree_only = false;               // true: everything comes through Sysfs, so a captured tree can be checked
  bool prepares = false;                      // true: it gets ready beside others, which have all that it needs
  std::optional<Part> part = {};

  bool operator==(const Description&) const = default;
};

// Thrown by run() when this machine has nothing to measure; the profile decides whether that is a failure.
class Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One check is one file, one class and one executable.
class Check {
 public:
  virtual ~Check() = default;
  virtual Description describe() const = 0;
  virtual void add_options(CommandLine&) {}
  // Throws UsageError when what the options ask for cannot be had here; nothing has been written yet. All ranks of a
  // job call it, and may ask each other before any of them refuses.
  virtual void expect_possible(const Context&) const {}
  // How long the options want it to measure, in seconds: it has that on top of the time of its tier before it hangs.
  virtual double wanted_seconds(results::Tier) const { return 0; }
  // Adds its facts to the context. Throws Skip, or any std::exception for a call that should have worked.
  virtual void run(Context& context) = 0;
};

// Defined once in every check's file; which one is meant is decided by what is linked.
std::unique_ptr<Check> make_check();

}  // namespace muster::healthcheck
