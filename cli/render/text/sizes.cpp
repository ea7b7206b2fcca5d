// Sizes checked one by one, as text, with the reminder that this is no proof.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "compiler/ir.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

std::string values_text(const driver::CheckedSize& size) {
  std::vector<std::string> values;
  for (const auto& [name, value] : size.arguments) values.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(values, " "));
}

std::string size_text(const driver::CheckedSize& size, std::size_t width, Paint paint) {
  const bool holds = size.result.verdict == Verdict::holds;
  const std::string more =
      holds ? fmt::format("{}, {}", counted(size.result.steps, "step"), counted(size.result.rows, "row"))
            : why_text(size.result);
  return fmt::format("  {:<{}}  {} {}\n", values_text(size), width, paint(to_string(size.result.verdict), 9), more);
}

std::string summary_text(const std::vector<driver::CheckedSize>& checked, Verdict verdict, Paint paint) {
  const auto number = [&](Verdict which) {
    return std::count_if(checked.begin(), checked.end(),
                         [&](const driver::CheckedSize& size) { return size.result.verdict == which; });
  };
  return fmt::format(
      "\nchecked     {}, one by one: {} hold, {} violated, {} unknown; this is no proof for others\n"
      "verdict     {}\n",
      counted(checked.size(), "size"), number(Verdict::holds), number(Verdict::violated), number(Verdict::unknown),
      paint(to_string(verdict)));
}

}  // namespace

std::string rendered(AsText form, const driver::SizesOutcome& outcome, const Sources&) {
  std::size_t width = 0;
  for (const driver::CheckedSize& size : outcome.checked) width = std::max(width, values_text(size).size());
  std::string text = fmt::format("schedule    {}\n\n", outcome.schedule->name);
  for (const driver::CheckedSize& size : outcome.checked) text += size_text(size, width, form.paint);
  return text + summary_text(outcome.checked, outcome.verdict, form.paint) +
         cut_text(outcome.reason, "all sizes were checked");
}

}  // namespace quadrille::cli
