// Writes a proof for the second reader. The schedule is lowered as for a proof, and written as its core form. Then
// follow applications of rules, one after another, with the parts that must be guessed. Nothing is proved here.
//
//   (property contention_free
//     (apart m1 m1))
//
// Cost: that of lowering; quadratic in the number of statements that send.
#include "verifier/write_proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/ir.h"
#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/solver/decide.h"
#include "verifier/prover/unfold/unfold.h"
#include "verifier/prover/written/proof_instances.h"

namespace quadrille {
namespace prover {
namespace {

constexpr int largest_written = 9;       // processors of a size beside the proof
constexpr std::size_t most_written = 4;  // such sizes

class ProofWriter {
 public:
  ProofWriter(const ir::Schedule& schedule, const Arguments& arguments, Watch& watch)
      : schedule_(schedule), arguments_(with_patterns(schedule, arguments)), watch_(watch) {}

  WrittenProof written() {
    refuse_early();
    // Statements that never happen are lowered, too, which does no harm.
    Unfolder unfolder(
        algebra_, schedule_, arguments_, [](const auto&, Formula) { return true; }, watch_);
    unfolder.run();
    Problem& problem = unfolder.problem();
    algebra_.compare_by_bounds(false);
    refuse(problem);
    put_absolute_starts(problem);
    find_apexes(algebra_, problem);
    for (const ir::Invariant& each : schedule_.invariants)
      invariants_.push_back(spoken(algebra_, problem, unfolder.expressions(), each));
    refuse_passing(problem);
    by_relation_ = needs_relation(problem);
    const std::vector<MessageFamilies> messages = messages_of(problem);
    const std::vector<ClaimFormula> claims = read_claims(unfolder.expressions());
    for (const Atom parameter : open_parameters(problem)) text_.name(parameter);
    WrittenProof result;
    core_ = core_form(text_, algebra_, problem, unfolder.expressions(), messages, invariants_, claims);
    for (std::size_t i = 0; i < unwritten_; ++i) core_ += "(unjudged \"another claim\")\n";
    result.core = core_;
    text_.guess();
    const Instances with{text_, algebra_, problem, messages, watch_};
    result.proof = "(quadrille_proof 1)\n" + tables(problem, result) + properties(with, claims);
    result.open = open_;
    return result;
  }

 private:
  // A pattern that is not given is the one that the schedule names: the core form says which.
  static Arguments with_patterns(const ir::Schedule& schedule, Arguments arguments) {
    for (const ir::Parameter& each : schedule.parameters) {
      if (each.pattern && !each.idle && each.default_word) arguments.emplace(each.name, *each.default_word);
    }
    return arguments;
  }

  // Refuses what is known to have no rules, before anything is computed.
  void refuse_early() const {
    for (const ir::Parameter& parameter : schedule_.parameters) {
      const auto given = arguments_.find(parameter.name);
      const bool is_word = given != arguments_.end() && (given->second == "constant" || given->second == "exponential");
      if (parameter.pattern && !parameter.idle && !is_word)
        throw Unsupported{"capacities in a list, of which no rule of proof speaks yet", parameter.span};
    }
  }

  void refuse(const Problem& problem) {
    const Span fabric = schedule_.fabric.span;
    if (problem.machine.half_duplex && (problem.machine.rounds || !problem.machine.single_port))
      throw Unsupported{"half duplex without single ports, or in rounds, of which no rule of proof speaks yet", fabric};
    for (const Family& family : problem.families) {
      if (family.held) throw Unsupported{"'carrying held', of which no rule of proof speaks yet", family.span};
      if (family.multicast && !problem.machine.rounds)
        throw Unsupported{"sends to several, of which no rule of proof speaks yet", family.span};
    }
  }

  void refuse_passing(const Problem& problem) const {
    if (problem.sizes != algebra_.truth(true))
      throw Unsupported{"parameters' values with a condition, of which no rule of proof speaks yet",
                        schedule_.fabric.span};
  }

  // All families have the schedule's own clock: what is in a sequence starts in a step that has a formula.
  void put_absolute_starts(Problem& problem) {
    std::vector<Obligation> unused;  // the tables are compared with what this comes to
    const std::vector<Number> starts = absolute_starts({algebra_, problem, watch_, unused});
    for (std::size_t i = 0; i < starts.size(); ++i) {
      problem.families[i].start = starts[i];
      problem.families[i].clock = &problem.clocks.front();
    }
  }

  // Where all is sent by those who begin with it, unconditionally, deliveries are counted.
  bool needs_relation(const Problem& problem) const {
    const auto plain = [&](const Family& family) {
      return family.origin == family.source && family.given == algebra_.truth(true) &&
             family.chunks_given == algebra_.truth(true) && family.destinations_given == algebra_.truth(true);
    };
    return problem.collective.reduction || !invariants_.empty() || !std::ranges::all_of(problem.families, plain);
  }

  // By the one invariant that there is, in rounds, as long as the relation does not do.
  bool by_induction(const Problem& problem) const {
    return !problem.collective.reduction && invariants_.size() == 1 && problem.machine.rounds &&
           invariants_[0].digits.size() == 1 && std::ranges::none_of(invariants_[0].statements, &Spoken::by_step);
  }

