#include "tests/dsl/generate_program.h"

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::testing {
namespace {

constexpr const char* names[] = {"x", "n", "L", "h", "capacity", "all", "min", "step_2", "_", "int"};
constexpr const char* folds[] = {"sum", "min", "max", "count", "all", "any"};
constexpr const char* types[] = {"int", "bool", "node", "set", "procedure"};
constexpr const char* latency_names[] = {"ps", "ns", "us", "ms", "s"};
constexpr const char* bandwidth_names[] = {"B/s", "MB/s", "GB/s", "Gbit/s", "Tbit/s"};
constexpr const char* comment_texts[] = {" a comment", "", " // more", " n = 2^L, \"…", "x"};

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  // --- expressions ---

  ast::Expression expression(int depth) {
    if (depth <= 0) return leaf();
    switch (c_.pick(11)) {
      case 0:
        return leaf();
      case 1:
        return unary(depth);
      case 2:
        return {ast::Conditional{boxed(depth - 1), boxed(depth - 1), boxed(depth - 1)}, {}};
      case 3:
        return {ast::CallExpression{name(), list(c_.pick(3), depth - 1)}, {}};
      case 4:
        return {ast::Range{boxed(depth - 1), boxed(depth - 1), c_.often()}, {}};
      case 5:
        return {ast::SetLiteral{list(c_.pick(3), depth - 1)}, {}};
      case 6:
        return {ast::SetComprehension{boxed(depth - 1), bindings(depth - 1), maybe(depth - 1)}, {}};
      case 7:
        return {ast::Fold{{pick(folds), {}}, boxed(depth - 1), bindings(depth - 1), maybe(depth - 1)}, {}};
      default:
        return binary(depth);
    }
  }

  // --- statements ---

  ast::Block block(int depth) {
    ast::Block result;
    for (std::uint32_t i = 0, count = 1 + c_.pick(3); i < count; ++i) {
      result.statements.push_back(statement(depth, false));
      if (i == 0) result.statements.back().comments.blank_line_before = false;
    }
    trailing(result);
    return result;
  }

  ast::Statement statement(int depth, bool in_file) {
    ast::Statement result;
    result.then = c_.rarely();
    result.comments = comments();
    switch (c_.pick(depth > 0 ? 10 : 3)) {
      case 0:
        if (c_.rarely()) {
          result.node = ast::Run{name(), arguments()};
        } else {
          result.node = ast::CallStatement{name(), list(c_.pick(3), 2)};
        }
        break;
      case 1:
        result.node = send();
        break;
      case 2:
        result.node = ast::LetStatement{name(), boxed(2)};
        result.then = result.then || in_file;  // `let` at the file's level is an item
        break;
      case 3:
        result.node = ast::At{boxed(2), block(depth - 1)};
        break;
      case 4:
        result.node = ast::For{bindings(2), maybe(1), c_.often(), block(depth - 1)};
        break;
      case 5:
        result.node = conditional(depth);
        break;
      case 6:
        result.node = ast::Repeat{boxed(2), block(depth - 1)};
        break;
      case 7:
        result.node = ast::Reverse{block(depth - 1)};
        break;
      case 8:
        result.node = relabel(depth);
        break;
      default:
        result.node = ast::Discipline{name(), block(depth - 1)};
        break;
    }
    return result;
  }

  // --- items ---

  ast::Item item() {
    ast::Item result;
    result.comments = comments();
    switch (c_.pick(11)) {
      case 10:
        result.node = invariant();
        break;
      case 9:
        result.node = fabric_definition();
        break;
      case 0:
        result.node = ast::Include{"scatter", {}, 0};
        break;
      case 1:
        result.node = parameter();
        break;
      case 2:
        result.node = let();
        break;
      case 3:
        result.node = ast::FabricDeclaration{name(), arguments()};
        break;
      case 4:
        result.node = collective();
        break;
      case 5:
        result.node = ast::Procedure{name(), formals(), block(2)};
        break;
      case 6:
        result.node = claim();
        break;
      default:
        ast::Statement made = statement(3, true);
        made.comments = std::exchange(result.comments, {});
        result.node = std::move(made);
    }
    return result;
  }

  ast::ClaimDeclaration claim() {
    if (!c_.rarely()) return {false, boxed(3), maybe(2)};
    return {true, std::make_unique<ast::Expression>(ast::Expression{ast::NameUse{pick(names)}, {}}), maybe(2)};
  }

  ast::File file() {
    ast::File result;
    for (std::uint32_t i = 0, count = c_.pick(6); i < count; ++i) {
      result.items.push_back(item());
      if (i > 0) continue;
      auto* statement = std::get_if<ast::Statement>(&result.items.front().node);
      (statement ? statement->comments : result.items.front().comments).blank_line_before = false;
    }
    trailing(result);
    if (result.items.empty()) result.blank_line_before_trailing = false;
    return result;
  }

 private:
  template <std::size_t size>
  const char* pick(const char* const (&options)[size]) {
    return options[c_.pick(size)];
  }
  ast::Name name() { return {pick(names), {}}; }

  ast::Expression leaf() {
    switch (c_.pick(6)) {
      case 0:
        return {ast::NameUse{pick(names)}, {}};
      case 4:
        return {ast::NodeUse{{"spine-1", {}}, true, {}}, {}};
      case 5:
        return {ast::NodeUse{name(), false, indices()}, {}};
      case 1:
        return {ast::BoolLiteral{c_.often()}, {}};
      case 2:
        return {ast::IntegerLiteral{INT64_MAX}, {}};
      default:
        return {ast::IntegerLiteral{c_.pick(100)}, {}};
    }
  }
  std::vector<ast::Expression> indices() {
    std::vector<ast::Expression> result;
    result.push_back({ast::IntegerLiteral{c_.pick(100)}, {}});
    if (c_.often()) result.push_back({ast::NameUse{pick(names)}, {}});
    return result;
  }
  ast::Expression unary(int depth) {
    return {ast::Unary{static_cast<ast::UnaryOperator>(c_.pick(2)), boxed(depth - 1)}, {}};
  }
  ast::Expression binary(int depth) {
    return {ast::Binary{static_cast<ast::BinaryOperator>(c_.pick(17)), {}, boxed(depth - 1), boxed(depth - 1)}, {}};
  }
  ast::ExpressionPtr boxed(int depth) { return std::make_unique<ast::Expression>(expression(depth)); }
  ast::ExpressionPtr maybe(int depth) { return c_.often() ? boxed(depth) : nullptr; }
  std::vector<ast::Expression> list(std::uint32_t count, int depth) {
    std::vector<ast::Expression> result;
    while (count-- > 0) result.push_back(expression(depth));
    return result;
  }
  std::vector<ast::Binding> bindings(int depth) {
    std::vector<ast::Binding> result;
    do result.push_back({name(), boxed(depth)});
    while (c_.rarely());
    return result;
  }

  ast::Send send() {
    ast::Send result;
    result.source = boxed(2);
    result.target = boxed(2);
    result.along = list(c_.rarely() ? 2 : 0, 2);
    while (c_.rarely()) result.links.push_back({boxed(2), boxed(2)});
    if (c_.rarely()) result.waits.push_back({boxed(1), boxed(2), maybe(2)});
    if (c_.often()) result.carrying = carrying();
    result.keeping = c_.rarely();
    return result;
  }
  ast::Carrying carrying() {
    ast::Carrying result;
    if (c_.rarely()) {
      result.held = true;
      result.condition = maybe(2);
      return result;
    }
    if (c_.rarely()) {
      result.sum = std::make_unique<ast::Expression>(ast::Expression{ast::SetLiteral{list(c_.pick(3), 1)}, {}});
    } else {
      result.origin = maybe(2);
    }
    result.everyone = c_.rarely();
    if (!result.everyone) result.target = maybe(2);
    result.part = maybe(2);
    if (!result.sum && !result.origin && !result.everyone && !result.target && !result.part) result.part = boxed(1);
    return result;
  }
  ast::If conditional(int depth) {
    ast::If result{boxed(2), block(depth - 1), {}};
    if (c_.often()) result.otherwise = block(depth - 1);
    return result;
  }
  ast::Relabel relabel(int depth) {
    ast::Relabel result{name(), boxed(2), {}, {}, {}, {}, {}, {}};
    if (c_.rarely()) result.count = boxed(2);
    if (c_.rarely()) {
      result.part = name();
      result.part_image = boxed(2);
    }
    if (c_.often()) {
      result.carried = name();
      result.carried_image = boxed(2);
    }
    result.body = block(depth - 1);
    return result;
  }

  ast::Parameter parameter() {
    ast::Parameter result;
    result.name = name();
    result.pattern = c_.often();
    if (!result.pattern && c_.rarely()) {
      result.set = true;
      if (c_.rarely()) result.range = boxed(2);
      result.default_value = maybe(1);
    } else if (!result.pattern && c_.rarely()) {
      result.list = true;
      if (c_.rarely()) result.range = boxed(2);
      if (c_.often()) result.default_list = list(1 + c_.pick(2), 1);
    } else if (!result.pattern) {
      result.range = boxed(2);
      result.unbounded = c_.rarely();
      result.default_value = maybe(1);
    } else if (c_.often()) {
      result.default_list = list(1 + c_.pick(2), 1);
    } else if (c_.often()) {
      result.default_value = std::make_unique<ast::Expression>(ast::Expression{ast::NameUse{pick(names)}, {}});
    }
    return result;
  }
  std::vector<ast::FormalParameter> formals() {
    std::vector<ast::FormalParameter> result;
    for (std::uint32_t count = c_.pick(3); count > 0; --count) {
      result.push_back({name(), {}});
      if (c_.often()) result.back().type = ast::Name{pick(types), {}};
    }
    return result;
  }
  ast::Let let() {
    ast::Let result;
    result.name = name();
    result.function = c_.often();
    if (result.function) result.parameters = formals();
    result.value = boxed(4);
    return result;
  }
  std::vector<ast::Argument> arguments() {
    std::vector<ast::Argument> result;
    for (std::uint32_t count = c_.pick(3); count > 0; --count) {
      ast::Argument argument;
      if (c_.often()) argument.key = name();
      if (argument.key && c_.rarely()) argument.variable = name();
      if (argument.variable && c_.rarely()) argument.second_variable = name();
      argument.values = list(1 + c_.pick(2), 2);
      result.push_back(std::move(argument));
    }
    return result;
  }
  ast::FabricDefinition fabric_definition() {
    ast::FabricDefinition result;
    result.name = name();
    for (std::uint32_t count = c_.pick(3); count > 0; --count) {
      ast::Parameter parameter;
      parameter.name = name();
      parameter.range = maybe(1);
      parameter.default_value = maybe(1);
      result.parameters.push_back(std::move(parameter));
    }
    result.items = fabric_items(2);
    trailing(result);
    return result;
  }
  std::vector<ast::FabricItem> fabric_items(int depth) {
    std::vector<ast::FabricItem> result;
    for (std::uint32_t count = 1 + c_.pick(3); count > 0; --count) {
      ast::FabricItem item;
      item.comments = comments();
      if (result.empty()) item.comments.blank_line_before = false;
      item.node = fabric_item(depth);
      result.push_back(std::move(item));
    }
    return result;
  }
  ast::Link link() {
    ast::Link result{boxed(2), boxed(2), maybe(1), {}, {}, c_.often()};
    if (c_.often()) result.latency = {boxed(1), pick(latency_names)};
    if (c_.often()) result.bandwidth = {boxed(1), pick(bandwidth_names)};
    return result;
  }
  decltype(ast::FabricItem::node) fabric_item(int depth) {
    switch (c_.pick(depth > 0 ? 6 : 5)) {
      case 0:
        return ast::ProcessorCount{boxed(2)};
      case 1: {
        ast::Switches switches;
        switches.arrays.push_back({name(), list(c_.pick(3), 1)});
        if (c_.often()) switches.arrays.push_back({name(), {}});
        return switches;
      }
      case 2:
        return link();
      case 3:
        return ast::Route{name(), name(), maybe(1), list(1 + c_.pick(2), 1)};
      case 4:
        return let();
      default: {
        auto loop = std::make_unique<ast::FabricLoop>();
        loop->bindings = bindings(1);
        loop->condition = maybe(1);
        loop->items = fabric_items(depth - 1);
        trailing(*loop);
        return loop;
      }
    }
  }
  ast::CollectiveDeclaration collective() {
    ast::CollectiveDeclaration result;
    result.kind = name();
    result.arguments = arguments();
    if (c_.often()) {
      result.items = chunks(2);
      trailing(result);
    }
    return result;
  }
  std::vector<ast::ChunkItem> chunks(int depth) {
    std::vector<ast::ChunkItem> result;
    for (std::uint32_t count = 1 + c_.pick(2); count > 0; --count) {
      ast::ChunkItem item;
      item.comments = comments();
      if (result.empty()) item.comments.blank_line_before = false;
      if (depth > 0 && c_.often()) {
        auto loop = std::make_unique<ast::ChunkLoop>();
        loop->bindings = bindings(1);
        loop->condition = maybe(1);
        loop->items = chunks(depth - 1);
        trailing(*loop);
        item.node = std::move(loop);
      } else {
        ast::ChunkDeclaration chunk{boxed(1), nullptr, maybe(1), maybe(1), maybe(1), c_.rarely()};
        if (!chunk.everyone) chunk.target = maybe(1);
        item.node = std::move(chunk);
      }
      result.push_back(std::move(item));
    }
    return result;
  }

  ast::InvariantDeclaration invariant() {
    ast::InvariantDeclaration result;
    result.step = {name(), boxed(2)};
    result.items = held_items(2);
    trailing(result);
    return result;
  }
  std::vector<ast::HeldItem> held_items(int depth) {
    std::vector<ast::HeldItem> result;
    for (std::uint32_t count = 1 + c_.pick(2); count > 0; --count) {
      ast::HeldItem item;
      item.comments = comments();
      if (result.empty()) item.comments.blank_line_before = false;
      if (depth > 0 && c_.often()) {
        auto loop = std::make_unique<ast::HeldLoop>();
        loop->bindings = bindings(1);
        loop->condition = maybe(1);
        loop->items = held_items(depth - 1);
        trailing(*loop);
        item.node = std::move(loop);
      } else {
        ast::HeldStatement held{boxed(1), nullptr, maybe(1), c_.rarely(), c_.often(), boxed(2), maybe(1)};
        if (!held.everyone) held.target = maybe(1);
        item.node = std::move(held);
      }
      result.push_back(std::move(item));
    }
    return result;
  }

  // --- comments ---

  std::vector<std::string> comment_lines() {
    std::vector<std::string> result;
    if (!c_.rarely()) return result;
    result.emplace_back(pick(comment_texts));
    if (c_.often()) result.emplace_back(ast::blank_line);
    if (result.size() == 2 || c_.often()) result.emplace_back(pick(comment_texts));
    return result;
  }
  ast::Comments comments() {
    ast::Comments result;
    result.before = comment_lines();
    if (c_.rarely()) result.after = pick(comment_texts);
    result.blank_line_before = c_.rarely();
    result.blank_line_after_comments = !result.before.empty() && c_.rarely();
    return result;
  }
  template <class Owner>
  void trailing(Owner& owner) {
    owner.trailing_comments = comment_lines();
    owner.blank_line_before_trailing = !owner.trailing_comments.empty() && c_.often();
  }

  Choices& c_;
};

}  // namespace

ast::File generate_program(Choices& choices) { return Generator(choices).file(); }

ast::Expression generate_expression(Choices& choices, int depth) { return Generator(choices).expression(depth); }

}  // namespace quadrille::testing
