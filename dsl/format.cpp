// The canonical layout. What it depends on is the tree alone, never how the author wrote it.
//
// A header and its block share a line if the block is one statement, without comments and `then`, that is a send, call,
// run or let, or a header that shares its line so; there are at most two headers on a line, and at most 100 columns.
#include "dsl/format.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <variant>

#include "dsl/format_declaration.h"
#include "dsl/format_expression.h"
#include "dsl/format_statement.h"

namespace quadrille {
namespace {

using layout::append_clause;
using layout::block_of;
using layout::statement_words;

constexpr std::size_t columns = 100;
constexpr int headers_on_line = 2;

// --- what may share a line ----------------------------------------------------------------------------------------

const ast::If* if_of(const ast::Statement& statement) { return std::get_if<ast::If>(&statement.node); }

bool has_comments(const ast::Comments& comments) { return !comments.before.empty() || comments.after; }

// The block's only statement in one piece, if it may share a line of at most `room` columns with `headers` headers.
std::optional<std::string> shared_line(const ast::Block& block, std::size_t room, int headers) {
  if (block.statements.size() != 1 || !block.trailing_comments.empty() || headers > headers_on_line)
    return std::nullopt;
  const ast::Statement& only = block.statements.front();
  if (only.then || has_comments(only.comments)) return std::nullopt;
  if (const ast::If* conditional = if_of(only); conditional && conditional->otherwise) return std::nullopt;
  std::string text = statement_words(only);
  if (text.size() > room) return std::nullopt;
  if (const ast::Block* inner = block_of(only)) {
    const auto rest = shared_line(*inner, room - text.size(), headers + 1);
    if (!rest || text.size() + 1 + rest->size() > room) return std::nullopt;
    text += ' ' + *rest;
  }
  return text;
}

// An `if` that can be written `else if`: alone in its block, with no comment lines that would have no place.
const ast::If* else_if(const ast::Block& block) {
  if (block.statements.size() != 1 || !block.trailing_comments.empty()) return nullptr;
  const ast::Statement& only = block.statements.front();
  return only.then || !only.comments.before.empty() ? nullptr : if_of(only);
}

// --- lines --------------------------------------------------------------------------------------------------------

class Printer {
 public:
  std::string file(const ast::File& file) {
    for (const ast::Item& item : file.items)
      std::visit([&](const auto& node) { print(node, item.comments); }, item.node);
    trailing(file.trailing_comments, file.blank_line_before_trailing);
    return std::move(out_);
  }

 private:
  // --- items ---

  void print(const ast::Include& include, const ast::Comments& comments) {
    line(comments, "include \"" + include.path + '"');
  }

  void print(const ast::Parameter& parameter, const ast::Comments& comments) {
    line(comments, "param " + layout::line_words(parameter));
  }

  void print(const ast::Let& let, const ast::Comments& comments) { line(comments, layout::line_words(let)); }

  void print(const ast::FabricDeclaration& fabric, const ast::Comments& comments) {
    std::string text = "fabric " + fabric.kind.text;
    layout::append_arguments(text, fabric.arguments);
    line(comments, text);
  }

  void print(const ast::FabricDefinition& fabric, const ast::Comments& comments) {
    std::string text = "fabric " + fabric.name.text;
    std::string_view separator = "(";
    for (const ast::Parameter& parameter : fabric.parameters) {
      text += separator;
      text += layout::line_words(parameter);
      separator = ", ";
    }
    line(comments, text + (fabric.parameters.empty() ? ":" : "):"));
    item_lines(fabric);
  }

  void print(const ast::ClaimDeclaration& claim, const ast::Comments& comments) {
    std::string text;
    append_clause(text, claim.optimal ? "claim optimal " : "claim ", claim.claim);
    append_clause(text, " when ", claim.when);
    line(comments, broken(std::move(text)));
  }

  void print(const ast::Procedure& procedure, const ast::Comments& comments) {
    std::string text = "procedure " + procedure.name.text;
    layout::append_formals(text, procedure.parameters);
    line(comments, text + ':');
    lines(procedure.body);
  }

  void print(const ast::CollectiveDeclaration& collective, const ast::Comments& comments) {
    std::string text = "collective " + collective.kind.text;
    layout::append_arguments(text, collective.arguments);
    if (!collective.items.empty()) text += ':';
    line(comments, text);
    if (!collective.items.empty()) item_lines(collective);
  }

  void print(const ast::Statement& statement, const ast::Comments&) { print(statement); }

  void print(const ast::InvariantDeclaration& invariant, const ast::Comments& comments) {
    owner_lines(layout::header_words(invariant), invariant, comments, headers_on_line);
  }

