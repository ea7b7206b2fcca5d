#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/report_text.h"
#include "verifier/check.h"
#include "verifier/prove.h"

namespace quadrille::cli {
namespace {

std::string obligation_text(const ProvedObligation& o) {
  return fmt::format("    {:<8} {:<16} {} [{}] {:.2f} s {} {}\n", to_string(o.verdict), o.property, o.meaning, o.theory,
                     o.seconds, o.where, o.reason);
}

}  // namespace

int prove_command(const ProveArguments& arguments, Outside& outside) {
  Sources sources;
  const auto defines = parse_defines(arguments.defines);
  if (!defines) return refuse(defines.diagnostics(), sources, outside);
  const auto schedule = open_schedule(arguments.file, outside, sources);
  if (!schedule) return refuse(schedule.diagnostics(), sources, outside);
  ProveOptions options;
  options.arguments = *defines;
  options.milliseconds = static_cast<unsigned>(arguments.timeout * 1000);
  options.holds_at = [&](const Arguments& at) -> std::optional<bool> {
    const auto table = elaborate(*schedule, at);
    if (!table) return false;
    return check(*table).verdict == Verdict::holds;
  };
  const Proof proof = prove(**schedule, options);
  std::string text;
  for (const auto& p : proof.parameters) text += fmt::format("{} in {}\n", p.name, p.values);
  text += proof.machine + "\n";
  for (const auto& o : proof.obligations) {
    text += obligation_text(o);
    if (o.counterexample) {
      for (const auto& [k, v] : o.counterexample->arguments) text += fmt::format("      {}={}", k, v);
      for (const auto& [k, v] : o.counterexample->values) text += fmt::format("      {}={}", k, v);
      text += "\n";
    }
  }
  if (!proof.beyond.empty()) text += "beyond: " + proof.beyond + "\n";
  outside.print(text + fmt::format("verdict {}\n", to_string(proof.verdict)));
  return 0;
}

}  // namespace quadrille::cli
