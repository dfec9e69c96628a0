// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"
#include "topology/siblings/siblings.hpp"

namespace muster::topology {

// What a file of a component holds.
enum class FileForm {
  number,
  text,     // of any kind, but some where others have some
  same,     // what the siblings' files hold, which is never nothing
  cpus,     // a list of CPUs
  nodes,    // a list of CPUs, of none where a NUMA node has only memory
  named,    // a number and its name, "4: ACTIVE"
  layer,    // of a port's link
  numbers,  // several
  hex,      // an address or a GUID: hexadecimal digits and what is between them
  speed,    // of a PCI link
  config,   // of a PCI function: it begins with the ids that files beside it have
  link,     // it is a symbolic link
};

struct FileOfKind {
  std::string_view name;  // "counters/" stands for every file of that folder
  FileForm form;
};

// Files of which the kernel or the driver makes all or none.
struct Companions {
  std::string_view folder;  // of the component; empty for its own
  std::span<const std::string_view> names;
  std::string_view vendor = {};  // of the adapters whose driver does so; empty for all
};

constexpr std::string_view unknown_model =
    "?";  // of a damaged component, which is taken for one of those there are most of

struct Component {
  std::string folder;
  std::string model;
  std::string maker = {};  // of the files: who makes those of several models alike; empty where nobody does
};

// The components of a kind, and the files that each of them has.
struct Kind {
  std::string_view plural;
  std::span<const FileOfKind> files;
  std::vector<Component> components;
  std::span<const Companions> companions = {};
};

Kind kind_of(const Sysfs& sysfs, Kin kin);

}  // namespace muster::topology
