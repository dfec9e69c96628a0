// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "topology/cpu/cpu_mask.hpp"
#include "topology/nccl/nccl_schema.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {
namespace {

class Writer {
 public:
  std::string write(const Machine& machine) {
    int cpu_count = 0;
    for (const NumaDomain& domain : machine.domains)
      if (domain.cpus && !domain.cpus->empty()) cpu_count = std::max(cpu_count, domain.cpus->back() + 1);
    open("system");
    text_ += " version=\"1\"";
    add("name", machine.name);
    inside("system", [&] {
      for (const NumaDomain& domain : machine.domains) write(domain, cpu_count);
    });
    return std::move(text_);
  }

 private:
  void open(std::string_view element) {
    text_.append(2 * depth_, ' ');
    text_ += fmt::format("<{}", element);
  }

  void add(const char* name, const std::string& value) {
    const char quote = value.find('"') == std::string::npos ? '"' : '\'';
    if (!value.empty()) text_ += fmt::format(" {}={}{}{}", name, quote, value, quote);
  }
  void add(const char* name, const std::optional<std::string>& value) {
    if (value && value->empty()) text_ += fmt::format(" {}=\"\"", name);
    if (value) add(name, *value);
  }
  void add(const char* name, const Number& value) {
    if (value) text_ += fmt::format(" {}=\"{}\"", name, *value);
  }
  template <class Owner, class... Attributes>
  void add(const Owner& owner, const std::tuple<Attributes...>& known) {
    std::apply([&](const auto&... one) { (add(one.name, owner.*one.member), ...); }, known);
  }

  // Ends the tag that is open and writes what `body` writes inside; an element with nothing inside is closed at once.
  template <class Body>
  void inside(std::string_view element, Body body) {
    const auto end_of_tag = text_.size();
    text_ += ">\n";
    const auto empty = text_.size();
    ++depth_;
    body();
    --depth_;
    if (text_.size() == empty) {
      text_.replace(end_of_tag, std::string::npos, "/>\n");
      return;
    }
    text_.append(2 * depth_, ' ');
    text_ += fmt::format("</{}>\n", element);
  }

  template <class Owner, class... Attributes>
  void leaf(std::string_view name, const Owner& owner, const std::tuple<Attributes...>& known) {
    open(name);
    add(owner, known);
    text_ += "/>\n";
  }

  void write(const NumaDomain& domain, int cpu_count) {
    open("cpu");
    add(domain, nccl_schema::cpu_head);
    if (domain.cpus) add("affinity", cpu_mask(*domain.cpus, cpu_count));
    add(domain, nccl_schema::cpu_tail);
    inside("cpu", [&] {
      for (const PciNode& node : domain.devices) write(node);
      write(domain.nic);
    });
  }

  void write(const PciNode& node) {
    open("pci");
    add(node, nccl_schema::pci);
    add(node.link, nccl_schema::link);
    inside("pci", [&] {
      for (const PciNode& child : node.children) write(child);
      for (const Gpu& gpu : node.gpus) write(gpu);
      write(node.nic);
      for (const std::string& peer : node.peers) {
        open("pcilink");
        add("target", peer);
        text_ += "/>\n";
      }
    });
  }

  void write(const Gpu& gpu) {
    open("gpu");
    add(gpu, nccl_schema::gpu);
    inside("gpu", [&] {
      for (const NvLink& nvlink : gpu.nvlinks) leaf("nvlink", nvlink, nccl_schema::nvlink);
      for (const C2c& c2c : gpu.c2cs) leaf("c2c", c2c, nccl_schema::c2c);
    });
  }

  void write(const std::optional<Nic>& nic) {
    if (!nic) return;
    open("nic");
    inside("nic", [&] {
      for (const Net& net : nic->nets) leaf("net", net, nccl_schema::net);
    });
  }

  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_nccl_xml(const Machine& machine) { return Writer().write(machine); }

}  // namespace muster::topology
