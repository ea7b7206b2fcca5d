// What two sides send, compared, as text.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/render/render.h"
#include "cli/render/wrapped.h"
#include "model/text/counted.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

using driver::DiffOutcome;
using driver::MissingSend;

constexpr std::size_t indent = 12;

std::string missing_text(const std::string& side, const std::vector<MissingSend>& missing, std::uint64_t all) {
  std::string text;
  for (const MissingSend& it : missing) {
    const std::string step = it.step ? fmt::format(", {} {}", it.in_rounds ? "round" : "step", *it.step) : "";
    text +=
        std::string(indent, ' ') +
        wrapped(fmt::format("only in {}: {} -> {}, {}{}\n", printable(side), it.from, it.to, it.content, step), indent);
  }
  if (all > missing.size()) text += fmt::format("{:{}}and {} more\n", "", indent, all - missing.size());
  return text;
}

std::string sends_text(const DiffOutcome& outcome) {
  if (outcome.same_sends()) return fmt::format("sends       the same, {}\n", outcome.common);
  return fmt::format("sends       {} and {}, {} in common\n", outcome.left_sends, outcome.right_sends, outcome.common) +
         missing_text(outcome.left, outcome.left_only, outcome.left_sends - outcome.common) +
         missing_text(outcome.right, outcome.right_only, outcome.right_sends - outcome.common);
}

std::string_view word(const std::optional<bool>& same) {
  return !same ? "not compared" : *same ? "the same" : "different";
}

std::string sums_text(const DiffOutcome& outcome) {
  if (outcome.sums) return "results     the same, sums in the same order\n";
  const MissingSend& first = *outcome.first_other_sum;
  return wrapped(fmt::format("results     {} added up otherwise, or of something else; the first: {} of processor {}\n",
                             counted(outcome.other_sums, "result"), first.content, first.to),
                 12);
}

}  // namespace

std::string rendered(AsText, const DiffOutcome& outcome, const Sources&) {
  std::string text = sends_text(outcome) + fmt::format("order       {}\n", word(outcome.order));
  if (outcome.steps) text += fmt::format("steps       {}\n", word(outcome.steps));
  return text + sums_text(outcome);
}

}  // namespace quadrille::cli
