#include "tests/reference/random_schedules.h"

#include <fmt/format.h>

#include <vector>

namespace quadrille::reference {
namespace {

// Rules of a fabric that a proof minds.
std::string some_rules(Dice& dice) {
  const std::string half = dice.one_in(4) ? ", duplex: half" : "";
  return half + (dice.one_in(4) ? ", switches: forward" : "");
}

// Expressions over the names in sight.
class Expressions {
 public:
  Expressions(Dice& dice, std::vector<std::string> names) : dice_(dice), names_(std::move(names)) {}

  std::string number(int depth) {
    if (depth == 0 || dice_.one_in(5)) return leaf();
    const std::string a = number(depth - 1);
    const std::string b = number(static_cast<int>(dice_.below(static_cast<std::uint64_t>(depth))));
    switch (dice_.below(16)) {
      case 0:
      case 1:
        return fmt::format("({} + {})", a, b);
      case 2:
      case 3:
        return fmt::format("({} - {})", a, b);
      case 4:
        return fmt::format("({} * {})", a, leaf());
      case 5:
        return fmt::format("({} / {})", a, divisor(b));
      case 6:
        return fmt::format("({} mod {})", a, divisor(b));
      case 7:
        return fmt::format("2^{}", exponent());
      case 8:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"xor", "or", "and"}), b);
      case 9:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"shl", "shr"}), exponent());
      case 10:
        return fmt::format("{}({}, {})", dice_.pick<std::string>({"min", "max", "ceil_div"}), a, b);
      case 11:
        return fmt::format("abs({})", a);
      case 12:
        return fmt::format("log2({})", dice_.one_in(4) ? a : fmt::format("max({}, 1)", a));
      case 13:
        return fmt::format("(if {} then {} else {})", truth(0), a, b);
      default:
        return fold({"sum", "min", "max"}, depth, false);
    }
  }

  std::string truth(int depth) {
    if (depth == 0) {
      return fmt::format("({} {} {})", number(1), dice_.pick<std::string>({"==", "!=", "<", "<=", ">", ">="}),
                         number(1));
    }
    switch (dice_.below(6)) {
      case 0:
        return fmt::format("not {}", truth(depth - 1));
      case 1:
        return fmt::format("({} {} {})", truth(depth - 1), dice_.pick<std::string>({"and", "or", "xor"}), truth(0));
      case 2:
        return fold({"all", "any"}, depth, true);
      default:
        return fmt::format("({} {} {})", number(depth), dice_.pick<std::string>({"==", "!=", "<", "<=", ">", ">="}),
                           number(depth - 1));
    }
  }

  std::string leaf() {
    if (dice_.one_in(3)) return std::to_string(dice_.below(10));
    if (dice_.one_in(6)) return fmt::format("({} - {})", dice_.pick(names_), dice_.from_to(1, 4));
    return dice_.pick(names_);
  }

  std::string range(int depth) {
    const std::string first = dice_.one_in(2) ? std::to_string(dice_.below(3)) : number(depth);
    return fmt::format("{}..{}", first, number(depth));
  }

  std::vector<std::string>& names() { return names_; }

 private:
  std::string divisor(const std::string& b) {
    return dice_.one_in(3) ? b : dice_.one_in(2) ? std::to_string(dice_.from_to(1, 6)) : "2^" + exponent();
  }

  // Of the short names only: n would be too much.
  std::string exponent() {
    const std::string name = dice_.one_in(4) ? std::to_string(dice_.below(4)) : dice_.pick(names_);
    if (name == "n") return "L";
    switch (dice_.below(5)) {
      case 0:
        return fmt::format("({} - 1)", name);
      case 1:
        return fmt::format("(L - {})", name);
      case 2:
        return fmt::format("abs({})", name);
      default:
        return name;
    }
  }

  std::string fold(const std::vector<std::string>& kinds, int depth, bool truths) {
    const std::string name(1, static_cast<char>('s' + names_.size() % 8));
    const std::string set = range(0);
    names_.push_back(name);
    const std::string condition = dice_.one_in(3) ? " if " + truth(0) : "";
    const std::string element = truths ? truth(depth - 1) : number(depth - 1);
    names_.pop_back();
    return fmt::format("{}({} for {} in {}{})", dice_.pick(kinds), element, name, set, condition);
  }

  Dice& dice_;
  std::vector<std::string> names_;
};