  std::vector<ClaimFormula> read_claims(Expressions& expressions) {
    const auto measure = [&](const char* name) {
      const Atom variable = algebra_.variable(name, Number(0), std::nullopt);
      text_.rename(variable, fmt::format("measure.{}", name));
      return variable;
    };
    measures_ = {measure("steps"), measure("messages"), measure("max_queue"), measure("volume"), measure("hops")};
    expressions.set_measures({Number(measures_.steps), Number(measures_.messages), Number(measures_.max_queue),
                              Number(measures_.volume), Number(measures_.hops)});
    std::vector<ClaimFormula> all;
    for (const ir::Claim& claim : schedule_.claims) {
      if (claim.optimal) continue;  // no rule of proof speaks of other schedules
      try {
        all.push_back(read_claim(expressions, claim));
      } catch (const Unsupported&) {
        ++unwritten_;
        open_.push_back(claim.text);
      }
    }
    return all;
  }

  ClaimFormula read_claim(Expressions& expressions, const ir::Claim& claim) {
    const ExpressionContext outermost = expressions.outermost(claim.frame);
    const Formula when = claim.when ? expressions.truth(*claim.when, outermost) : algebra_.truth(true);
    return {&claim, when, expressions.truth(claim.claim, expressions.inside(outermost, {}, when))};
  }

  // --- sizes --------------------------------------------------------------------------------------------------------

  // The smallest sizes, those of different numbers of processors first.
  std::vector<Assignment> small_sizes(const Problem& problem) const {
    std::vector<Assignment> first, others;
    std::vector<Integer> seen;
    for (const Assignment& size : prover::small_sizes(problem, algebra_.truth(true))) {
      const Integer n = evaluate(problem.processors, size);
      if (n > largest_written) continue;
      const bool known = std::ranges::find(seen, n) != seen.end();
      (known ? others : first).push_back(size);
      seen.push_back(n);
    }
    // Sizes that differ in something else only follow from the last one on: it is the farthest from the first.
    if (first.size() >= most_written) first.resize(most_written - (others.empty() ? 0 : 1));
    while (first.size() < most_written && !others.empty()) {
      first.push_back(others.back());
      others.pop_back();
    }
    return first;
  }

  std::string tables(const Problem& problem, WrittenProof& result) {
    std::string lines;
    for (const Assignment& size : small_sizes(problem)) {
      WrittenProof::Size it{fmt::format("size-{}.csv", result.sizes.size() + 1), arguments_};
      std::string values;
      for (const ProblemParameter& parameter : problem.parameters) {
        if (!parameter.variable) continue;
        it.arguments[parameter.name] = evaluate(parameter.value, size).str();
        values += fmt::format(" ({} {})", text_.name(*parameter.variable), size.at(*parameter.variable).str());
      }
      lines += fmt::format("(table \"{}\"{})\n", it.file, values);
      result.sizes.push_back(std::move(it));
    }
    if (lines.empty()) throw Unsupported{"a schedule without sizes of up to nine processors", schedule_.fabric.span};
    return lines;
  }

  // --- applications -------------------------------------------------------------------------------------------------

  static std::string property(const char* name, const std::vector<std::string>& applications) {
    return fmt::format("(property {}\n  {})\n", name, fmt::join(applications, "\n  "));
  }

  static std::vector<std::string> each_message(const Instances& with, const char* rule) {
    std::vector<std::string> all;
    for (const MessageFamilies& each : with.messages) all.push_back(fmt::format("({} {})", rule, each.name));
    return all;
  }

  static std::vector<std::string> each_pair(const Instances& with, const char* rule, const char* how = "") {
    std::vector<std::string> all;
    for (std::size_t f = 0; f < with.messages.size(); ++f) {
      for (std::size_t g = f; g < with.messages.size(); ++g)
        all.push_back(fmt::format("({} {} {}{})", rule, with.messages[f].name, with.messages[g].name, how));
    }
    return all;
  }

  // One for each condition that the core form has: those that are written alike are one.
  std::vector<std::string> formed(const Instances& with, const std::string& core) const {
    std::vector<std::string> all = {"(formed parameters)"};
    std::size_t number = 0;
    for (std::size_t at = core.find("\n(condition "); at != std::string::npos; at = core.find("\n(condition ", at + 1))
      all.push_back(fmt::format("(formed condition {})", ++number));
    for (const std::string& each : each_message(with, "formed message")) all.push_back(each);
    for (std::size_t i = 1; i <= invariants_.size(); ++i) all.push_back(fmt::format("(formed invariant {})", i));
    return all;
  }

  // The applications that show what is held, for each property.
  struct HoldingRules {
    std::vector<std::string> causal, complete;
  };

