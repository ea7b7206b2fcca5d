#include "tests/reference/random_programs.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <vector>

namespace quadrille::reference {
namespace {

struct Place {
  const char* notation;
  const char* declaration;  // of it, or of one with as many processors
};
constexpr Place places[] = {
    {"complete:4", "complete(4)"},
    {"star:4,capacity=2", "star(4, capacity: 2)"},
    {"ring:5", "ring(5)"},
    {"line:4", "line(4)"},
    {"fat_tree:levels=2,capacity=exponential", "fat_tree(levels: 2, capacity: exponential)"},
    {"hypercube:3", "hypercube(3)"},
    {R"(graph:{"processors":4,"switches":["a"],"channels":[[0,1,2],[1,2],[2,1],[2,"a"],["a",3],[3,0],[0,3]]})",
     "complete(4)"},
    {"dgx1", "dgx1"},
    {"product(ring:3,line:2)", "product(ring(3), line(2))"},
    {R"(graph:{"processors":4,"switches":["a","b","s","t"],"links":[[0,"a"],[1,"a"],[2,"b"],[3,"b"],["a","s"],["a","t"],)"
     R"(["b","s"],["b","t"]]})",
     "star(4)"},
};

// What may be said where a text stands: the names in sight, by type.
struct Sight {
  std::vector<std::string> numbers = {"n"};
  std::vector<std::string> sets = {"processors"};
  std::vector<std::string> procedures;  // of one number and one set
};

class Programs {
 public:
  explicit Programs(Dice& dice) : dice_(dice) {}

  RandomProgram program() {
    const Place& place = places[dice_.below(std::size(places))];
    exchange_ = !dice_.one_in(3);
    complete_ = std::string_view(place.notation).starts_with("complete");
    const std::string collective = exchange_ ? "total_exchange" : "allgather";
    std::string text = fmt::format("fabric {}\ncollective {}\n", place.declaration, collective);
    Sight global;
    // Functions and constants see the constants before them; procedures see all, and those before them.
    for (std::uint32_t i = dice_.below(4); i > 0; --i) text += declaration(global);
    for (std::uint32_t i = dice_.below(3); i > 0; --i) text += procedure(global);
    text += statements(3, 0, global);
    return {text, place.notation, collective};
  }

 private:
  std::string fresh(const char* letter) { return fmt::format("{}{}", letter, names_++); }

  // A constant or a function, a number or a set.
  // A set or a list of numbers, with its default.
  std::string parameter(Sight& sight) {
    const std::string name = fresh("q");
    if (dice_.one_in(2)) {
      sight.sets.push_back(name);
      const std::uint32_t first = dice_.below(4);
      const std::string range = fmt::format("{}..{}", first, first + dice_.below(4));
      const std::string values = fmt::format("{{{}, {}, {}}}", dice_.below(5), dice_.below(5), dice_.below(5));
      return fmt::format("param {}: set = {}\n", name, dice_.one_in(2) ? range : values);
    }
    std::string list = fmt::to_string(dice_.below(6));
    const std::uint32_t size = dice_.from_to(1, 4);
    for (std::uint32_t i = 1; i < size; ++i) list += fmt::format(", {}", dice_.below(6));
    sight.numbers.push_back(fmt::format("{}[{}]", name, dice_.one_in(20) ? size : dice_.below(size)));
    sight.numbers.push_back(fmt::format("size({})", name));
    return fmt::format("param {}: list = [{}]\n", name, list);
  }

  std::string declaration(Sight& sight) {
    if (dice_.one_in(4)) return parameter(sight);
    if (dice_.one_in(2)) return let(sight);
    Sight inner = sight;
    inner.numbers.emplace_back("x");
    inner.sets.emplace_back("s");
    const bool several = dice_.one_in(2);
    const std::string name = fresh(several ? "F" : "f");
    const std::string text = fmt::format("let {}(x, s: set) = {}\n", name, several ? set(2, inner) : number(2, inner));
    (several ? set_functions_ : functions_).push_back(name);
    return text;
  }

  std::string procedure(Sight& sight) {
    Sight inner = sight;
    inner.numbers.emplace_back("x");
    inner.sets.emplace_back("s");
    const bool higher = !sight.procedures.empty() && dice_.one_in(2);
    if (higher) inner.procedures.assign({"go"});
    const std::string name = fresh("p");
    const std::string text =
        fmt::format("procedure {}(x, s: set{}):\n{}", name, higher ? ", go: procedure" : "", statements(2, 2, inner));
    (higher ? higher_ : sight.procedures).push_back(name);
    return text;
  }

  // --- statements ---------------------------------------------------------------------------------------------------

  std::string statements(int depth, std::size_t indent, Sight sight) {
    std::string text;
    for (std::uint32_t i = dice_.from_to(1, 3); i > 0; --i) {
      const std::string space(indent, ' ');
      if (indent > 0 && dice_.one_in(4)) text += space + let(sight);
      std::string next = statement(depth, indent, sight);
      if (!text.empty() && dice_.one_in(3)) next.insert(0, "then ");
      text += space + next;
    }
    return text;
  }

