#include "tests/reference/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/table_io.h"
#include "model/terms/fraction.h"
#include "runtime/replay.h"
#include "tests/reference/mutants.h"
#include "tests/reference/reference_check.h"
#include "verifier/check.h"

namespace quadrille::reference {

namespace {

class Differences {
 public:
  template <class A, class B>
  void compare(const char* who, std::string_view what, const A& theirs, const B& ours) {
    if (theirs == ours) return;
    text_ += fmt::format("{}: {} is {}, the reference says {}\n", who, what, shown(theirs), shown(ours));
  }
  std::string take() { return std::move(text_); }

 private:
  template <class T>
  static std::string shown(const T& value) {
    return fmt::format("{}", value);
  }
  static std::string shown(Verdict verdict) { return std::string(to_string(verdict)); }

  std::string text_;
};

std::string load_text(const std::optional<Fraction>& load) { return load ? to_string(*load) : "none"; }

void compare_checker(const SendTable& table, const Findings& reference, Differences& differences) {
  const auto compare = [&](std::string_view what, const auto& theirs, const auto& ours) {
    differences.compare("check", what, theirs, ours);
  };
  SendTable measured = table;
  const auto holds = [](const Measured&) { return std::pair(Verdict::holds, std::string()); };
  measured.claims.push_back({.text = "max_buffer >= 0", .span = {}, .evaluate = holds, .buffers = true});
  const Report report = quadrille::check(measured);
  compare("the verdict", report.verdict, reference.verdict);
  for (std::size_t i = 0; i < properties; ++i) {
    compare(property_names[i], report.properties[i].violations, reference.violations[i]);
  }
  compare("steps", report.steps, reference.steps);
  compare("messages", report.messages, reference.messages);
  compare("rows", report.rows, reference.rows);
  compare("the volume", report.volume.value_or(0), reference.volume.value_or(0));
  compare("the load", load_text(report.load), load_text(reference.load));
  compare("the hops", report.hops.value_or(0), reference.hops.value_or(0));
  // Of messages that are not well formed it is not said who sends and receives what.
  if (reference.violations[well_formed] == 0)
    compare("the largest buffer", report.max_buffer.value_or(reference.max_buffer + 1), reference.max_buffer);
  compare("the largest queue", report.queues.largest, reference.max_queue);
  compare("the largest channel queue", report.queues.largest_at_channel, reference.max_channel_queue);
  compare("queues by level", report.queues.by_level, reference.queue_by_level);
  compare("channel queues by level", report.queues.at_channel_by_level, reference.channel_queue_by_level);
}

// The simulator knows no claims, and faults where the checker counts violations.
Verdict verdict_without_claims(const Findings& reference) {
  for (std::size_t i = 0; i < properties; ++i) {
    if (i != non_redundant && i != agreement && i != claims && reference.violations[i] > 0) return Verdict::violated;
  }
  return Verdict::holds;
}

void compare_simulator(const SendTable& table, const Findings& reference, Differences& differences) {
  const auto compare = [&](std::string_view what, const auto& theirs, const auto& ours) {
    differences.compare("replay", what, theirs, ours);
  };
  const Measurements measured = replay(table);
  compare("the verdict", measured.verdict, verdict_without_claims(reference));
  compare("steps", measured.steps, reference.steps);
  compare("messages", measured.messages, reference.messages);
  compare("rows", measured.rows, reference.rows);
  compare("the volume", measured.volume.value_or(0), reference.volume.value_or(0));
  compare("the load", load_text(measured.load), load_text(reference.load));
  compare("the hops", measured.hops.value_or(0), reference.hops.value_or(0));
  compare("the largest queue", measured.max_queue, reference.max_queue);
  compare("the largest channel queue", measured.max_channel_queue, reference.max_channel_queue);
  compare("queues by level", measured.queue_by_level, reference.queue_by_level);
  compare("channel queues by level", measured.channel_queue_by_level, reference.channel_queue_by_level);
  if (!table.collective.combining()) {
    compare("demands unmet", measured.demanded - measured.delivered, reference.violations[complete]);
  }
}

}  // namespace

std::string disagreement(const SendTable& table) {
  const Findings reference = judge(table);
  Differences differences;
  compare_checker(table, reference, differences);
  compare_simulator(table, reference, differences);
  return differences.take();
}

SendTable smallest_disagreement(const SendTable& table) {
  auto rows = all_rows(table);
  if (disagreement(with_rows(table, rows)).empty()) return table;  // it depends on the order of rows within a step
  for (bool shrinking = true; shrinking;) {
    shrinking = false;
    for (std::size_t i = rows.size(); i-- > 0;) {
      auto fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (disagreement(with_rows(table, fewer)).empty()) continue;
      rows = std::move(fewer);
      shrinking = true;
    }
  }
  return with_rows(table, std::move(rows));
}

std::string as_csv(const SendTable& table) {
  std::string text;
  write_table(table, "csv", [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

std::string explained(const SendTable& table) {
  const SendTable smallest = smallest_disagreement(table);
  return fmt::format("{}\nthe smallest such table (save it in tests/property/saved/):\n{}{}", disagreement(table),
                     as_csv(smallest), disagreement(smallest));
}

}  // namespace quadrille::reference
