#include "tests/golden/marked_page.h"

#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace quadrille::golden {
namespace {

std::string contents(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

int compare_or_update(const char* path, const MarkedPart& marked, bool update) {
  const std::string begin_mark = fmt::format("<!-- {}: written by {} --update -->\n", marked.part, marked.program);
  const std::string end_mark = fmt::format("<!-- end of {} -->\n", marked.part);
  const std::string page = contents(path);
  const std::size_t begin = page.find(begin_mark);
  const std::size_t end = page.find(end_mark);
  if (begin == page.npos || end == page.npos || end < begin) throw std::runtime_error("the page has lost its marks");
  const std::string wanted = page.substr(0, begin + begin_mark.size()) + marked.text() + page.substr(end);
  if (update) std::ofstream(path) << wanted;
  if (update || wanted == page) return 0;
  std::cout << fmt::format("The page is out of date; {} --update writes:\n{}", marked.program, wanted);
  return 1;
}

}  // namespace

int run_marked_page(int count, char** arguments, const MarkedPart& marked) {
  const bool update = count == 3 && std::string_view(arguments[1]) == "--update";
  if (count != 2 && !update) {
    std::cerr << fmt::format("usage: {} [--update] PAGE\n", marked.program);
    return 2;
  }
  try {
    return compare_or_update(arguments[count - 1], marked, update);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace quadrille::golden
