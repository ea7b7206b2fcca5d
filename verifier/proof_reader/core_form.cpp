// Reading a core form: one list after another, each with its fields. No variable has the name of one that is in sight,
// so that a name means one thing wherever it stands.
#include "verifier/proof_reader/core_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace quadrille::proof_reader {
namespace {

constexpr std::array<std::string_view, 6> measures = {"measure.steps",  "measure.rounds", "measure.messages",
                                                      "measure.volume", "measure.hops",   "measure.max_queue"};

// What may be said to be unjudged.
constexpr std::array<std::string_view, 4> unshown = {"optimal steps", "optimal rounds", "optimal volume",
                                                     "another claim"};

class CoreReader {
 public:
  explicit CoreReader(const std::vector<ProofItem>& items) : items_(items) {}

  CoreForm read() {
    if (items_.empty() || !items_[0].list || items_[0].size() != 2 || head(items_[0]) != "quadrille_core")
      throw Refused{{}, "this is no core form: it does not begin with (quadrille_core 1)"};
    if (whole_number(items_[0].items[1]) != 1)
      throw Refused{items_[0].span, "a core form of a version that is not known: 1 is expected"};
    for (std::size_t i = 1; i < items_.size(); ++i) read_one(items_[i]);
    if (!fabric_ || !collective_) throw Refused{{}, "the core form names no fabric, or no collective"};
    return std::move(core_);
  }

 private:
  void read_one(const ProofItem& it) {
    const std::string& kind = head(it);
    if (kind == "schedule") {
      expect_size(it, 2, 2);
      core_.schedule = text(it.items[1]);
    } else if (kind == "parameter") {
      if (fabric_) throw Refused{it.span, "parameters stand before the fabric"};
      core_.parameters.push_back(range(it, 1, parameters_, true));
      check_count(it, core_.parameters.size(), most_variables);
    } else if (kind == "argument") {
      expect_size(it, 3, 3);
      if (it.items[2].text) {
        core_.words.emplace_back(word(it.items[1]), it.items[2].word);
      } else {
        core_.arguments.emplace_back(word(it.items[1]), read_number(it.items[2], parameters_));
      }
      check_count(it, core_.arguments.size() + core_.words.size(), most_variables);
    } else if (kind == "fabric") {
      read_fabric(it);
    } else if (kind == "collective") {
      read_collective(it);
    } else if (kind == "condition") {
      read_condition(it);
    } else if (kind == "message") {
      read_message(it);
    } else if (kind == "invariant") {
      read_invariant(it);
    } else if (kind == "claim") {
      read_claim(it);
    } else if (kind == "unjudged") {
      read_unjudged(it);
    } else {
      throw Refused{it.span, fmt::format("`{}` is nothing that core forms have", kind)};
    }
  }

  static void check_count(const ProofItem& it, std::size_t count, std::size_t most) {
    if (count > most) throw Refused{it.span, fmt::format("more than {} of `{}`", most, head(it))};
  }

  // The name, first and last value that stand from `at` on.
  static CoreRange range(const ProofItem& it, std::size_t at, Names& known, bool may_be_open) {
    expect_size(it, at + 3, at + 3);
    CoreRange result{word(it.items[at]), read_number(it.items[at + 1], known), std::nullopt};
    if (!is_name(result.name)) throw Refused{it.span, fmt::format("`{}` is no name", result.name)};
    const ProofItem& last = it.items[at + 2];
    const bool open = may_be_open && !last.list && last.word == "none";
    if (!open) result.last = read_number(last, known);
    if (!known.insert(result.name).second)
      throw Refused{it.span, fmt::format("there is a variable `{}` already", result.name)};
    return result;
  }

  // The lists of `(for (k 0 n) …)`; their names become known.
  static CoreRanges ranges(const ProofItem& list, Names& known) {
    CoreRanges result;
    const ProofItem& loops = field(list, "for");
    check_count(loops, loops.size() - 1, most_variables);
    for (std::size_t i = 1; i < loops.size(); ++i) result.push_back(range(loops.items[i], 0, known, false));
    return result;
  }

  static CoreExpression number(const ProofItem& list, std::string_view name, const Names& known) {
    const ProofItem& it = field(list, name);
    expect_size(it, 2, 2);
    return read_number(it.items[1], known);
  }

  static CoreExpression truth_of(const ProofItem& list, std::string_view name, const Names& known) {
    const ProofItem& it = field(list, name);
    expect_size(it, 2, 2);
    return read_truth(it.items[1], known);
  }

  void read_fabric(const ProofItem& it) {
    if (fabric_) throw Refused{it.span, "there is a fabric already"};
    fabric_ = true;
    core_.topology = word(item(it, 1));
    check_count(it, it.size(), most_variables);
    for (std::size_t i = 2; i < it.size(); ++i) {
      const ProofItem& argument = it.items[i];
      FabricArgument& to = core_.fabric.emplace_back();
      const bool words = head(argument) == "word";
      if (!words && head(argument) != "numbers") throw Refused{argument.span, "`numbers` or `word` is expected here"};
      expect_size(argument, 3, words ? 3 : most_variables);
      to.key = text(argument.items[1]);
      if (words) to.word = text(argument.items[2]);
      for (std::size_t n = 2; n < argument.size() && !words; ++n) {
        to.numbers.push_back(read_number(argument.items[n], parameters_));
      }
    }
  }

  void read_collective(const ProofItem& it) {
    if (collective_) throw Refused{it.span, "there is a collective already"};
    collective_ = true;
    expect_size(it, 2, 5);
    core_.collective = word(it.items[1]);
    if (optional_field(it, "root") != nullptr) core_.root = number(it, "root", parameters_);
    if (optional_field(it, "parts") != nullptr) core_.parts = number(it, "parts", parameters_);
    if (const ProofItem* operation = optional_field(it, "operation")) {
      expect_size(*operation, 2, 2);
      core_.operation = word(operation->items[1]);
    }
  }

