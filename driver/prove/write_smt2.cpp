// Writes obligations as SMT-LIB 2, a file each, for other solvers: 003-contention_free-up.smt2 is the third. Comments
// at its head tell what is proved, for which values, and Z3's answer. Then follow the logic and the solver's own
// text, with h' written h_2, as names there have no primes.
#include "driver/prove/write_smt2.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <vector>

#include "compiler/ir.h"
#include "driver/files/write_file.h"
#include "model/text/broken_lines.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t longest_name = 60;

// "003-contention_free-up.smt2"
std::string file_name(std::size_t number, const ProvedObligation& obligation) {
  std::string words;
  for (const char c : fmt::format("{}-{}", to_string(obligation.property), obligation.name)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (plain) {
      words += c;
    } else if (!words.ends_with('-')) {
      words += '-';
    }
    if (words.size() == longest_name) break;
  }
  while (words.ends_with('-')) words.pop_back();
  return fmt::format("{:03}-{}.smt2", number, words);
}

// The text as comment lines, broken between words.
std::string comment(std::string_view text) {
  const auto bytes = [](std::string_view word) { return word.size(); };
  return (text.empty() ? ";" : "; " + broken_between_words(text, "; ", columns, bytes)) + "\n";
}

std::string ranges_text(const ProvedObligation& obligation, const Proof& proof) {
  std::vector<std::string> ranges;
  for (const ProvedParameter& parameter : proof.parameters) {
    ranges.push_back(fmt::format("{}: {}", parameter.name, parameter.values));
  }
  std::string text = fmt::format("{}", fmt::join(ranges, ", "));
  if (!obligation.where.empty()) text += fmt::format("; this obligation: {}", obligation.where);
  return text;
}

std::string answer_text(ProofVerdict verdict) {
  if (verdict == ProofVerdict::proved) return "Z3 answered unsat.";
  if (verdict == ProofVerdict::refuted) return "Z3 answered sat: it is refuted.";
  return "It is unknown: Z3 did not answer in time, or not so that it decides about the schedule.";
}

// The solver's own text without its comments, and without the status, which it does not know. Names in SMT-LIB cannot
// have primes.
std::string questions(std::string_view smt2) {
  for (const std::string_view head : {";", "(set-info"}) {
    while (smt2.starts_with(head)) smt2.remove_prefix(std::min(smt2.size(), smt2.find('\n') + 1));
  }
  std::string text;
  for (const char c : smt2) {
    if (c == '\'') {
      text += "_2";
    } else {
      text += c;
    }
  }
  return text;
}

std::string file_text(const ProvedObligation& obligation, const ProveOutcome& report) {
  const bool bits = obligation.theory.theory == Theory::bit_vectors;
  return comment(fmt::format("{}, {}", report.schedule->name, report.proof.machine)) +
         comment(ranges_text(obligation, report.proof)) +
         comment(fmt::format("{} ({}): {}", to_string(obligation.property), obligation.name, obligation.meaning)) +
         comment("`unsat` means that this is proved: there are no values with which it fails.") +
         comment(answer_text(obligation.verdict)) + fmt::format("(set-logic {})\n", bits ? "QF_BV" : "QF_NIA") +
         questions(obligation.smt2);
}

}  // namespace

std::optional<std::string> write_smt2(const ProveOutcome& outcome, const std::string& folder,
                                      Environment& environment) {
  std::size_t number = 0;
  for (const ProvedObligation& obligation : outcome.proof.obligations) {
    ++number;
    if (obligation.smt2.empty()) continue;
    const std::string path = fmt::format("{}/{}", folder, file_name(number, obligation));
    if (auto failure = write_file(path, file_text(obligation, outcome), environment)) return failure;
  }
  return std::nullopt;
}

}  // namespace quadrille::driver
