// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/nccl_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <pugixml.hpp>
#include <vector>

#include "results/system/file.hpp"
#include "topology/cpu/cpu_mask.hpp"
#include "topology/devices/bus_id.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/text_fields.hpp"
#include "topology/nccl/nccl_schema.hpp"

namespace muster::topology {
namespace {

constexpr int deepest_element = 64;
constexpr const char* too_large = "it is larger than 16 MiB, which no topology file is";

// Line and column, from 1, of places that come in any order.
class Places {
 public:
  explicit Places(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') ends_.push_back(at);
  }
  int line(std::size_t offset) const {
    return 1 + static_cast<int>(std::ranges::lower_bound(ends_, offset) - ends_.begin());
  }
  std::size_t column(std::size_t offset) const {
    const auto above = std::ranges::lower_bound(ends_, offset);
    return above == ends_.begin() ? offset + 1 : offset - *(above - 1);
  }

 private:
  std::vector<std::size_t> ends_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : places_(text) {
    const auto result = document_.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    if (!result) refuse(offset, fmt::format("this is not XML: {}", result.description()));
  }

  bool is_graph() const { return std::string_view(document_.document_element().name()) == "graphs"; }

  TopologyFile read() {
    if (is_graph()) refuse(0, "this is a graph file (NCCL_GRAPH_FILE), not a topology file");
    for (const pugi::xml_node& node : document_.children()) {
      if (node.type() == pugi::node_doctype) refuse(node, "a document type has no place in a topology file");
      if (node.type() != pugi::node_element || std::string_view(node.name()) != "system") continue;
      if (seen_) refuse(node, "this is the second 'system'; a file describes one machine");
      seen_ = true;
      system(node);
    }
    if (!seen_) refuse(0, "this is not a topology file: there is no element 'system' in it");
    return std::move(file_);
  }

 private:
  // Nothing is decoded: NCCL knows no entities, and one inside a value is the text that it reads.
  static constexpr unsigned options = pugi::parse_minimal | pugi::parse_doctype;

  [[noreturn]] void refuse(std::size_t offset, std::string_view problem) const {
    throw Error(fmt::format("line {}, column {}: {}", places_.line(offset), places_.column(offset), problem));
  }
  [[noreturn]] void refuse(const pugi::xml_node& node, std::string_view problem) const {
    refuse(static_cast<std::size_t>(node.offset_debug()), problem);
  }

  int line(const pugi::xml_node& node) const { return places_.line(static_cast<std::size_t>(node.offset_debug())); }

  void ignored(const pugi::xml_node& node, std::string what) {
    file_.findings.push_back({.wrong = TopologyDefect::ignored,
                              .severity = Severity::error,
                              .device = lower_case(node.attribute("busid").value()),
                              .line = line(node),
                              .what = std::move(what)});
  }

  template <class Text>
  void store(const pugi::xml_node&, const pugi::xml_attribute& attribute, Text& into) {
    into = attribute.value();
  }
  void store(const pugi::xml_node& node, const pugi::xml_attribute& attribute, Number& into) {
    const std::string_view text = attribute.value();
    into = std::strtol(attribute.value(), nullptr, 0);
    const bool is_unknown = text.empty() && std::string_view(attribute.name()) == "link_width";  // as NCCL writes it
    if (!is_unknown && !whole_number(text))
      ignored(node, fmt::format("{} '{}' is not a whole number; NCCL takes {}", attribute.name(), text, *into));
  }

  // Stores the attribute when one of these has its name.
  template <class Owner, class... Attributes>
  bool take(const pugi::xml_node& node, const pugi::xml_attribute& attribute, Owner& into,
            const std::tuple<Attributes...>& known) {
    const auto take_one = [&](const auto& one) {
      if (std::string_view(one.name) != attribute.name()) return false;
      store(node, attribute, into.*one.member);
      return true;
    };
    return std::apply([&](const auto&... one) { return (take_one(one) || ...); }, known);
  }

  void unknown(const pugi::xml_node& node, const pugi::xml_attribute& attribute) {
    ignored(node, fmt::format("NCCL knows no attribute '{}' of '{}'", attribute.name(), node.name()));
  }

  template <class Owner, class... Attributes>
  Owner element(const pugi::xml_node& node, const std::tuple<Attributes...>& known) {
    Owner owner;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const bool is_first = node.attribute(attribute.name()) == attribute;  // which NCCL takes of two
      if (is_first && !take(node, attribute, owner, known)) unknown(node, attribute);
    }
    return owner;
  }

  // Calls the reader of each element inside; what has none is reported.
  template <class Choose>
  void inside(const pugi::xml_node& node, Choose choose) {
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element && !choose(std::string_view(child.name()), child))
        ignored(child, fmt::format("NCCL knows no element '{}' in '{}' and skips it with all it contains", child.name(),
                                   node.name()));
  }