  void read_condition(const ProofItem& it) {
    expect_size(it, 5, 5);
    Names known = parameters_;
    CoreRanges variables = ranges(it, known);
    core_.conditions.push_back(
        {text(it.items[1]), std::move(variables), truth_of(it, "given", known), truth_of(it, "must", known)});
    check_count(it, core_.conditions.size(), most_families);
  }

  void read_message(const ProofItem& it) {
    Names known = parameters_;
    CoreMessage message;
    message.name = word(item(it, 1));
    if (!is_name(message.name) || !messages_.insert(message.name).second)
      throw Refused{it.span, fmt::format("`{}` is no name for a message, or there is one already", message.name)};
    message.variables = ranges(it, known);
    message.given = truth_of(it, "given", known);
    message.start = number(it, "start", known);
    message.source = number(it, "source", known);
    message.target = number(it, "target", known);
    for (std::size_t i = 7; i < it.size(); ++i) message.chunks.push_back(chunks(it.items[i], known));
    if (message.chunks.empty()) throw Refused{it.span, "a message without chunks"};
    check_count(it, message.chunks.size(), most_families);
    core_.messages.push_back(std::move(message));
    check_count(it, core_.messages.size(), most_families);
  }

  static CoreChunks chunks(const ProofItem& it, Names known) {
    if (head(it) != "chunks") throw Refused{it.span, fmt::format("`{}` where `chunks` is expected", head(it))};
    expect_size(it, 5, 6);
    CoreChunks result;
    result.variables = ranges(it, known);
    result.given = truth_of(it, "given", known);
    result.origin = number(it, "origin", known);
    if (optional_field(it, "addressee") != nullptr) result.addressee = number(it, "addressee", known);
    result.part = number(it, "part", known);
    return result;
  }

  // (invariant "TEXT" (after t FIRST LAST) (origin x) (statement …) …)
  void read_invariant(const ProofItem& it) {
    expect_size(it, 5, 4 + most_families);
    Names known = parameters_;
    const ProofItem& after = field(it, "after");
    const CoreRange steps = range(after, 1, known, false);
    const ProofItem& origin = field(it, "origin");
    expect_size(origin, 2, 2);
    CoreInvariant invariant{text(it.items[1]), steps.name, steps.first, *steps.last, word(origin.items[1]), {}};
    if (!is_name(invariant.origin) || !known.insert(invariant.origin).second)
      throw Refused{origin.span, fmt::format("`{}` is no name, or there is one already", invariant.origin)};
    for (std::size_t i = 4; i < it.size(); ++i)
      invariant.statements.push_back(statement(it.items[i], known, steps.name));
    core_.invariants.push_back(std::move(invariant));
    check_count(it, core_.invariants.size(), most_families);
  }

  // What it speaks of is the same after every step; only the set depends on it, and whether anything is said.
  // `in_sight`: with the step and the origin.
  CoreStatement statement(const ProofItem& it, Names in_sight, const std::string& step) const {
    if (head(it) != "statement") throw Refused{it.span, fmt::format("`{}` where `statement` is expected", head(it))};
    expect_size(it, 6, 7);
    CoreStatement result;
    result.variables = ranges(it, in_sight);
    const Names known = names_of(result.variables, parameters_);
    Names with_step = known;
    with_step.insert(step);
    result.given = truth_of(it, "given", with_step);
    result.processor = number(it, "processor", known);
    if (optional_field(it, "addressee") != nullptr) result.addressee = number(it, "addressee", known);
    result.part = number(it, "part", known);
    result.at_least = optional_field(it, "contains") != nullptr;
    result.member = truth_of(it, result.at_least ? "contains" : "equals", in_sight);
    check_ranges(it, result.variables);
    return result;
  }

  // Nor do its variables' ranges depend on the step.
  void check_ranges(const ProofItem& it, const CoreRanges& variables) const {
    Names known = parameters_;
    for (const CoreRange& each : variables) {
      std::set<std::string> used;
      collect_names(each.first, used);
      collect_names(*each.last, used);
      if (!std::includes(known.begin(), known.end(), used.begin(), used.end()))
        throw Refused{it.span, fmt::format("the range of {} depends on the step", each.name)};
      known.insert(each.name);
    }
  }

  void read_claim(const ProofItem& it) {
    expect_size(it, 4, 4);
    Names known = parameters_;
    const CoreExpression when = truth_of(it, "when", known);
    for (const std::string_view each : measures) known.emplace(each);
    core_.claims.push_back({text(it.items[1]), when, truth_of(it, "holds", known)});
    check_count(it, core_.claims.size(), most_families);
  }

  // (unjudged "optimal volume"): it may say nothing else, as it is shown.
  void read_unjudged(const ProofItem& it) {
    expect_size(it, 2, 2);
    const std::string& claim = text(it.items[1]);
    if (std::ranges::find(unshown, claim) == unshown.end())
      throw Refused{it.span, fmt::format("`{}` is no claim of optimality: `optimal volume` is one", claim)};
    core_.unjudged.push_back(claim);
    check_count(it, core_.unjudged.size(), most_families);
  }

  const std::vector<ProofItem>& items_;
  CoreForm core_;
  Names parameters_;
  Names messages_;
  bool fabric_ = false;
  bool collective_ = false;
};

}  // namespace

CoreForm read_core_form(const std::vector<ProofItem>& items) { return CoreReader(items).read(); }

}  // namespace quadrille::proof_reader
