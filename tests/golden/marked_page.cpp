#include "tests/golden/marked_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tests/environment.h"

namespace quadrille::golden {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != text.npos;) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    at = end == text.npos ? text.npos : end + 1;
  }
  return parts;
}

bool line_fits(std::string_view found, std::string_view wanted) {
  const auto cells = split(found, '|');
  const auto wanted_cells = split(wanted, '|');
  if (cells.size() != wanted_cells.size()) return false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != wanted_cells[i] && wanted_cells[i] != " " + left_out + " ") return false;
  }
  return true;
}

using Lines = std::span<const std::string_view>;

bool fits(Lines found, Lines wanted) {
  for (; !wanted.empty(); wanted = wanted.subspan(1), found = found.subspan(1)) {
    if (wanted.front() == left_out) {
      for (std::size_t skipped = 0; skipped <= found.size(); ++skipped) {
        if (fits(found.subspan(skipped), wanted.subspan(1))) return true;
      }
      return false;
    }
    if (found.empty() || !line_fits(found.front(), wanted.front())) return false;
  }
  return found.empty();
}

// The lines of the one that are nowhere in the other, each behind the sign.
std::string lacking(Lines from, Lines in, char sign) {
  std::string text;
  for (const std::string_view line : from) {
    if (std::ranges::find(in, line) == in.end()) text += fmt::format("{}{}\n", sign, line);
  }
  return text;
}

}  // namespace

std::string contents(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

int renew_part(const std::string& path, const MarkedPart& marked, bool update) {
  const std::string begin_mark = fmt::format("<!-- {}: written by {} --update -->\n", marked.part, marked.program);
  const std::string end_mark = fmt::format("<!-- end of {} -->\n", marked.part);
  const std::string text = marked.text(tests::brief && !update);  // first, as others may write the page meanwhile
  const std::string page = contents(path);
  const std::size_t begin = page.find(begin_mark);
  const std::size_t end = page.find(end_mark);
  if (begin == page.npos || end == page.npos || end < begin) throw std::runtime_error("the page has lost its marks");
  const std::string wanted = page.substr(0, begin + begin_mark.size()) + text + page.substr(end);
  if (update) std::ofstream(path) << wanted;
  const auto before = split(page, '\n');
  const auto after = split(wanted, '\n');
  if (update || fits(before, after)) return 0;
  std::cout << fmt::format("{} on the page is out of date; {} --update writes:\n{}{}", marked.part, marked.program,
                           lacking(before, after, '-'), lacking(after, before, '+'));
  return 1;
}

int run_marked_page(int count, char** arguments, const MarkedPart& marked) {
  const bool update = count == 3 && std::string_view(arguments[1]) == "--update";
  if (count != 2 && !update) {
    std::cerr << fmt::format("usage: {} [--update] PAGE\n", marked.program);
    return 2;
  }
  try {
    return renew_part(arguments[count - 1], marked, update);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace quadrille::golden
