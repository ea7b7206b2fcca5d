#include "tests/dsl/tree_text.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace quadrille::testing {
namespace {

constexpr std::string_view binary_names[] = {
    "or", "xor", "and", "==", "!=", "<", "<=", ">", ">=", "shl", "shr", "+", "-", "*", "/", "mod", "^"};

std::string text(const ast::ExpressionPtr& expression) { return expression ? tree_text(*expression) : "_"; }

std::string text(const std::vector<ast::Expression>& list) {
  std::string result = "[";
  for (const ast::Expression& expression : list) result += tree_text(expression) + ' ';
  return result + ']';
}

std::string text(const std::vector<ast::Binding>& bindings) {
  std::string result;
  for (const ast::Binding& binding : bindings)
    result += fmt::format("{{{} {}}}", binding.variable.text, text(binding.set));
  return result;
}

struct ExpressionText {
  std::string operator()(const ast::IntegerLiteral& e) const { return fmt::to_string(e.value); }
  std::string operator()(const ast::BoolLiteral& e) const { return e.value ? "true" : "false"; }
  std::string operator()(const ast::NameUse& e) const { return e.name; }
  std::string operator()(const ast::NodeUse& e) const {
    return fmt::format("{}{}{}", e.quoted ? "'" : "@", e.name.text, text(e.indices));
  }
  std::string operator()(const ast::Unary& e) const {
    return fmt::format("({} {})", e.op == ast::UnaryOperator::negate ? "-" : "not", text(e.operand));
  }
  std::string operator()(const ast::Binary& e) const {
    return fmt::format("({} {} {})", binary_names[static_cast<std::size_t>(e.op)], text(e.left), text(e.right));
  }
  std::string operator()(const ast::Conditional& e) const {
    return fmt::format("(if {} {} {})", text(e.condition), text(e.then), text(e.otherwise));
  }
  std::string operator()(const ast::CallExpression& e) const { return e.callee.text + text(e.arguments); }
  std::string operator()(const ast::Range& e) const {
    return fmt::format("({} {} {})", e.descending ? "downto" : "..", text(e.from), text(e.to));
  }
  std::string operator()(const ast::SetLiteral& e) const { return "set" + text(e.elements); }
  std::string operator()(const ast::SetComprehension& e) const {
    return fmt::format("(set {} {} {})", text(e.element), text(e.bindings), text(e.condition));
  }
  std::string operator()(const ast::Fold& e) const {
    return fmt::format("({} {} {} {})", e.function.text, text(e.element), text(e.bindings), text(e.condition));
  }
};

class TreePrinter {
 public:
  std::string file(const ast::File& file) {
    for (const ast::Item& item : file.items) {
      std::visit([&](const auto& node) { print(node); }, item.node);
      if (!std::holds_alternative<ast::Statement>(item.node)) comments(item.comments);
    }
    trailing(file.trailing_comments, file.blank_line_before_trailing);
    return out_;
  }

 private:
  void line(std::string_view words) { out_ += fmt::format("{:{}}{}\n", "", 2 * depth_, words); }

  void comments(const ast::Comments& c) {
    if (c.blank_line_before) line("~ blank");
    for (const std::string& comment : c.before) line(comment == ast::blank_line ? "~ ~" : "~ before '" + comment + "'");
    if (c.blank_line_after_comments) line("~ blank after");
    if (c.after) line("~ after '" + *c.after + "'");
  }

  void trailing(const std::vector<std::string>& texts, bool blank) {
    if (blank) line("~ blank before trailing");
    for (const std::string& comment : texts) line(comment == ast::blank_line ? "~ ~" : "~ trailing '" + comment + "'");
  }

  // --- items ---

  void print(const ast::Include& i) { line("include " + i.path); }
  void print(const ast::Parameter& p) {
    const char* kind = p.set ? "set" : p.list ? "list" : p.pattern ? "true" : "false";
    line(fmt::format("param {} {} {}{} {} {}", p.name.text, kind, text(p.range), p.unbounded ? ".." : "",
                     text(p.default_value), text(p.default_list)));
  }
  void print(const ast::Let& l) {
    line(fmt::format("let {} {}{} {}", l.name.text, l.function, formals(l.parameters), text(l.value)));
  }
  void print(const ast::FabricDeclaration& f) { line("fabric " + f.kind.text + arguments(f.arguments)); }
  void print(const ast::CollectiveDeclaration& c) {
    line("collective " + c.kind.text + arguments(c.arguments));
    items(c);
  }
  void print(const ast::Procedure& p) {
    line("procedure " + p.name.text + formals(p.parameters));
    block(p.body);
  }
  void print(const ast::ClaimDeclaration& c) {
    line(fmt::format("claim {}{} {}", c.optimal ? "optimal " : "", text(c.claim), text(c.when)));
  }

