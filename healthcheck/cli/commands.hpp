// SPDX-License-Identifier: Apache-2.0
#pragma once

// The built-in commands of `muster`; each parses its own arguments and returns the exit code.
namespace muster::healthcheck {

int node_command(int argc, char** argv);
int launch_command(int argc, char** argv);
int worker_command(int argc, char** argv);
int probe_command(int argc, char** argv);
int list_command(int argc, char** argv);
int explain_command(int argc, char** argv);
int judge_command(int argc, char** argv);
int calibrate_command(int argc, char** argv);
int report_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int profile_command(int argc, char** argv);
int topology_command(int argc, char** argv);

}  // namespace muster::healthcheck