  std::string let(Sight& sight) {
    const bool several = dice_.one_in(2);
    const std::string name = fresh(several ? "t" : "v");
    const std::string text = fmt::format("let {} = {}\n", name, several ? set(2, sight) : number(2, sight));
    (several ? sight.sets : sight.numbers).push_back(name);
    return text;
  }

  std::string statement(int depth, std::size_t indent, const Sight& sight) {
    if (depth == 0 || dice_.one_in(4)) return send(sight);
    switch (dice_.below(13)) {
      case 0:
        return fmt::format("at {}:\n", step(sight)) + statements(depth - 1, indent + 2, sight);
      case 1:
        return fmt::format("if {}:\n", truth(1, sight)) + statements(depth - 1, indent + 2, sight) +
               (dice_.one_in(2) ? std::string(indent, ' ') + "else:\n" + statements(depth - 1, indent + 2, sight) : "");
      case 2:
        return fmt::format("repeat {} times:\n", dice_.one_in(30) ? number(1, sight) : std::to_string(dice_.below(3))) +
               statements(depth - 1, indent + 2, sight);
      case 3:
        return (exchange_ ? "reverse:\n" : "at 2:\n") + statements(depth - 1, indent + 2, sight);
      case 4:
        return relabel(depth, indent, sight);
      case 12:
        return fmt::format("by {}:\n", dice_.one_in(2) ? "fifo" : "farthest_first") +
               statements(depth - 1, indent + 2, sight);
      case 5:
      case 6:
        return call(sight);
      default:
        return loop(depth, indent, sight);
    }
  }

  std::string loop(int depth, std::size_t indent, Sight sight) {
    const std::string bindings = bound(sight);
    const std::string condition = dice_.one_in(5) ? " if " + truth(1, sight) : "";
    return fmt::format("for {}{}{}:\n", bindings, condition, dice_.one_in(3) ? " in turn" : "") +
           statements(depth - 1, indent + 2, sight);
  }

  std::string bound(Sight& sight) {
    std::string text;
    for (std::uint32_t i = dice_.one_in(4) ? 2 : 1; i > 0; --i) {
      const std::string name = fresh("i");
      text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", name, set(1, sight));
      sight.numbers.push_back(name);
    }
    return text;
  }

  std::string relabel(int depth, std::size_t indent, const Sight& sight) {
    Sight inner = sight;
    inner.numbers.emplace_back("q");
    const auto image = [&] {
      if (dice_.one_in(20)) return processor(inner);
      return dice_.one_in(2) ? std::string("n - 1 - q") : fmt::format("(q + {}) mod n", number(1, sight));
    };
    std::string text = "relabel q -> " + image();
    if (dice_.one_in(3)) text += " carrying q -> " + image();
    return text + ":\n" + statements(depth - 1, indent + 2, sight);
  }

  std::string call(const Sight& sight) {
    if (!higher_.empty() && !sight.procedures.empty() && dice_.one_in(2)) {
      return fmt::format("{}({}, {}, {})\n", dice_.pick(higher_), number(1, sight), set(1, sight),
                         dice_.pick(sight.procedures));
    }
    if (sight.procedures.empty()) return send(sight);
    return fmt::format("{}({}, {})\n", dice_.pick(sight.procedures), number(1, sight), set(1, sight));
  }

  std::string send(const Sight& sight) {
    const std::string when = dice_.one_in(3) ? fmt::format("at {}: ", step(sight)) : "";
    if (dice_.one_in(5)) {
      const std::string carrying = exchange_         ? (dice_.one_in(60) ? "" : carried(sight))
                                   : dice_.one_in(4) ? carried(sight)
                                                     : "";
      return fmt::format("{}send {} -> {}{}\n", when, processor(sight), dice_.one_in(2) ? "all" : processors(sight),
                         carrying);
    }
    // Different ends, mostly.
    std::string text = when;
    if (dice_.one_in(40)) {
      text += fmt::format("send {} -> {}", processor(sight), processor(sight));
    } else {
      const std::string source = processor(sight);
      text += fmt::format("send {} -> ({} + {}) mod n", source, source, dice_.from_to(1, 3));
    }
    const std::string stop = processor(sight);
    if (dice_.one_in(complete_ ? 4 : 100)) text += " along " + stop;
    if (dice_.one_in(complete_ ? 6 : 100)) text += fmt::format(" waiting {} at {}", dice_.below(3), stop);
    if (dice_.one_in(5)) text += carried(sight);
    return text + "\n";
  }

  std::string carried(const Sight& sight) {
    const std::string origin = processor(sight);
    if (!exchange_) return " carrying " + origin;
    return fmt::format(" carrying {} -> ({} + {}) mod n", origin, origin, dice_.from_to(1, 3));
  }

