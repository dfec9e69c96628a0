// SPDX-License-Identifier: Apache-2.0
#pragma once

// The commands of `muster fleet`; each gives an exit code.
namespace muster::healthcheck::fleet {

int act_command(int argc, char** argv);
int collect_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int label_command(int argc, char** argv);
int labels_command(int argc, char** argv);
int night_command(int argc, char** argv);
int summary_command(int argc, char** argv);
int tell_command(int argc, char** argv);
int verdict_command(int argc, char** argv);
int withdraw_command(int argc, char** argv);

}  // namespace muster::healthcheck::fleet