  void mention(const std::string& device, const pugi::xml_node& node) { file_.lines[device].push_back(line(node)); }

  void system(const pugi::xml_node& node) {
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "name")
        file_.machine.name = attribute.value();
      else if (name != "version")
        unknown(node, attribute);
    }
    if (std::strtol(node.attribute("version").value(), nullptr, 0) != 1)
      refuse(node, fmt::format("the version is '{}', and NCCL takes 1 alone", node.attribute("version").value()));
    inside(node, [this](std::string_view name, const pugi::xml_node& child) {
      if (name == "cpu") file_.machine.domains.push_back(domain(child));
      return name == "cpu";
    });
  }

  NumaDomain domain(const pugi::xml_node& node) {
    NumaDomain domain;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (std::string_view(attribute.name()) == "affinity")
        affinity(node, attribute.value(), domain);
      else if (!take(node, attribute, domain, nccl_schema::cpu_head) &&
               !take(node, attribute, domain, nccl_schema::cpu_tail))
        unknown(node, attribute);
    }
    if (!domain.number) refuse(node, "a 'cpu' has no numaid");
    mention(name(domain), node);
    inside(node, [&](std::string_view name, const pugi::xml_node& child) {
      if (name == "pci") domain.devices.push_back(device(child, 0));
      if (name == "nic") add_nic(domain.nic, child);
      return name == "pci" || name == "nic";
    });
    return domain;
  }

  void affinity(const pugi::xml_node& node, std::string_view mask, NumaDomain& into) {
    into.cpus = cpus_of_mask(mask);
    if (!into.cpus)
      file_.findings.push_back({.wrong = TopologyDefect::masks,
                                .severity = Severity::error,
                                .device = fmt::format("numa {}", node.attribute("numaid").value()),
                                .line = line(node),
                                .what = fmt::format("affinity '{}' is not a mask such as '00000000,0000ffff'", mask)});
  }

  PciNode device(const pugi::xml_node& node, int depth) {
    if (depth == deepest_element) refuse(node, fmt::format("elements are nested deeper than {}", deepest_element));
    PciNode device;
    for (const pugi::xml_attribute& attribute : node.attributes())
      if (!take(node, attribute, device, nccl_schema::pci) && !take(node, attribute, device.link, nccl_schema::link))
        unknown(node, attribute);
    if (device.address.empty()) refuse(node, "a 'pci' has no busid");
    mention(device.address, node);
    inside(node, [&](std::string_view name, const pugi::xml_node& child) {
      if (name == "pci") device.children.push_back(this->device(child, depth + 1));
      if (name == "gpu") device.gpus.push_back(gpu(child));
      if (name == "nic") add_nic(device.nic, child);
      if (name == "pcilink") device.peers.emplace_back(child.attribute("target").value());
      return name == "pci" || name == "gpu" || name == "nic" || name == "pcilink";
    });
    return device;
  }

  Gpu gpu(const pugi::xml_node& node) {
    auto gpu = element<Gpu>(node, nccl_schema::gpu);
    inside(node, [&](std::string_view name, const pugi::xml_node& child) {
      if (name == "nvlink") gpu.nvlinks.push_back(element<NvLink>(child, nccl_schema::nvlink));
      if (name == "c2c") gpu.c2cs.push_back(element<C2c>(child, nccl_schema::c2c));
      return name == "nvlink" || name == "c2c";
    });
    return gpu;
  }

  void add_nic(std::optional<Nic>& into, const pugi::xml_node& node) {
    if (!into) into.emplace();
    inside(node, [&](std::string_view name, const pugi::xml_node& child) {
      if (name == "net") into->nets.push_back(element<Net>(child, nccl_schema::net));
      return name == "net";
    });
  }

  Places places_;
  pugi::xml_document document_;
  TopologyFile file_;
  bool seen_ = false;
};

}  // namespace

int TopologyFile::line(std::string_view device) const {
  const auto at = lines.find(device);
  return at == lines.end() ? 0 : at->second.front();
}

Finding TopologyFile::finding(Severity severity, TopologyDefect wrong, const std::string& device,
                              std::string what) const {
  return {.wrong = wrong,
          .severity = severity,
          .device = lower_case(device),
          .line = line(device),
          .what = std::move(what)};
}

TopologyFile read_topology(std::string_view text) {
  if (text.size() > largest_topology_file) throw Error(too_large);
  return Reader(text).read();
}

std::string topology_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) throw Error(file.string(), "there is no such file");
  if (std::filesystem::file_size(file, error) > largest_topology_file && !error) throw Error(file.string(), too_large);
  try {
    return results::read_text(file);
  } catch (const std::runtime_error& problem) {  // such as of a file that is root's alone
    throw Error(file.string(), problem.what());
  }
}

bool is_graph(std::string_view text) { return Reader(text).is_graph(); }

}  // namespace muster::topology
