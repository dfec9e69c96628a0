// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/run_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "healthcheck/judge/fact.hpp"
#include "healthcheck/judge/peers.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Report;
using results::Status;

bool needs_fault(Status status) { return status != Status::pass && status != Status::skip; }

// A fact that lacks the label is none that the profile was written for.
std::string fault_for(const Expectation& expectation, const results::Labels& labels) {
  if (expectation.fault_label.empty()) return expectation.fault;
  const auto code = labels.find(expectation.fault_label);
  return code == labels.end() ? "measurement_unusable" : code->second;
}

RunVerdict make_verdict(const Report& report, const Fact& fact, const Assessment& assessment,
                        const Expectation& expectation, const Faults& faults) {
  RunVerdict made = make_verdict(report, fact.run, fact.measurement->labels, assessment, expectation, faults);
  made.verdict.value = fact.measurement->value;
  if (expectation.bound.kind == BoundKind::efficiency && fact.measurement->limit)
    made.verdict.source += "; physical limit: " + fact.measurement->limit->source;
  return made;
}

const Quantity* number(const Fact& fact) { return std::get_if<Quantity>(&fact.measurement->value); }

// Facts of first looks by what makes them peers.
using Groups = std::map<results::Labels, std::vector<const Fact*>>;

Groups peer_groups(const Report& report, const std::vector<Fact>& facts) {
  Groups groups;
  for (const Fact& fact : facts) {
    if (report.checks[fact.run].attempt > 1) continue;
    groups[kind_of(fact.labels)].push_back(&fact);
  }
  return groups;
}

// The unit that most of these numbers have.
results::Unit usual_unit(const std::vector<const Fact*>& group) {
  std::map<results::Unit, std::size_t> counts;
  for (const Fact* fact : group) ++counts[number(*fact)->unit];
  return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

// The second look at each of these, in their order; empty when one of them has none.
std::vector<Quantity> seen_again(const Report& report, const std::vector<Fact>& facts,
                                 const std::vector<const Fact*>& group) {
  std::vector<Quantity> values;
  for (const Fact* first : group) {
    const auto second = std::ranges::find_if(facts, [&](const Fact& fact) {
      return report.checks[fact.run].attempt > 1 && fact.labels == first->labels && number(fact) != nullptr &&
             number(fact)->unit == number(*first)->unit;
    });
    if (second == facts.end()) return {};
    values.push_back(*number(*second));
  }
  return values;
}

std::vector<Assessment> compared(const Report& report, const std::vector<Fact>& facts,
                                 const std::vector<const Fact*>& group, const Expectation& expectation) {
  if (expectation.bound.kind == BoundKind::majority) {
    std::vector<results::Value> values;
    for (const Fact* fact : group) values.push_back(fact->measurement->value);
    return assess_majority(values, expectation);
  }
  std::vector<Quantity> values;
  for (const Fact* fact : group) values.push_back(*number(*fact));
  return assess_peers(values, seen_again(report, facts, group), expectation);
}

std::vector<RunVerdict> assess_among_peers(const Report& report, const Expectation& expectation, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  std::vector<Fact> facts;
  for (Fact& fact : facts_for(expectation, report)) {
    if (const auto broken = impossible(*fact.measurement))
      run_verdicts.push_back(make_verdict(report, fact, *broken, expectation, faults));
    else if (expectation.bound.kind == BoundKind::peers && number(fact) == nullptr)
      run_verdicts.push_back(make_verdict(
          report, fact, {Status::unknown, "a text has no median", "measurement_unusable"}, expectation, faults));
    else
      facts.push_back(std::move(fact));
  }
  auto groups = peer_groups(report, facts);
  for (auto& [kind, group] : groups) {
    if (expectation.bound.kind == BoundKind::peers)
      std::erase_if(group, [&, unit = usual_unit(group)](const Fact* fact) {
        if (number(*fact)->unit == unit) return false;
        const auto reason =
            fmt::format("{} is in another unit than its peers, {}", to_text(*number(*fact)), symbol(unit));
        run_verdicts.push_back(
            make_verdict(report, *fact, {Status::unknown, reason, "measurement_unusable"}, expectation, faults));
        return true;
      });
    const auto assessments = compared(report, facts, group, expectation);
    for (std::size_t i = 0; i < group.size(); ++i)
      run_verdicts.push_back(make_verdict(report, *group[i], assessments[i], expectation, faults));
  }
  return run_verdicts;
}

}  // namespace

