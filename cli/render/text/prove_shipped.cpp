// The proofs of all that ships, as text: theorems, and what is missing of others. Each schedule stands by itself, so
// that it can be printed as soon as it is proved.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/wrapped.h"
#include "compiler/ir.h"
#include "dsl/load.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t list_indent = 4;

std::size_t name_width() {
  std::size_t width = 0;
  for (const ShippedFile& shipped : shipped_schedules()) width = std::max(width, shipped.name.size());
  return width;
}

std::string proof_text(AsText form, const driver::ShippedProof& proof) {
  std::string text = fmt::format("{:<{}}  {} {:>7.2f} s\n", proof.name, name_width(),
                                 form.paint(to_string(proof.verdict), 8), proof.seconds);
  const auto line = [&](const std::string& words) {
    text += std::string(list_indent, ' ') + wrapped(words, list_indent) + "\n";
  };
  if (proof.theorem) line(proof.theorem->text);
  for (const std::string& each : proof.open) line(each);
  return text;
}

// "119", or "7 of 119" where the limits were reached before.
std::string number_text(const driver::ProveShippedOutcome& outcome) {
  if (outcome.whole()) return fmt::format("{}", outcome.of);
  return fmt::format("{} of {}", outcome.proofs.size(), outcome.of);
}

std::string values_text(const driver::CheckedSize& size) {
  std::vector<std::string> values;
  for (const auto& [name, value] : size.arguments) values.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(values, " "));
}

std::string checked_size_text(const driver::CheckedSize& size, std::size_t width, Paint paint) {
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

std::string newest(AsText form, const driver::ProveShippedOutcome& so_far) {
  return proof_text(form, so_far.proofs.back());
}

std::string rendered(AsText form, const driver::ProveShippedOutcome& outcome, const Sources&) {
  std::string text;
  for (const driver::ShippedProof& proof : outcome.proofs) text += outcome.told ? "" : proof_text(form, proof);
  return text +
         fmt::format("\nschedules   {}: {} proved, {} refuted, {} unknown\n", number_text(outcome),
                     outcome.with(ProofVerdict::proved), outcome.with(ProofVerdict::refuted),
                     outcome.with(ProofVerdict::unknown)) +
         cut_text(outcome.reason, "all were tried");
}

// Sizes checked one by one, as text, with the reminder that this is no proof.
std::string rendered(AsText form, const driver::SizesOutcome& outcome, const Sources&) {
  std::size_t width = 0;
  for (const driver::CheckedSize& size : outcome.checked) width = std::max(width, values_text(size).size());
  std::string text = fmt::format("schedule    {}\n\n", outcome.schedule->name);
  for (const driver::CheckedSize& size : outcome.checked) text += checked_size_text(size, width, form.paint);
  return text + summary_text(outcome.checked, outcome.verdict, form.paint) +
         cut_text(outcome.reason, "all sizes were checked");
}

}  // namespace quadrille::cli
