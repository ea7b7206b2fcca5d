// Questions for a search, drawn at random: collectives with their operations, on small fabrics of every kind and rule.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/reference/random_tables.h"

namespace quadrille::cli::crossed {

struct Shape {
  std::string name;
  std::uint32_t processors;
  bool with_capacity = true;
};

// The rules of a fabric, by name, where they are not the usual ones.
using Rules = std::map<std::string, std::string>;

struct Question {
  std::string collective;  // its name
  std::map<std::string, std::string> arguments;
  Shape shape;
  Rules rules;

  std::string what() const {
    std::string text;
    for (const auto& [name, value] : arguments) text += fmt::format("{}{}={}", text.empty() ? ":" : ",", name, value);
    return collective + text;
  }
  std::string on() const {
    std::string text = shape.name;
    if (rules.count("capacity") > 0) text += ",capacity=" + rules.at("capacity");
    for (const auto& [name, value] : rules) {
      if (name != "capacity") text += fmt::format(",{}={}", name, value);
    }
    return text;
  }
  bool rounds() const { return rules.count("timing") > 0; }
};

Question random_question(reference::Dice& dice);

// A question whose schedules are more: each of the other one's is one of this one's, of as many steps (in rounds,
// rounds). Nothing, if what is drawn makes no difference.
std::optional<Question> loosened(reference::Dice& dice, Question question);

}  // namespace quadrille::cli::crossed