// Sends side by side, or one sequence: of what more there is the prover says nothing.
class Times {
 public:
  explicit Times(Dice& dice) : dice_(dice), expressions_(dice, {"L", "n"}) {}

  std::string block(int depth, std::size_t indent) {
    const std::string space(indent, ' ');
    if (depth == 0) {
      std::string text = space + send(indent);
      if (dice_.one_in(3)) text += space + send(indent);
      return text;
    }
    switch (dice_.below(8)) {
      case 0:
        return space + "at " + step() + ":\n" + block(depth - 1, indent + 2);
      case 1:
      case 2:
      case 3:
        return space + looped(depth, indent, " in turn");
      case 4:
        return space + "repeat " + dice_.pick<std::string>({"2", "L", "L - 1", "0", "1"}) + " times:\n" +
               block(depth - 1, indent + 2);
      case 5:
        return block(0, indent);
      default:
        return parts(depth, indent);
    }
  }

 private:
  std::string parts(int depth, std::size_t indent) {
    std::string text;
    const std::uint32_t count = dice_.from_to(2, 3);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::string part = block(dice_.one_in(2) ? 0 : depth - 1, indent);
      if (i > 0) part.insert(indent, "then ");
      text += part;
    }
    return text;
  }

  std::string looped(int depth, std::size_t indent, const std::string& how) {
    const std::string name(1, static_cast<char>('a' + expressions_.names().size()));
    const std::vector<std::string> sets = {"1..L", "1..2", "0..L-1", "L downto 1", "2..L", "1..0", "2..L+1"};
    const std::string head = fmt::format("for {} in {}{}:\n", name, dice_.pick(sets), how);
    expressions_.names().push_back(name);
    const std::string text = head + block(depth - 1, indent + 2);
    expressions_.names().pop_back();
    return text;
  }

  std::string step() {
    if (dice_.one_in(3)) return std::to_string(dice_.from_to(1, 5));
    return fmt::format("{} + {}", dice_.pick(expressions_.names()), dice_.from_to(1, 3));
  }

  std::string send(std::size_t indent) {
    switch (dice_.below(8)) {
      case 0:
        return "send 0 -> 1\n";
      case 1:
        return fmt::format("at {}: send 0 -> n/2\n", step());
      case 2:
        return fmt::format("at {}: if {}: send 0 -> n - 1\n", step(), expressions_.truth(0));
      case 3:
        return fmt::format("at {}: for d in 1..{}: send 0 -> d\n", step(),
                           dice_.pick<std::string>({"n-1", "L", "1", "0", "n/2 - 1", "L-1"}));
      case 4:
        return "for d in 1..n-1: at n - d: send 0 -> d\n";
      case 5:
        return "reverse:\n" + std::string(indent + 2, ' ') +
               fmt::format("for d in 1..n-1: at {} + d: send d -> 0\n", step());
      default:
        return fmt::format("for d in 1..n-1: at {} + d: send 0 -> 0 xor d\n", step());
    }
  }

  Dice& dice_;
  Expressions expressions_;
};

}  // namespace

std::string schedule_with_claim(Dice& dice) {
  const std::uint32_t first = dice.from_to(1, 4);
  std::string text = fmt::format("param L in {}..{}\n", first, first + dice.below(4));
  std::vector<std::string> names = {"L", "n"};
  if (dice.one_in(2)) {
    text += fmt::format("param m in {}\n", dice.pick<std::string>({"0..3", "1..L", "L..5", "L-1..L+1", "2..L-1"}));
    names.emplace_back("m");
  }
  Expressions expressions(dice, names);
  text += "fabric fat_tree(levels: L, capacity: constant)\ncollective broadcast(root: 0)\nsend 0 -> all\n";
  text += "claim " + expressions.truth(2);
  if (dice.one_in(3)) text += " when " + expressions.truth(0);
  return text + "\n";
}