  HoldingRules held(const Instances& with) const {
    if (!by_relation_) {
      std::vector<std::string> complete = each_message(with, "wanted");
      append(complete, each_pair(with, "once"));
      complete.push_back(counted(with));
      return {each_message(with, "own"), complete};
    }
    if (by_induction(with.problem)) {
      HoldingRules result{{}, {by_invariant_instance(with, invariants_[0])}};
      for (const MessageFamilies& each : with.messages)
        result.causal.push_back(passed_on_instance(with, invariants_[0], each));
      return result;
    }
    const RelationInstances relation = relation_instances(with);
    HoldingRules result{{relation.arrivals}, {relation.comes}};
    if (!with.problem.collective.reduction) {
      append(result.causal, each_message(with, "has"));
      if (!invariants_.empty()) append(result.complete, each_message(with, "lands"));
      result.complete.emplace_back("(arrived)");
      return result;
    }
    append(result.causal, each_message(with, "own"));
    append(result.complete, each_message(with, "lands"));
    const Operation operation = with.problem.collective.operation;
    if (operation != Operation::idempotent) {
      append(result.complete, each_message(with, "joins"));
      append(result.complete, each_pair(with, "at_once", with.problem.machine.single_port ? " (never)" : ""));
    }
    if (operation == Operation::ordered) append(result.complete, each_message(with, "no_gap"));
    result.complete.emplace_back("(ends)");
    return result;
  }

  static void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  std::string said(const Instances& with) const {
    std::vector<std::string> all;
    if (by_relation_ && by_induction(with.problem)) {
      all = kept_instances(with, invariants_[0]);
      all.insert(all.begin(), "(begins 1)");
      return property("invariants", all);
    }
    for (std::size_t i = 0; i < invariants_.size(); ++i) {
      for (std::size_t s = 0; s < invariants_[i].statements.size(); ++s)
        all.push_back(fmt::format("(said {} {})", i + 1, s + 1));
    }
    return all.empty() ? "" : property("invariants", all);
  }

  static std::string counted(const Instances& with) {
    std::string text = "(counted";
    for (const MessageFamilies& message : with.messages) {
      text += fmt::format("\n    (message {}", message.name);
      for (const Family* chunks : message.chunks) {
        text += fmt::format(" (chunks{})", sums(with, message.variables_with(*chunks), chunks->span).text);
      }
      text += ")";
    }
    return text + ")";
  }

  // On a tree, the levels at which packets turn.
  std::vector<std::string> turns(const Instances& with) {
    std::vector<std::string> all;
    if (!with.problem.machine.levels) return all;
    for (const MessageFamilies& each : with.messages) {
      const Number way = duration(algebra_, with.problem.machine, each.first());
      all.push_back(fmt::format("(turns {} {})", each.name, text_.number(way * Number(Rational(1, 2)))));
    }
    return all;
  }

  // A claim for which nothing is found is left open.
  std::string claimed(const Instances& with, const ClaimFormula& claim, std::size_t number) {
    try {
      return claim_instance(with, claim, measures_, number);
    } catch (const Unsupported&) {
      open_.push_back(claim.claim->text);
      return fmt::format("(claimed {} (open))", number);
    }
  }

  std::string properties(const Instances& with, const std::vector<ClaimFormula>& claims) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < claims.size(); ++i) shown.push_back(claimed(with, claims[i], i + 1));
    const bool single = with.problem.machine.single_port;
    const HoldingRules holding = held(with);
    std::vector<std::string> apart = turns(with);
    append(apart, each_pair(with, "apart"));
    return property("well_formed", formed(with, core_)) + property("contention_free", apart) +
           property("capacity", single ? each_pair(with, "ports") : std::vector<std::string>{"(own_lanes)"}) +
           property("causal", holding.causal) + property("queue", {"(no_waiting)"}) +
           property("complete", holding.complete) + (shown.empty() ? "" : property("claims", shown)) + said(with);
  }

  const ir::Schedule& schedule_;
  const Arguments arguments_;  // with those of patterns
  Watch& watch_;
  Algebra algebra_;
  CoreText text_;
  MeasureVariables measures_;
  std::vector<SpokenInvariant> invariants_;
  bool by_relation_ = false;
  std::vector<std::string> open_;  // claims of which the proof shows nothing
  std::size_t unwritten_ = 0;      // claims of what core forms have no measure for
  std::string core_;
};

}  // namespace
}  // namespace prover

Result<WrittenProof> write_proof(const ir::Schedule& schedule, const Arguments& arguments, const Limits& limits) {
  using namespace prover;
  Watch watch(limits, Watch::AfterTooMuch::stays_over);
  try {
    return ProofWriter(schedule, arguments, watch).written();
  } catch (const Unsupported& unsupported) {
    const Span span = unsupported.span.known() ? unsupported.span : schedule.fabric.span;
    return error_at(span, "no proof can be written: " + unsupported.reason, Code::unsupported);
  } catch (const Ended& end) {
    return error_at(schedule.fabric.span, "no proof was written: " + why_of(end.reason), code_of(end.reason));
  } catch (const std::exception& fault) {
    const Failure failure = failure_of(fault);
    return error_at(schedule.fabric.span, failure.why, code_of(failure.reason));
  }
}

}  // namespace quadrille
