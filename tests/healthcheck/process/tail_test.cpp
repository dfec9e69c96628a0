// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/tail.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "healthcheck/process/progress.hpp"

namespace muster::healthcheck {
namespace {

TEST(Tail, KeepsTheEndOfWhatIsWritten) {
  Pipe pipe = make_pipe();
  fcntl(pipe.read.number(), F_SETFL, O_NONBLOCK);
  Tail tail(std::move(pipe.read));
  tail.read();
  EXPECT_EQ(tail.text(), "");
  const std::string words = std::string(6000, '\n') + "end\n";
  ASSERT_EQ(write(pipe.write.number(), words.data(), words.size()), static_cast<ssize_t>(words.size()));
  tail.read();
  EXPECT_EQ(tail.text(), words.substr(words.size() - 4096));
  EXPECT_GE(tail.descriptor(), 0);
  pipe.write = Descriptor();
  tail.read();
  EXPECT_EQ(tail.descriptor(), -1);
  EXPECT_EQ(last_words(tail.text()), "end");
}

TEST(Tail, TellsAllOfFewWordsAndBothEndsOfMany) {
  for (const std::size_t count : {10UL, 32768UL, 36000UL, 36864UL}) {
    Pipe pipe = make_pipe();
    fcntl(pipe.read.number(), F_SETFL, O_NONBLOCK);
    Tail tail(std::move(pipe.read));
    const std::string words = std::string(count - 1, 'x') + "y";
    ASSERT_EQ(write(pipe.write.number(), words.data(), words.size()), static_cast<ssize_t>(count));
    tail.read();
    EXPECT_EQ(tail.said(), words) << count;
    ASSERT_EQ(write(pipe.write.number(), words.data(), 7), 7);
    tail.read();
    EXPECT_EQ(tail.said().find("\n...\n") != std::string::npos, count > 36860) << count;
    EXPECT_TRUE(tail.said().ends_with("yxxxxxxx")) << count;
  }
}

TEST(LastWords, AreTheLastLineThatIsNotBlank) {
  EXPECT_EQ(last_words("first\nlast  \n\n \n"), "last");
  EXPECT_EQ(last_words("only"), "only");
  EXPECT_EQ(last_words("\n\n"), "");
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words("first\n\033[1m\xff" + std::string(1000, 'x')), " [1m?" + std::string(292, 'x') + "...");
}

TEST(LastWords, AreThoseOfWhoGaveUpBeforeMpirunsOwn) {
  const std::string page = "-----\nmpirun was unable to start the job\n-----\n";
  for (const std::string line :
       {"muster@h2: Permission denied (publickey).", "ssh: connect to host h2 port 22: No route",
        "Host key verification failed.", "muster-allreduce: --max-bytes: too much"})
    EXPECT_EQ(last_words("noise\n" + line + "\n" + page), line);
  EXPECT_EQ(last_words("noise\n" + page), "mpirun was unable to start the job");
}

TEST(StatusLine, NamesWhatRunsAndHowMuchIsDone) {
  EXPECT_EQ(status_line({{.name = "host_memory", .seconds = 3.21}, {.name = "limits", .seconds = 0.1}}, 1, 3),
            "host_memory 3.2 s, limits 0.1 s | 1 of 3 done");
  EXPECT_EQ(status_line({}, 3, 3), "3 of 3 done");
}

}  // namespace
}  // namespace muster::healthcheck
