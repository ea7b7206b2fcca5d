#include "tests/golden/case_file.h"

#include <fmt/format.h>

#include <charconv>

namespace quadrille::golden {
namespace {

// Reads a text line by line, and knows where each began.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool done() const { return next_ >= text_.size(); }
  std::size_t number() const { return number_; }  // of the line last read, from 1
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return next_; }
  std::string_view peek() const { return text_.substr(next_, text_.find('\n', next_) - next_); }

  // The next line without its newline. Requires !done().
  std::string_view take() {
    const std::string_view line = peek();
    begin_ = next_;
    next_ = std::min(text_.size(), next_ + line.size() + 1);
    ++number_;
    return line;
  }

  // The lines up to the next one that begins with `mark`, each with its newline.
  std::string take_until(std::string_view mark) {
    std::string taken;
    while (!done() && !peek().starts_with(mark)) (taken += take()) += '\n';
    return taken;
  }

 private:
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t next_ = 0;
  std::size_t number_ = 0;
};

constexpr std::string_view section_mark = "--- ";
constexpr std::string_view file_block = "```quadrille ";

// The words after "--- ", if the line is a section's head with this first word.
std::optional<std::string> section(std::string_view line, std::string_view word) {
  if (!line.starts_with(section_mark)) return std::nullopt;
  line.remove_prefix(section_mark.size());
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  if (line.empty()) return std::string();
  if (line.front() != ' ') return std::nullopt;
  return std::string(line.substr(1));
}

std::string without_last_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// The expectations after a command, to where the next command or the text's end is.
std::optional<std::string> read_expectations(Lines& lines, Command& command) {
  command.begin = lines.end();
  while (!lines.done() && !section(lines.peek(), "command") && !section(lines.peek(), "file")) {
    const std::string_view head = lines.take();
    if (section(head, "output")) {
      command.expected.output = lines.take_until(section_mark);
    } else if (section(head, "errors")) {
      command.expected.errors = lines.take_until(section_mark);
    } else if (const auto status = section(head, "status")) {
      std::from_chars(status->data(), status->data() + status->size(), command.expected.status);
    } else {
      return fmt::format("line {}: expected `--- output`, `--- errors`, `--- status N` or `--- command`",
                         lines.number());
    }
  }
  command.end = lines.end();
  return std::nullopt;
}

Parsed parse_sections(std::string_view text) {
  Parsed parsed;
  Lines lines(text);
  lines.take_until(section_mark);  // what the case is about
  while (!lines.done() && !parsed.error) {
    const std::string_view head = lines.take();
    if (const auto name = section(head, "file"); name && !name->empty()) {
      parsed.value.files.emplace_back(*name, lines.take_until(section_mark));
    } else if (section(head, "command")) {
      Command command;
      command.line = lines.number() + 1;
      command.text = without_last_newline(lines.take_until(section_mark));
      parsed.error = read_expectations(lines, command);
      parsed.value.commands.push_back(std::move(command));
    } else {
      parsed.error = fmt::format("line {}: expected `--- file NAME` or `--- command`", lines.number());
    }
  }
  return parsed;
}

Parsed parse_markdown(std::string_view text) {
  Parsed parsed;
  parsed.value.markdown = true;
  Lines lines(text);
  while (!lines.done()) {
    const std::string_view head = lines.take();
    if (head.starts_with(file_block)) {
      parsed.value.files.emplace_back(head.substr(file_block.size()), lines.take_until("```"));
      if (!lines.done()) lines.take();
      continue;
    }
    if (head != "```console") continue;
    while (!lines.done() && !lines.peek().starts_with("```")) {
      const std::string_view line = lines.take();
      if (!line.starts_with("$ ")) {
        parsed.error = fmt::format("line {}: a console block begins with a `$ command`", lines.number());
        return parsed;
      }
      Command command;
      command.text = line.substr(2);
      command.line = lines.number();
      command.begin = lines.end();
      while (!lines.done() && !lines.peek().starts_with("$ ") && !lines.peek().starts_with("```"))
        (command.expected.output += lines.take()) += '\n';
      command.end = lines.end();
      parsed.value.commands.push_back(std::move(command));
    }
    if (!lines.done()) lines.take();
  }
  return parsed;
}

std::string expectations(const Outcome& outcome, bool markdown) {
  if (markdown) return outcome.output;
  std::string text;
  if (!outcome.output.empty()) text += "--- output\n" + outcome.output;
  if (!outcome.output.empty() && !outcome.output.ends_with('\n')) text += '\n';
  if (!outcome.errors.empty()) text += "--- errors\n" + outcome.errors;
  if (!outcome.errors.empty() && !outcome.errors.ends_with('\n')) text += '\n';
  if (outcome.status != 0) text += fmt::format("--- status {}\n", outcome.status);
  return text;
}

}  // namespace

Parsed parse_case(std::string_view text, bool markdown) {
  return markdown ? parse_markdown(text) : parse_sections(text);
}

std::string with_expectations(std::string_view text, const CaseFile& file, const std::vector<Outcome>& actual) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < file.commands.size(); ++i) {
    result += text.substr(copied, file.commands[i].begin - copied);
    if (!result.ends_with('\n')) result += '\n';
    result += expectations(actual[i], file.markdown);
    copied = file.commands[i].end;
  }
  result += text.substr(copied);
  return result;
}

}  // namespace quadrille::golden