Status severity_of(const Expectation& expectation, const Fault* fault) {
  if (expectation.severity) return *expectation.severity;
  return fault == nullptr ? Status::fail : fault->severity;
}

RunVerdict make_verdict(const Report& report, std::size_t run, results::Labels labels, const Assessment& assessment,
                        const Faults& faults) {
  RunVerdict made{.run = run, .verdict = {}, .needs_confirmation = assessment.needs_confirmation};
  made.verdict.status = assessment.status;
  made.verdict.metric = report.checks[run].check;
  made.verdict.labels = with_component(std::move(labels), report.checks[run]);
  made.verdict.reason = assessment.reason;
  if (!needs_fault(assessment.status)) return made;
  made.verdict.fault = assessment.fault;
  if (const Fault* fault = faults.find(assessment.fault)) {
    made.verdict.action = fault->action;
    made.verdict.azure_code = fault->azure_code;
    made.verdict.azure_category = fault->azure_category;
  }
  return made;
}

RunVerdict make_verdict(const Report& report, std::size_t run, results::Labels labels, const Assessment& assessment,
                        const Expectation& expectation, const Faults& faults) {
  Assessment own = assessment;
  const auto wanted = fault_for(expectation, labels);
  const bool violated = own.fault != "not_measured";  // what nothing measured fails, however mild its violation were
  const Status worst = severity_of(expectation, faults.find(wanted));
  if (own.status == Status::fail && violated) own.status = worst;
  if (own.fault.empty()) own.fault = wanted;
  RunVerdict made = make_verdict(report, run, std::move(labels), own, faults);
  made.verdict.metric = expectation.metric;
  made.verdict.expected = to_text(expectation, worst);
  made.verdict.source = fmt::format("{} ({})", expectation.source, expectation.date);
  if (needs_fault(own.status) && own.fault == wanted && !expectation.action.empty())
    made.verdict.action = expectation.action;
  return made;
}

std::vector<RunVerdict> assess_facts(const Report& report, const Expectation& expectation, const Faults& faults) {
  if (expectation.bound.kind == BoundKind::peers || expectation.bound.kind == BoundKind::majority)
    return assess_among_peers(report, expectation, faults);
  std::vector<RunVerdict> run_verdicts;
  for (const Fact& fact : facts_for(expectation, report))
    run_verdicts.push_back(make_verdict(report, fact, assess(*fact.measurement, expectation), expectation, faults));
  return run_verdicts;
}

std::vector<RunVerdict> assess_evidence(const Report& report, const Expectation& expectation, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const auto& run = report.checks[i];
    bool found = false;
    for (const auto& delta : run.evidence) {
      if (delta.metric != expectation.metric || !matches(with_component(delta.labels, run), expectation.labels))
        continue;
      found = true;
      const Assessment assessment = assess(delta, expectation);
      if (assessment.status == Status::pass) continue;
      run_verdicts.push_back(make_verdict(report, i, delta.labels, assessment, expectation, faults));
      run_verdicts.back().verdict.value = Quantity{delta.after - delta.before};
    }
    if (!found && !expectation.optional && run.outcome == results::Outcome::finished)
      run_verdicts.push_back(make_verdict(report, i, expectation.labels,
                                          {Status::fail, "this counter was not read", "not_measured"}, expectation,
                                          faults));
  }
  return run_verdicts;
}

}  // namespace muster::healthcheck
