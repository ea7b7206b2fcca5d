// Questions are drawn: names and rules by the pages of fabrics and collectives (model/FABRICS.md,
// model/COLLECTIVES.md).
#include "tests/cli/crossed_questions.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace quadrille::cli::crossed {
namespace {

using nlohmann::json;
using reference::Dice;
using Words = std::vector<std::string>;

const std::vector<Shape> shapes = {
    {"line:1", 1},
    {"line:2", 2},
    {"line:3", 3},
    {"line:4", 4},
    {"ring:3", 3},
    {"ring:4", 4},
    {"ring:5", 5},
    {"mesh:2x2", 4},
    {"star:2", 2},
    {"star:3", 3},
    {"star:4", 4},
    {"complete:2", 2},
    {"complete:3", 3},
    {"complete:4", 4},
    {"complete:5", 5},
    {"hypercube:1", 2},
    {"hypercube:2", 4},
    {"torus:2x2", 4},
    {"torus:2x2", 4},
    {"fat_tree:levels=1", 2},
    {"crossbar:hosts=3", 3, false},
    {"fat_tree:levels=1,arity=3", 3, false},
    {"fat_tree:capacity=1,2", 4, false},
    {"fat_tree:levels=2", 4, false},
    {"shared_bus:hosts=3", 3, false},
    {"leaf_spine:hosts=4,leaves=2,spines=2", 4, false},
    {R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})", 3, false},
    {R"(graph:{"processors":3,"switches":["a","b"],"links":[[0,"a"],[1,"a"],["a","b",2],[2,"b"],[0,"b"]]})", 3, false}};

bool has_root(const std::string& name) {
  return name == "broadcast" || name == "scatter" || name == "gather" || name == "reduce";
}
bool may_be_ordered(const std::string& name) {
  return name == "reduce" || name == "reduce_scatter" || name == "allreduce";
}
bool is_prefix(const std::string& name) { return name == "prefix" || name == "exclusive_prefix"; }

// A few chunks, from one or two processors to one or all.
std::string random_chunks(Dice& dice, std::uint32_t n) {
  json chunks = json::array();
  for (std::uint32_t i = dice.from_to(1, 3), part = 0; i > 0; --i, ++part) {
    json chunk = {{"origin", dice.below(n)}, {"part", part}};
    if (dice.one_in(2)) chunk["target"] = dice.below(n);
    if (dice.one_in(3)) chunk["wanted_by"] = {dice.below(n)};
    if (dice.one_in(3)) chunk["held_by"] = {dice.below(n)};
    chunks.push_back(chunk);
  }
  return "custom:" + json{{"chunks", chunks}}.dump();
}

Rules random_rules(Dice& dice, bool with_capacity) {
  Rules rules;
  if (with_capacity && dice.one_in(5)) rules["capacity"] = "2";
  if (dice.one_in(3)) rules["duplex"] = "half";
  if (dice.one_in(3)) rules["ports"] = "single";
  if (dice.one_in(4)) rules["queue"] = std::vector<std::string>{"none", "1", "2"}[dice.below(3)];
  if (dice.one_in(3)) rules["switches"] = dice.one_in(2) ? "forward" : "reduce";
  if (dice.one_in(3)) rules["timing"] = "rounds";
  if (rules.count("timing") > 0 && dice.one_in(2)) rules["paths"] = "shared";
  return rules;
}

}  // namespace

Question random_question(Dice& dice) {
  static const Words names = {"broadcast",      "scatter",   "gather", "allgather",        "total_exchange", "reduce",
                              "reduce_scatter", "allreduce", "prefix", "exclusive_prefix", "barrier",        "custom"};
  Question question{dice.pick(names), {}, dice.pick(shapes), {}};
  const std::string name = question.collective;
  auto& arguments = question.arguments;
  if (has_root(name) && dice.one_in(2)) arguments["root"] = std::to_string(dice.below(question.shape.processors));
  if (name != "barrier" && name != "custom" && dice.one_in(4)) arguments["parts"] = "2";
  if (may_be_ordered(name) && dice.one_in(3)) arguments["operation"] = "ordered";
  if ((may_be_ordered(name) || is_prefix(name)) && arguments.count("operation") == 0 && dice.one_in(3))
    arguments["operation"] = "idempotent";
  if (name == "custom") question.collective = random_chunks(dice, question.shape.processors);
  question.rules = random_rules(dice, question.shape.with_capacity);
  return question;
}

// A question whose schedules are more: each of the other one's is one of this one's, of as many steps (in rounds,
// rounds).
std::optional<Question> loosened(Dice& dice, Question question) {
  const Question before = question;
  const auto drop = [&](const char* rule, const char* value) {
    if (question.rules.count(rule) > 0 && question.rules[rule] == value) question.rules.erase(rule);
  };
  const bool steps = !question.rounds();
  switch (dice.below(8)) {
    case 0:
      drop("duplex", "half");
      break;
    case 1:
      drop("ports", "single");
      break;
    case 2:
      question.rules.erase("queue");
      break;
    case 3:
      drop("switches", "forward");
      break;
    case 4:
      if (steps) question.rules["timing"] = "rounds";
      break;
    case 5:
      if (!steps) question.rules["paths"] = "shared";
      break;
    case 6:
      if (question.shape.with_capacity) question.rules["capacity"] = "2";
      break;
    default:
      if (question.collective == "allreduce")
        question.collective = "reduce";
      else if (may_be_ordered(question.collective) && question.arguments["operation"] == "ordered")
        question.arguments.erase("operation");
      else if (may_be_ordered(question.collective) || is_prefix(question.collective))
        question.arguments["operation"] = "idempotent";
      if (question.arguments["operation"].empty()) question.arguments.erase("operation");
  }
  if (question.what() == before.what() && question.on() == before.on()) return std::nullopt;
  return question;
}

}  // namespace quadrille::cli::crossed
