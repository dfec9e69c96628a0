// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/parts/log/catalogue.hpp"
#include "tests/healthcheck/checks/log/kernel_log_machine.hpp"

namespace muster::tests {
namespace {

using Words = std::array<std::uint32_t, 7>;

const healthcheck::Catalogue& all() {
  static const auto made = catalogue();
  return made;
}

std::string meaning(const std::string& text) {
  const auto hit = all().find("NVRM: Xid (PCI:0001:00:00): " + text);
  return hit ? hit->row->fault + ": " + hit->row->meaning : "";
}

std::string of_registers(const Words& words) {
  std::string text = "74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(";
  for (const auto word : words) text += fmt::format("{}{:#x}", text.ends_with('(') ? "" : ", ", word);
  return meaning(text + ")");
}

// What bits of a register tell (NVIDIA XID catalogue: WORKFLOW_NVLINK_ERR). Registers count from 1.
struct Bits {
  std::size_t number;
  std::vector<unsigned> bits;
  std::string_view told;
};
const std::vector<Bits> table = {
    {1, {0, 23, 30}, "nvlink_nonfatal_errors"},
    {5, {20, 23, 26, 29}, "nvlink_nonfatal_errors"},
    {1, {4, 5}, "parity or ECC"},
    {3, {0, 1, 2, 6}, "parity or ECC"},
    {5, {18, 19, 21, 22, 24, 25, 27, 28}, "parity or ECC"},
    {1, {8, 9, 12, 16, 17, 24, 28}, "bad contact"},
    {1, {21, 22}, "weak signal"},
    {4, {18}, "the fabric needs a reset"},
    {1, {1, 20}, "after an error elsewhere"},
    {4, {16, 17}, "after an error elsewhere"},
};

TEST(NvlinkRegisters, EachBitIsToldAsTheDriversMakerDoes) {
  for (const auto& row : table)
    for (const auto bit : row.bits) {
      Words words{};
      words[row.number - 1] = 1U << bit;
      EXPECT_NE(of_registers(words).find(row.told), std::string::npos)
          << "register " << row.number << ", bit " << bit << ": " << of_registers(words);
    }
}

TEST(NvlinkRegisters, BitsThatNobodyExplainsAreErrors) {
  for (std::size_t number = 1; number <= 7; ++number)
    for (unsigned bit = 0; bit < 32; ++bit) {
      bool is_told = false;
      for (const auto& row : table)
        for (const auto each : row.bits) is_told = is_told || (row.number == number && each == bit);
      if (is_told) continue;
      Words words{};
      words[number - 1] = 1U << bit;
      EXPECT_EQ(of_registers(words), "nvlink_errors: XID 74: NVLink error") << "register " << number << ", bit " << bit;
    }
  EXPECT_EQ(of_registers({}), "nvlink_errors: XID 74: NVLink error");
}

TEST(NvlinkRegisters, TheWorseOfTwoBitsIsTold) {
  const auto told = [](const Words& words) { return of_registers(words); };
  EXPECT_NE(told({1U << 23 | 1U << 4}).find("parity"), std::string::npos);
  EXPECT_NE(told({1U << 21 | 1U << 8}).find("bad contact"), std::string::npos);
  EXPECT_NE(told({1U << 21, 0, 1U << 6}).find("parity"), std::string::npos);
  EXPECT_NE(told({1U << 1, 0, 0, 0, 1U << 18}).find("parity"), std::string::npos);
  EXPECT_NE(told({0, 0, 0, 1U << 18 | 1U << 16}).find("fabric"), std::string::npos);
  EXPECT_EQ(told({1U << 30, 0, 0, 0, 1U << 13}), "nvlink_errors: XID 74: NVLink error");
  EXPECT_EQ(told({1U << 30 | 1, 0, 0, 0, 1U << 29 | 1U << 20}).substr(0, 22), "nvlink_nonfatal_errors");
}

// Why a link of NVLink 5 went down is in bits 20 to 25 of the first word (NVIDIA XID catalogue: XID 144-150 decode).
TEST(NvlinkWentDown, ForWhatTheFirstWordSays) {
  const std::vector<std::pair<std::vector<std::uint32_t>, std::string_view>> causes = {
      {{0x02, 0x04, 0x0a, 0x10, 0x12, 0x2a, 0x2b}, "nvlink_errors: XID 149: an NVLink went down for its signal"},
      {{0x15, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25}, "nvlink_errors: XID 149: an NVLink went down at its other end"},
      {{0x0f, 0x11, 0x16}, "nvlink_errors: XID 149: an NVLink went down as software"},
      {{0x26, 0x28}, "nvlink_nonfatal_errors: XID 149: software or the host"},
      {{0x00}, "nvlink_errors: XID 149: an NVLink went down as after an error elsewhere"}};
  std::vector<bool> is_told(64);
  const auto told = [](std::uint32_t code) {
    constexpr std::uint32_t other_bits = 0xfc00f411;
    return meaning(
        fmt::format("149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 ({:#010x} 0x00000000)", other_bits | code << 20));
  };
  for (const auto& [codes, expected] : causes)
    for (const auto code : codes) {
      EXPECT_EQ(told(code).substr(0, expected.size()), expected) << code;
      is_told[code] = true;
    }
  for (std::uint32_t code = 0; code < is_told.size(); ++code)
    if (!is_told[code]) {
      EXPECT_EQ(told(code), "nvlink_errors: XID 144 to 150: NVLink error") << code;
    }
}

}  // namespace
}  // namespace muster::tests