  void print(const ast::FabricDefinition& fabric) {
    line("define " + fabric.name.text);
    for (const ast::Parameter& parameter : fabric.parameters) print(parameter);
    items(fabric);
  }
  // Of what lists things: fabrics, collectives, invariants, and loops in them.
  template <class Owner>
  void items(const Owner& owner) {
    ++depth_;
    for (const auto& item : owner.items) {
      std::visit([&](const auto& node) { print(node); }, item.node);
      comments(item.comments);
    }
    trailing(owner.trailing_comments, owner.blank_line_before_trailing);
    --depth_;
  }
  template <class Loop>
  void print(const std::unique_ptr<Loop>& loop) {
    line(fmt::format("for {} {}", text(loop->bindings), text(loop->condition)));
    items(*loop);
  }
  void print(const ast::InvariantDeclaration& i) {
    line(fmt::format("invariant {} {}", i.step.variable.text, text(i.step.set)));
    items(i);
  }
  void print(const ast::HeldStatement& h) {
    line(fmt::format("held {} {}{} {} {} {} {}", text(h.processor), h.everyone, text(h.target), text(h.part),
                     h.at_least, text(h.origins), text(h.when)));
  }
  void print(const ast::ProcessorCount& p) { line("processors " + text(p.count)); }
  void print(const ast::Switches& s) {
    for (const ast::SwitchArray& array : s.arrays) line("switches " + array.name.text + text(array.extents));
  }
  void print(const ast::Link& l) {
    line(fmt::format("link {} {} {} {} {}{} {}{}", l.one_way, text(l.from), text(l.to), text(l.lanes),
                     text(l.latency.value), l.latency.unit, text(l.bandwidth.value), l.bandwidth.unit));
  }
  void print(const ast::Route& r) {
    line(fmt::format("route {} {} {} {}", r.source.text, r.target.text, text(r.when), text(r.along)));
  }

  static std::string formals(const std::vector<ast::FormalParameter>& list) {
    std::string result = "(";
    for (const auto& formal : list) result += formal.name.text + ':' + (formal.type ? formal.type->text : "_") + ' ';
    return result + ')';
  }

  static std::string arguments(const std::vector<ast::Argument>& list) {
    std::string result = "(";
    for (const ast::Argument& argument : list) {
      result += fmt::format("{}.{}={} ", argument.key ? argument.key->text : "_",
                            (argument.variable ? argument.variable->text : "_") +
                                (argument.second_variable ? "," + argument.second_variable->text : ""),
                            text(argument.values));
    }
    return result + ')';
  }

  void print(const ast::ChunkDeclaration& c) {
    line(fmt::format("chunk {} {}{} {} {} {}", text(c.origin), c.everyone, text(c.target), text(c.part),
                     text(c.held_by), text(c.wanted_by)));
  }

  // --- statements ---

  void block(const ast::Block& b) {
    ++depth_;
    for (const ast::Statement& statement : b.statements) print(statement);
    trailing(b.trailing_comments, b.blank_line_before_trailing);
    --depth_;
  }
  void print(const ast::Statement& statement) {
    if (statement.then) line("then");
    std::visit([&](const auto& node) { print(node); }, statement.node);
    comments(statement.comments);
  }
  void print(const ast::At& s) { line("at " + text(s.step)), block(s.body); }
  void print(const ast::For& s) {
    line(fmt::format("for {} {} if {}", s.in_turn, text(s.bindings), text(s.condition))), block(s.body);
  }
  void print(const ast::If& s) {
    line("if " + text(s.condition)), block(s.then);
    if (s.otherwise) line("else"), block(*s.otherwise);
  }
  void print(const ast::LetStatement& s) { line(fmt::format("let {} {}", s.name.text, text(s.value))); }
  void print(const ast::Send& s) {
    std::string words = fmt::format("send {} {} {}", text(s.source), text(s.target), text(s.along));
    for (const ast::TreeLinks& it : s.links) words += fmt::format(" links {} {}", text(it.from), text(it.to));
    for (const ast::Wait& wait : s.waits) {
      words += fmt::format(" wait {} {}", text(wait.steps), text(wait.at));
      if (wait.before) words += " before " + text(wait.before);
    }
    if (const auto& c = s.carrying) {
      words += fmt::format(" carrying {} {}{} {}", text(c->origin), c->everyone, text(c->target), text(c->part));
      if (c->held) words += " held " + text(c->condition);
      if (c->sum) words += " sum " + text(c->sum);
    }
    if (s.keeping) words += " keeping";
    line(words);
  }
  void print(const ast::Repeat& s) { line("repeat " + text(s.times)), block(s.body); }
  void print(const ast::Reverse& s) { line("reverse"), block(s.body); }
  void print(const ast::Relabel& s) {
    const std::string count = s.count ? " of " + text(s.count) : "";
    const std::string part = s.part ? fmt::format(" part {} {}", s.part->text, text(s.part_image)) : "";
    line(fmt::format("relabel {} {}{}{} {} {}", s.variable.text, text(s.image), count, part,
                     s.carried ? s.carried->text : "_", text(s.carried_image)));
    block(s.body);
  }
  void print(const ast::Discipline& s) { line("by " + s.name.text), block(s.body); }
  void print(const ast::Run& s) { line(fmt::format("run {}{}", s.file.text, arguments(s.arguments))); }
  void print(const ast::CallStatement& s) { line("call " + s.callee.text + text(s.arguments)); }

  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string tree_text(const ast::Expression& expression) { return std::visit(ExpressionText{}, expression.node); }

std::string tree_text(const ast::File& file) { return TreePrinter().file(file); }

}  // namespace quadrille::testing
