// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "results/render/text.hpp"

namespace muster::healthcheck {

// stdout has what a command was asked for, stderr its progress and its complaints. A stream that is closed or full ends
// no run: the command goes on, says so on the other stream when it is done, and exits with 3.

// The main() of every program: runs the body with streams that can be lost, and gives the exit code. What the body
// throws becomes one sentence and 2. Of the descriptors 0 to 2 those that are closed are taken, so that no report takes
// their place; SIGPIPE and SIGXFSZ become errors of a write, and are as ever in programs that are started.
int with_streams(std::string_view program, const std::function<int()>& body);

// What with_streams makes of an exit code, for those that leave by _exit.
int flushed(std::string_view program, int code);

// What an error says, for people: not what the standard library calls its functions.
std::string in_words(const std::exception& error);

// On stderr, as far as it can be written.
void tell(std::string_view text);

// On stdout, at once: a rank of a job may be ended right after it. Throws std::system_error.
void print_now(std::string_view text);

// A document for programs: stdout is closed after it, so that nothing else follows. Throws std::system_error.
void print_document(std::string_view text);

// How people look at that stream: in colour on a terminal, unless TERM is dumb or NO_COLOR says otherwise, and as wide
// as it is. One without a size, as Open MPI gives every rank as its stdout, is none.
results::View view_of(int descriptor);

}  // namespace muster::healthcheck
