// The judge: every leaf of every application that the core form needs is put to a solver. A leaf that is written `true`
// is not: what must hold is nothing.
//
// Cost: one question a leaf.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "verifier/proof_reader/parts.h"

namespace quadrille {
namespace proof_reader {
namespace {

constexpr std::size_t most_leaves = 100'000;

class Judge {
 public:
  Judge(const ReadProof::Parts& parts, const AskSolver& ask, const Limits& limits)
      : parts_(parts), ask_(ask), limits_(limits) {
    for (std::size_t i = 0; i < properties; ++i)
      report_.properties.push_back(
          {std::string(to_string(static_cast<ProofProperty>(i))), ReaderVerdict::accepted, 0, 0, {}});
  }

  ProofReport judged() {
    for (const Application& application : parts_.applications) judge_application(application);
    report_.verdict = ReaderVerdict::accepted;
    for (const ReadProperty& each : report_.properties) {
      if (each.verdict == ReaderVerdict::rejected && report_.verdict != ReaderVerdict::rejected) report_.why = each.why;
      if (each.verdict == ReaderVerdict::unknown && report_.verdict == ReaderVerdict::accepted) report_.why = each.why;
      report_.verdict = worse(report_.verdict, each.verdict);
    }
    return std::move(report_);
  }

 private:
  // One that is not shown makes it rejected, whatever else is not known.
  static ReaderVerdict worse(ReaderVerdict a, ReaderVerdict b) {
    for (const ReaderVerdict each : {ReaderVerdict::rejected, ReaderVerdict::unknown}) {
      if (a == each || b == each) return each;
    }
    return ReaderVerdict::accepted;
  }

  void judge_application(const Application& application) {
    ReadProperty& property = report_.properties[static_cast<std::size_t>(application.property)];
    try {
      for (const Leaf& leaf : leaves_of(parts_.subject(), application)) judge_leaf(leaf, property);
    } catch (const Refused& refused) {
      note(property, ReaderVerdict::rejected, refused.message);
    }
  }

  void judge_leaf(const Leaf& leaf, ReadProperty& property) {
    ++property.leaves;
    if (++leaves_ > most_leaves) throw Refused{{}, "the proof has more than 100000 leaves"};
    if (is_plain(leaf)) return;
    if (const Reason reason = limits_.reached(); reason != Reason::none)
      return note(property, ReaderVerdict::unknown,
                  fmt::format("{} was not asked: {}", leaf.name,
                              reason == Reason::limit ? "there is no memory left" : "the time is up"));
    ++property.asked;
    SolverAnswer answer;
    bool wrong = false;
    for (std::size_t i = 0; const auto asked = question(leaf, i); ++i) {
      answer = ask_(asked->text);
      if (answer.word == SolverAnswer::Word::unsat) return;
      wrong = answer.word == SolverAnswer::Word::sat && asked->exact;
      if (answer.word == SolverAnswer::Word::none && limits_.reached() != Reason::none) break;
    }
    const bool found = answer.word == SolverAnswer::Word::sat;
    note(property, wrong ? ReaderVerdict::rejected : ReaderVerdict::unknown,
         fmt::format("{}: {}", leaf.name,
                     wrong   ? "it is not so for all values"
                     : found ? "it does not follow from the axioms of powers of two"
                             : answer.why));
  }

  // The first that is rejected is told, or else the first that is unknown.
  static void note(ReadProperty& property, ReaderVerdict verdict, const std::string& why) {
    const ReaderVerdict before = property.verdict;
    property.verdict = worse(before, verdict);
    if (property.verdict != before) property.why = why;
  }

  const ReadProof::Parts& parts_;
  const AskSolver& ask_;
  const Limits& limits_;
  ProofReport report_;
  std::size_t leaves_ = 0;
};

}  // namespace
}  // namespace proof_reader

std::string_view to_string(ReaderVerdict verdict) {
  static constexpr std::array<std::string_view, 3> names = {"accepted", "rejected", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

SolverAnswer::Word word_of_answer(std::string_view question, std::string_view printed) {
  constexpr std::string_view check = "(check-sat)";
  std::size_t asked = 0;
  for (std::size_t at = question.find(check); at != std::string_view::npos; at = question.find(check, at + 1)) ++asked;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = printed.substr(0, end);
    if (line == "sat") return SolverAnswer::Word::sat;
    if (line != "unsat" || asked-- == 0) return SolverAnswer::Word::none;
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  return asked == 0 ? SolverAnswer::Word::unsat : SolverAnswer::Word::none;
}

ProofReport judge(const ReadProof& proof, const AskSolver& ask, const Limits& limits) {
  return proof_reader::Judge(proof.parts(), ask, limits).judged();
}

}  // namespace quadrille
