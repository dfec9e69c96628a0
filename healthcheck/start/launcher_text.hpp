// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A part of what a launcher wrote: the lines between two rules of dashes (Open MPI) or of equals signs (Hydra), or a
// line that stands alone.
struct Passage {
  std::vector<std::string> lines;  // words with one blank between them; a line without a word is empty
  std::string joined;              // all of them in one line, with one blank between words
  bool is_block = false;
};

// In their order, without those that have no word.
std::vector<Passage> passages(std::string_view said);

// The value of the line "name: value"; nothing where there is no such line, or it has no value.
std::optional<std::string> field(const Passage& passage, std::string_view name);

// What the passage begins with: its first sentence without the full stop, and what is listed below one that ends with a
// colon. A line of Hydra loses the place in Hydra's source. Printable, and of at most 240 bytes.
std::string first_sentence(const Passage& passage);

// The rank that a passage is about; nothing where it names none.
std::optional<std::size_t> rank_of(const Passage& passage);

// The host that a passage says to be the place of its trouble, in the launcher's spelling.
std::optional<std::string> host_named_by(const Passage& passage);

// The hosts of tasks of which srun says how they ended: "srun: error: gpu-0002: task 1: Exited with exit code 2".
std::vector<std::string> hosts_told_by_srun(const Passage& passage);

// The host before a line that a process wrote of itself: "[gpu-0002:1234] PMIX ERROR", "[proxy:1@gpu-0002] main",
// "slurmstepd-gpu-0002: error: execve()".
std::optional<std::string> writer_of(const Passage& passage);

}  // namespace muster::healthcheck