std::string schedule_with_changes(Dice& dice) {
  const std::uint32_t first = dice.from_to(1, 3);
  std::string text = fmt::format("param L in {}..{}\n", first, first + dice.below(3));
  std::vector<std::string> names = {"L", "n"};
  if (dice.one_in(3)) {
    text += fmt::format("param m in {}\n", dice.pick<std::string>({"0..3", "1..L", "L..4"}));
    names.emplace_back("m");
  }
  const std::uint32_t kind = dice.below(3);
  const std::vector<std::vector<std::string>> loops = {{"d"}, {"h", "l"}, {"t", "i"}};
  names.insert(names.end(), loops[kind].begin(), loops[kind].end());
  Expressions expressions(dice, names);
  const auto change = [&](bool wanted) {
    return wanted ? fmt::format(" + (if {} then 1 else 0)", expressions.truth(dice.one_in(2) ? 1 : 0)) : "";
  };
  const bool early = dice.one_in(2);
  const std::string later = change(early);
  const std::string aside = change(!early);
  const std::string rules = some_rules(dice);
  switch (kind) {
    case 0:
      text += "fabric fat_tree(levels: L, capacity: constant" + rules + ")\ncollective scatter(root: 0)\n";
      return text + fmt::format("for d in n-1 downto 1: at n - d{}: send 0 -> d{}\n", later, aside);
    case 1:
      text += "fabric fat_tree(levels: L, capacity: exponential" + rules + ")\ncollective total_exchange\n";
      return text + fmt::format(
                        "for h in L downto 1, l in 0..2^(h-1)-1:\n"
                        "  at 2^L - 2^h + 2*(L - h) + 1 + l{}:\n"
                        "    for k in processors: send k -> (k xor 2^(h-1) xor l){}\n",
                        later, aside);
    default:
      text += "fabric ring(L + 2" + rules + ")\ncollective multinode_broadcast\n";
      return text + fmt::format(
                        "for t in 1..n-1, i in 0..n-1:\n"
                        "  at t{}: send i -> (i + 1) mod n carrying (i + n - (t - 1){}) mod n\n",
                        later, aside);
  }
}

std::string schedule_with_times(Dice& dice) {
  const std::uint32_t first = dice.from_to(1, 3);
  const std::uint32_t last = first + dice.from_to(1, 3);
  std::string text = fmt::format("param L in {}..{}\n", first, last);
  text +=
      fmt::format("fabric fat_tree(levels: L, capacity: constant{})\ncollective scatter(root: 0)\n", some_rules(dice));
  text += Times(dice).block(2, 0);
  for (std::uint32_t L = first; L <= last; ++L) text += fmt::format("claim L != {} or steps == 0\n", L);
  return text;
}

namespace {

// The sends of a schedule in rounds, with a change or none.
class Rounds {
 public:
  Rounds(Dice& dice, std::vector<std::string> names) : dice_(dice), names_(std::move(names)) {}

