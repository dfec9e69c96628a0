// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/document_json.hpp"
#include "healthcheck/log/catalogue.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

KernelFault read_row(const Field& field, const std::string& prefix) {
  field.object({"pattern", "meaning", "fault", "common"});
  KernelFault row{
      .pattern = prefix + filled_text(field.at("pattern")), .meaning = filled_text(field.at("meaning")), .fault = {}};
  if (const auto fault = field.find("fault")) row.fault = filled_text(*fault);
  if (const auto common = field.find("common")) row.is_common = common->flag();
  return row;
}

}  // namespace

std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& file) {
  return Document(file).read([](const Field& root) {
    std::vector<KernelFault> rows;
    for (const Field& group : root.items()) {
      group.object({"prefix", "messages"});
      const std::string prefix = group.at("prefix").text();
      for (const Field& row : group.at("messages").items()) rows.push_back(read_row(row, prefix));
    }
    return rows;
  });
}

}  // namespace muster::healthcheck