  std::string step(const Sight& sight) {
    if (dice_.one_in(2)) return std::to_string(dice_.from_to(1, 4));
    return dice_.one_in(20) ? number(1, sight) : fmt::format("abs({}) mod 5 + 1", number(1, sight));
  }

  // --- expressions --------------------------------------------------------------------------------------------------

  std::string processor(const Sight& sight) {
    if (dice_.one_in(80)) return "(" + number(1, sight) + ")";
    return fmt::format("({}) mod n", number(1, sight));
  }

  std::string processors(const Sight& sight) {
    Sight inner = sight;
    const std::string name = fresh("d");
    const std::string from = set(1, sight);
    inner.numbers.push_back(name);
    return fmt::format("{{{} for {} in {}}}", processor(inner), name, from);
  }

  std::string number(int depth, const Sight& sight) {
    if (depth == 0 || dice_.one_in(3))
      return dice_.one_in(3) ? std::to_string(dice_.below(6)) : dice_.pick(sight.numbers);
    const std::string a = number(depth - 1, sight);
    const std::string b = number(depth - 1, sight);
    switch (dice_.below(12)) {
      case 0:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"xor", "or", "and"}), b);
      case 1:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"/", "mod"}),
                           dice_.one_in(40) ? b : std::to_string(dice_.from_to(1, 4)));
      case 2:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"shl", "shr", "^"}),
                           dice_.one_in(40) ? b : std::to_string(dice_.below(3)));
      case 3:
        return fmt::format("{}({}, {})", dice_.pick<std::string>({"min", "max"}), a, b);
      case 4:
        return fmt::format("(if {} then {} else {})", truth(depth - 1, sight), a, b);
      case 5:
        return fmt::format("size({})", set(depth - 1, sight));
      case 6:
        return fold(depth, sight, {dice_.one_in(20) ? "min" : "sum"}, false);
      case 7:
        if (functions_.empty()) return a;
        return fmt::format("{}({}, {})", dice_.pick(functions_), a, set(depth - 1, sight));
      case 8:
        return fmt::format("distance(({}) mod n, ({}) mod n)", a, b);
      default:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"+", "-", "*"}), b);
    }
  }

  std::string truth(int depth, const Sight& sight) {
    const auto compared = [&] {
      return fmt::format("({} {} {})", number(1, sight), dice_.pick<std::string>({"==", "!=", "<", "<=", ">", ">="}),
                         number(1, sight));
    };
    if (depth == 0) return compared();
    switch (dice_.below(6)) {
      case 0:
        return fmt::format("(not {})", truth(depth - 1, sight));
      case 1:
        return fmt::format("({} {} {})", truth(depth - 1, sight), dice_.pick<std::string>({"and", "or", "xor"}),
                           truth(depth - 1, sight));
      case 2:
        return fmt::format("(size({}) == size({}))", set(depth - 1, sight), set(depth - 1, sight));
      case 3:
        return fold(depth, sight, {"all", "any"}, true);
      default:
        return compared();
    }
  }

  std::string fold(int depth, const Sight& sight, const std::vector<std::string>& kinds, bool truths) {
    Sight inner = sight;
    const std::string bindings = bound(inner);
    const std::string element = truths ? truth(depth - 1, inner) : number(depth - 1, inner);
    const std::string condition = dice_.one_in(3) ? " if " + truth(0, inner) : "";
    return fmt::format("{}({} for {}{})", dice_.pick(kinds), element, bindings, condition);
  }

  std::string set(int depth, const Sight& sight) {
    if (dice_.one_in(3)) return dice_.pick(sight.sets);
    if (depth == 0) return dice_.one_in(2) ? "{0, 2, 1}" : fmt::format("(0..{})", dice_.below(4));
    Sight inner = sight;
    switch (dice_.below(6)) {
      case 0:
        return fmt::format("{{{}, {}}}", number(1, sight), number(1, sight));
      case 1: {
        const std::string bindings = bound(inner);
        return fmt::format("{{{} for {} if {}}}", number(1, inner), bindings, truth(0, inner));
      }
      case 2:
        return fmt::format("({} mod 4 downto {})", number(1, sight), dice_.below(3));
      case 3:
        return fmt::format("(if {} then {} else {})", truth(0, sight), set(depth - 1, sight), set(depth - 1, sight));
      case 4:
        if (set_functions_.empty()) return "{3, 1}";
        return fmt::format("{}({}, {})", dice_.pick(set_functions_), number(0, sight), set(depth - 1, sight));
      default:
        return fmt::format("({}..{} mod 5)", dice_.below(3), number(0, sight));
    }
  }

  Dice& dice_;
  bool exchange_ = true;
  bool complete_ = false;
  std::uint32_t names_ = 0;
  std::vector<std::string> functions_;
  std::vector<std::string> set_functions_;
  std::vector<std::string> higher_;
};

}  // namespace

RandomProgram random_program(Dice& dice) { return Programs(dice).program(); }

}  // namespace quadrille::reference