  std::string collective_and_sends() {
    const std::string parts = dice_.pick<std::string>({"1", "2", "3", "L", "L + 1"});
    const std::string all_parts = fmt::format("part {{0..{}-1}}", parts);
    switch (dice_.below(9)) {
      case 0:
        return fmt::format("collective broadcast(root: 0, parts: {})\n", parts) +
               in_loop({"d"}, "for d in 1..n-1: at d{}: send 0 -> d{} carrying 0 -> * " + set_of_parts(parts) + "\n");
      case 1:
        return fmt::format("collective broadcast(root: 0, parts: {})\n", parts) +
               in_loop({"d", "s"}, fmt::format("for d in 0..n-2, s in 0..{}-1:\n", parts) +
                                       "  at d + s + 1{}: send d -> d + 1{} carrying 0 -> * part s\n");
      case 2:
        return fmt::format("collective scatter(root: 0, parts: {})\n", parts) +
               in_loop({"d"}, "for d in 1..n-1: at n - d{}: send 0 -> d{} carrying 0 -> d " + all_parts + "\n");
      case 3:
        return fmt::format("collective gather(root: 0, parts: {})\n", parts) +
               in_loop({"k"}, "for k in 1..n-1: at k{}: send k{} -> 0 carrying k -> 0 " + all_parts + "\n");
      case 4:
        return "collective total_exchange\n" +
               in_loop({"d", "k"}, "for d in 1..n-1, k in processors: at d{}: send k -> (k + d{}) mod n\n");
      case 5:
        return fmt::format("collective total_exchange(parts: {})\n", parts) +
               in_loop({"d", "k"},
                       "for d in 1..n-1, k in processors:\n"
                       "  at d{}: send k -> (k + d{}) mod n carrying k -> (k + d) mod n " +
                           set_of_parts(parts) + "\n");
      case 6:
        return fmt::format("collective allgather(parts: {})\n", parts) +
               in_loop({"k"}, "for k in processors: at 1{}: send k -> all carrying k{} -> * " + all_parts + "\n");
      case 7:
        return "collective allgather\n" +
               in_loop({"t", "i"},
                       "for t in 1..n-1, i in processors:\n"
                       "  at t{}: send i -> (i + 1) mod n carrying (i + n - (t - 1){}) mod n\n");
      default:
        // The set has one element only.
        return "collective allgather\n" +
               in_loop({"t", "i"},
                       "for t in 1..n-1, i in processors:\n"
                       "  at t{}: send i -> (i + t{}) mod n carrying {i, (i + n) mod n} -> *\n");
    }
  }

 private:
  // The whole set, mostly.
  std::string set_of_parts(const std::string& parts) {
    switch (dice_.below(6)) {
      case 0:
        return fmt::format("part {{{0}-1-p for p in 0..{0}-1}}", parts);
      case 1:
        return fmt::format("part {{p for p in 0..{}-1 if p != 1}}", parts);
      case 2:
        return fmt::format("part {{2*p mod {0} for p in 0..{0}-1}}", parts);
      default:
        return fmt::format("part {{0..{}-1}}", parts);
    }
  }

  std::string in_loop(const std::vector<std::string>& loops, const std::string& text) {
    std::vector<std::string> names = names_;
    names.insert(names.end(), loops.begin(), loops.end());
    Expressions expressions(dice_, names);
    const std::uint32_t which = dice_.below(4);
    const auto change = [&](bool wanted) {
      return wanted ? fmt::format(" + (if {} then 1 else 0)", expressions.truth(0)) : std::string();
    };
    const std::string later = change(which == 0);
    const std::string aside = change(which == 1);
    return fmt::format(fmt::runtime(braces(text)), later, aside);
  }

  // Only the two places for changes are fmt's: other braces are doubled.
  static std::string braces(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool place = text.compare(i, 2, "{}") == 0;
      if (place) {
        result += "{}";
        ++i;
      } else if (text[i] == '{' || text[i] == '}') {
        result += std::string(2, text[i]);
      } else {
        result += text[i];
      }
    }
    return result;
  }

  Dice& dice_;
  std::vector<std::string> names_;
};

}  // namespace

std::string schedule_in_rounds(Dice& dice) {
  const std::uint32_t first = dice.from_to(1, 3);
  const std::uint32_t last = first + dice.from_to(1, 3);
  std::string text = fmt::format("param L in {}..{}\n", first, last);
  const std::string size = dice.pick<std::string>({"L + 1", "L + 2", "2*L"});
  const std::string kind = dice.pick<std::string>({"complete", "complete", "complete", "ring", "line", "star"});
  text += fmt::format("fabric {}({}{}{}{}, timing: rounds)\n", kind, size, dice.one_in(2) ? ", ports: single" : "",
                      dice.one_in(8) ? ", paths: shared" : "", some_rules(dice));
  text += Rounds(dice, {"L", "n"}).collective_and_sends();
  if (dice.one_in(2)) return text;
  for (const std::string measure : {"rounds", "volume", "hops"}) {
    if (measure != "rounds" && !dice.one_in(2)) continue;
    for (std::uint32_t L = first; L <= last; ++L) text += fmt::format("claim L != {} or {} == 0\n", L, measure);
  }
  return text;
}

}  // namespace quadrille::reference
