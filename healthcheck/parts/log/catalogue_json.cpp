// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/parts/log/catalogue.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

std::vector<std::string> texts(const Field& row, const char* name) {
  std::vector<std::string> all;
  if (const auto list = row.find(name))
    for (const Field& text : list->items()) all.push_back(filled_text(text));
  return all;
}

bool flag(const Field& row, const char* name) {
  const auto found = row.find(name);
  return found && found->flag();
}

KernelFault read_row(const Field& field, const std::string& prefix) {
  field.object({"pattern", "meaning", "fault", "burst", "by_application", "points_to_device", "unknown",
                "harmless_at_start", "flaps_from", "consequence_of", "of_any_component", "where_these_differ", "ends",
                "ends_by_itself"});
  const auto pattern = filled_text(field.at("pattern"));
  KernelFault row{.pattern = prefix.empty() ? pattern : prefix + "(?:" + pattern + ")",
                  .meaning = filled_text(field.at("meaning")),
                  .fault = {}};
  if (const auto fault = field.find("fault")) row.fault = filled_text(*fault);
  if (const auto burst = field.find("burst")) row.burst_seconds = static_cast<double>(burst->whole_number(1, 86400));
  if (const auto flaps = field.find("flaps_from")) row.flaps_from = flaps->whole_number(2, 100);
  row.is_unknown = flag(field, "unknown");
  row.can_point_to_device = flag(field, "points_to_device");
  row.is_by_application = flag(field, "by_application");
  row.is_harmless_at_start = flag(field, "harmless_at_start");
  row.consequence_of = texts(field, "consequence_of");
  row.is_of_any_component = flag(field, "of_any_component");
  row.where_differ = texts(field, "where_these_differ");
  row.ends = texts(field, "ends");
  if (flag(field, "ends_by_itself")) row.end = KernelFault::End::by_itself;
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
