// SPDX-License-Identifier: Apache-2.0
#include "results/render/judged.hpp"

#include <algorithm>
#include <set>

namespace muster::results {

Judged::Judged(const CheckRun& run) : run_(run) {
  for (const Verdict& verdict : run.verdicts)
    if (verdict.status != Status::skip) verdicts_[key(verdict.metric, verdict.labels)].push_back(&verdict);
}

const Verdict* Judged::verdict_of(const Measurement& fact) const {
  const auto found = verdicts_.find(key(fact.metric, fact.labels));
  if (found == verdicts_.end()) return nullptr;
  const auto at = std::ranges::find_if(found->second,
                                       [&](const Verdict* each) { return !each->value || *each->value == fact.value; });
  return at == found->second.end() ? nullptr : *at;
}

std::vector<const Verdict*> Judged::about_nothing() const {
  std::set<const Verdict*> told;
  for (const Measurement& fact : run_.measurements) told.insert(verdict_of(fact));
  std::vector<const Verdict*> others;
  for (const Verdict& verdict : run_.verdicts)
    if (verdict.status != Status::skip && !told.contains(&verdict)) others.push_back(&verdict);
  return others;
}

std::string Judged::key(const std::string& metric, const Labels& labels) const {
  std::string key = metric;
  for (const auto& label : labels)
    if (!is_of_run(run_, label)) key.append(1, '\0').append(label.first).append(1, '\0').append(label.second);
  return key;
}

Measurement growth(const Delta& delta) {
  return {.metric = delta.metric, .value = Quantity{delta.after - delta.before}, .labels = delta.labels};
}

}  // namespace muster::results
