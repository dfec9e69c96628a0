// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/dmi.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

void put(std::string& bytes, std::size_t at, std::size_t size, unsigned long value) {
  for (std::size_t byte = 0; byte < size; ++byte) bytes[at + byte] = static_cast<char>(value >> (8 * byte) & 0xff);
}

// A structure of type 17 as SMBIOS 3.3 lays it out.
std::string device_bytes(unsigned long size, unsigned long speed, unsigned long extended_speed = 0) {
  std::string bytes(0x5c, '\0');
  put(bytes, 0x00, 1, 17);
  put(bytes, 0x01, 1, bytes.size());
  put(bytes, 0x0a, 2, 64);
  put(bytes, 0x0c, 2, size);
  put(bytes, 0x10, 1, 1);
  put(bytes, 0x11, 1, 2);
  put(bytes, 0x20, 2, speed);
  put(bytes, 0x58, 4, extended_speed);
  return bytes + std::string("DIMM_A1\0P0 CHANNEL A\0\0", 22);
}

const std::string bios_information("\0\x06\0\0\x01\x02Vendor\0Version\0\0", 22);
const std::string without_strings("\x20\x04\x01\0\0\0", 6);
const std::string end_of_table("\x7f\x04\x02\0\0\0", 6);

TEST(MemoryDevices, AreReadFromBetweenOtherStructures) {
  const auto devices = memory_devices(bios_information + device_bytes(0x7fff, 4800) + without_strings +
                                      device_bytes(0, 0) + end_of_table);
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_TRUE(devices[0].populated);
  EXPECT_EQ(devices[0].locator, "DIMM_A1");
  EXPECT_EQ(devices[0].bank_locator, "P0 CHANNEL A");
  EXPECT_EQ(devices[0].transfers_per_second, 4.8e9);
  EXPECT_EQ(devices[0].data_width_bits, 64);
  EXPECT_FALSE(devices[1].populated);
  EXPECT_EQ(devices[1].transfers_per_second, std::nullopt);
}

TEST(MemoryDevices, SpeedTooLargeForItsFieldStandsInAnother) {
  EXPECT_EQ(memory_devices(device_bytes(1, 0xffff, 70000)).at(0).transfers_per_second, 7e10);
}

TEST(MemoryDevices, ShortOldStructureTellsNoSpeed) {
  std::string old = device_bytes(1, 4800).substr(0, 0x15);
  put(old, 0x01, 1, old.size());
  const auto devices = memory_devices(old + std::string("only one\0\0", 10));
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(devices[0].locator, "only one");
  EXPECT_EQ(devices[0].bank_locator, "");
  EXPECT_EQ(devices[0].transfers_per_second, std::nullopt);
}

TEST(MemoryDevices, NothingBehindTheEndOfTableIsRead) {
  EXPECT_TRUE(memory_devices(end_of_table + device_bytes(1, 4800)).empty());
  EXPECT_TRUE(memory_devices("").empty());
}

TEST(MemoryDevices, TornTableIsAnError) {
  const auto whole = device_bytes(1, 4800);
  for (const std::size_t size : {1U, 3U, 4U, 50U, 0x5cU, 0x60U})
    EXPECT_THROW(memory_devices(std::string_view(whole).substr(0, size)), Error) << size;
  EXPECT_THROW(memory_devices(std::string("\x11\x02\0\0\0\0", 6)), Error) << "shorter than its own header";
}

MemoryDevice device(std::string locator, std::string bank = "", double speed = 4.8e9) {
  return {.locator = std::move(locator),
          .bank_locator = std::move(bank),
          .populated = true,
          .transfers_per_second = speed,
          .data_width_bits = 64};
}

double limit(const std::vector<MemoryDevice>& devices) {
  const auto found = memory_bandwidth_limit(devices);
  return found ? found->bytes_per_second : 0;
}

TEST(MemoryBandwidthLimit, IsTheSumOverChannelsNotOverSlots) {
  const auto found = memory_bandwidth_limit(std::vector{device("DIMM_A1"), device("DIMM_A2"), device("DIMM_B1")});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes_per_second, 2 * 4.8e9 * 8);
  EXPECT_EQ(found->source, "DMI: 2 memory channels of 4800 MT/s, 8 B wide");
}

TEST(MemoryBandwidthLimit, ChannelsAreToldByManyNames) {
  EXPECT_EQ(limit({device("P1-DIMMA1"), device("P2-DIMMA1")}), 2 * 4.8e9 * 8);
  EXPECT_EQ(limit({device("CPU0_DIMM_A1"), device("CPU0_DIMM_B1")}), 2 * 4.8e9 * 8);
  EXPECT_EQ(limit({device("DIMM 0", "P0 CHANNEL A"), device("DIMM 0", "P0 CHANNEL B")}), 2 * 4.8e9 * 8);
  EXPECT_EQ(limit({device("DIMM1", "P0_Node0_Channel0_Dimm0"), device("DIMM2", "P0_Node0_Channel0_Dimm1")}), 4.8e9 * 8);
  EXPECT_EQ(limit({device("Controller0-ChannelA-DIMM0", "BANK 0"), device("Controller1-ChannelA-DIMM0", "BANK 0")}),
            2 * 4.8e9 * 8);
}

TEST(MemoryBandwidthLimit, SlowestSlotOfAChannelDecides) {
  EXPECT_EQ(limit({device("DIMM_A1"), device("DIMM_A2", "", 4e9)}), 4e9 * 8);
}

TEST(MemoryBandwidthLimit, EmptySlotsDoNotCount) {
  auto empty = device("DIMM_B1");
  empty.populated = false;
  empty.transfers_per_second = std::nullopt;
  EXPECT_EQ(limit({device("DIMM_A1"), empty}), 4.8e9 * 8);
}

TEST(MemoryBandwidthLimit, NothingWhereTheTableTellsTooLittle) {
  EXPECT_EQ(limit({}), 0);
  EXPECT_EQ(limit({device("DIMM 0"), device("DIMM 1")}), 0) << "no channel";
  EXPECT_EQ(limit({device("PROC 1 DIMM 1")}), 0) << "no channel";
  EXPECT_EQ(limit({device("A1"), device("A2")}), 0) << "a letter alone can be a processor";
  auto unknown = device("DIMM_A1");
  unknown.transfers_per_second = std::nullopt;
  EXPECT_EQ(limit({device("DIMM_B1"), unknown}), 0) << "no speed";
  unknown = device("DIMM_A1");
  unknown.data_width_bits = std::nullopt;
  EXPECT_EQ(limit({unknown}), 0) << "no width";
}

TEST(MemoryBandwidthLimit, LetterWithMoreSlotsThanAChannelHasIsNoChannel) {
  EXPECT_EQ(limit({device("DIMM A1"), device("DIMM A2"), device("DIMM A3"), device("DIMM A4")}), 0);
}

TEST(MemoryBandwidthLimit, ReadsTheMachinesTable) {
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "");
  EXPECT_FALSE(memory_bandwidth_limit(Sysfs(tree.path())));
  tree.write("sys/firmware/dmi/tables/DMI", device_bytes(0x7fff, 4800) + end_of_table);
  EXPECT_TRUE(memory_bandwidth_limit(Sysfs(tree.path())));
  tree.write("sys/firmware/dmi/tables/DMI", "garbage");
  EXPECT_THROW(memory_bandwidth_limit(Sysfs(tree.path())), Error);
}

}  // namespace
}  // namespace muster::topology
