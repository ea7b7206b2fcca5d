#include "tests/golden/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace quadrille::golden {
namespace {

// A part of the text.
struct Part {
  std::size_t begin;
  std::size_t end;
};

std::string_view verdict_of(const Command& command, int status) {
  if (status == 0) return "**holds**";
  if (status == 1) return "**false**";
  if (status == 3) return "**unknown**";
  throw std::runtime_error(
      fmt::format("line {}: ends with status {}, which is no verdict: {}", command.line, status, command.text));
}

// The row in which a command stands.
std::optional<Part> row_around(std::string_view text, std::size_t at) {
  const std::size_t heading = text.substr(0, at).rfind("\n#");
  if (heading == text.npos || !text.substr(heading + 1).starts_with("### ")) return std::nullopt;
  return Part{heading, std::min(text.find("\n#", at), text.size())};
}

// The verdict in a row: it begins a line.
std::optional<Part> verdict_in(std::string_view text, const Part& row) {
  for (const std::string_view verdict : {"\n**holds**", "\n**false**", "\n**unknown**"}) {
    const std::size_t at = text.substr(0, row.end).find(verdict, row.begin);
    if (at != text.npos) return Part{at + 1, at + verdict.size()};
  }
  return std::nullopt;
}

}  // namespace

std::string with_verdicts(std::string_view text, const CaseFile& file, const std::vector<int>& statuses) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < file.commands.size(); ++i) {
    const auto row = row_around(text, file.commands[i].begin);
    const bool is_last = row && (i + 1 == file.commands.size() || file.commands[i + 1].begin > row->end);
    const auto verdict = is_last ? verdict_in(text, *row) : std::nullopt;
    if (!verdict) continue;
    (result += text.substr(copied, verdict->begin - copied)) += verdict_of(file.commands[i], statuses[i]);
    copied = verdict->end;
  }
  return result += text.substr(copied);
}

}  // namespace quadrille::golden