  // --- blocks that list things: of fabrics, collectives, invariants ---

  template <class Owner>
  void item_lines(const Owner& owner) {
    ++depth_;
    for (const auto& item : owner.items) {
      std::visit([&](const auto& node) { print_item(node, item.comments); }, item.node);
    }
    trailing(owner.trailing_comments, owner.blank_line_before_trailing);
    --depth_;
  }

  template <class Node>
  void print_item(const Node& node, const ast::Comments& comments) {
    if constexpr (requires { layout::line_words(node); }) {
      line(comments, broken(layout::line_words(node)));
    } else {
      owner_lines(layout::loop_words(*node), *node, comments, 1);
    }
  }

  // A header with its block: on its line, of at most so many headers, or below.
  template <class Owner>
  void owner_lines(const std::string& header, const Owner& owner, const ast::Comments& comments, int headers) {
    const auto rest = shared_item(owner, headers - 1);
    const bool fits = rest && 2 * depth_ + header.size() + 1 + rest->size() <= columns;
    line(comments, fits ? header + ' ' + *rest : header);
    if (!fits) item_lines(owner);
  }

  // The block's only line, if it may share the header's, with at most so many headers more.
  template <class Owner>
  static std::optional<std::string> shared_item(const Owner& owner, int headers) {
    if (owner.items.size() != 1 || !owner.trailing_comments.empty() || has_comments(owner.items.front().comments)) {
      return std::nullopt;
    }
    return std::visit(
        [&](const auto& node) -> std::optional<std::string> {
          if constexpr (requires { layout::line_words(node); }) {
            return layout::line_words(node);
          } else {
            if (headers == 0) return std::nullopt;
            const auto rest = shared_item(*node, headers - 1);
            return rest ? std::optional(layout::loop_words(*node) + ' ' + *rest) : std::nullopt;
          }
        },
        owner.items.front().node);
  }

  // --- statements ---

  void print(const ast::Statement& statement) {
    const std::string text = statement_words(statement);
    if (const ast::Block* block = block_of(statement)) {
      header(statement.comments, text, *block);
      if (const ast::If* conditional = if_of(statement)) otherwise(*conditional);
    } else {
      line(statement.comments, broken(text));
    }
  }

  void otherwise(const ast::If& conditional) {
    if (!conditional.otherwise) return;
    if (const ast::If* next = else_if(*conditional.otherwise)) {
      const ast::Statement& statement = conditional.otherwise->statements.front();
      header(statement.comments, "else " + statement_words(statement), next->then);
      otherwise(*next);
    } else {
      header({}, "else:", *conditional.otherwise);
    }
  }

  // A header with its block, on its line or below.
  void header(const ast::Comments& comments, const std::string& text, const ast::Block& block) {
    const std::size_t used = 2 * depth_ + text.size() + 1;
    const auto rest = used < columns ? shared_line(block, columns - used, 1) : std::nullopt;
    line(comments, rest ? text + ' ' + *rest : text);
    if (!rest) lines(block);
  }

  void lines(const ast::Block& block) {
    ++depth_;
    for (const ast::Statement& statement : block.statements) print(statement);
    trailing(block.trailing_comments, block.blank_line_before_trailing);
    --depth_;
  }

  // --- single lines ---

  void line(const ast::Comments& comments, std::string_view text) {
    if (comments.blank_line_before) out_ += '\n';
    comment_lines(comments.before);
    if (comments.blank_line_after_comments) out_ += '\n';
    indent();
    out_ += text;
    if (comments.after) out_ += "  //" + *comments.after;
    out_ += '\n';
  }

  void trailing(const std::vector<std::string>& comments, bool blank_line_before) {
    if (blank_line_before) out_ += '\n';
    comment_lines(comments);
  }

  void comment_lines(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
      if (comment != ast::blank_line) {
        indent();
        out_ += "//" + comment;
      }
      out_ += '\n';
    }
  }

  // The text of a line, on several if it is too long.
  std::string broken(std::string text) const {
    if (2 * depth_ + text.size() <= columns) return text;
    const std::string next_line = '\n' + std::string(2 * depth_ + 2, ' ');
    for (const std::string_view clause : {" when ", " along ", " waiting ", " carrying ", " keeping"}) {
      if (const std::size_t place = text.find(clause); place != text.npos) text.replace(place, 1, next_line);
    }
    return text;
  }

  void indent() { out_.append(2 * depth_, ' '); }

  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string format(const ast::File& file) { return Printer().file(file); }

}  // namespace quadrille
