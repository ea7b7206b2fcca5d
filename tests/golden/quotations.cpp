// The rows of a page about a paper (verdicts.h), each beside the paper:
//
//     quotations PAGE [PAPER]
//
// Every row quotes the paper, has a verdict, and shows a command or says why there is none (`No command: …`). PAPER is
// the paper's text: quotations stand there word for word, apart from the breaks of lines; what a quotation leaves out
// is `…`. And whatever has a number in the paper, as a theorem, figure, table, algorithm or equation, is named in the
// heading of a row. Prints what is missing, and ends with 1 if anything is.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Row {
  std::string heading;
  std::string quotation;  // its lines, joined
  bool has_verdict = false;
  bool has_command = false;
  bool says_why_not = false;
};

std::vector<std::string> lines_of(const char* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<Row> rows_of(const std::vector<std::string>& lines) {
  std::vector<Row> rows;
  bool in_row = false;
  for (const std::string& line : lines) {
    if (line.starts_with("#")) in_row = line.starts_with("### ");
    if (line.starts_with("### ")) rows.emplace_back().heading = line.substr(4);
    if (!in_row) continue;
    Row& row = rows.back();
    if (line.starts_with("> ")) row.quotation += line.substr(2) + " ";
    row.has_verdict = row.has_verdict || line.starts_with("**");
    row.has_command = row.has_command || line.starts_with("$ ");
    row.says_why_not = row.says_why_not || line.find("No command: ") != line.npos;
  }
  return rows;
}

// With one blank in the place of several, and of breaks of lines.
std::string in_one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

bool quotes(const std::string& quotation, const std::string& paper) {
  static const std::string left_out = "…";
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= quotation.size();) {
    const std::size_t end = std::min(quotation.find(left_out, begin), quotation.size());
    const std::string piece = in_one_line(" " + quotation.substr(begin, end - begin));
    const std::size_t found = paper.find(piece.starts_with(' ') ? piece.substr(1) : piece, at);
    if (found == paper.npos) return false;
    at = found + piece.size();
    begin = end + left_out.size();
  }
  return true;
}

// "Theorem 1", "Figure 2", "(3)": what the paper numbers.
std::set<std::string> numbered_in(const std::string& paper) {
  static const std::regex named(R"((Theorem|Lemma|Corollary|Proposition|Figure|Fig\.|Table|Algorithm)\s+(\d+))");
  static const std::regex equation(R"((?:\$\$?|steps\.?|\\quad|\\tag)\.?\s*\{?\(?(\d+)\)\}?\s)");
  std::set<std::string> all;
  for (std::sregex_iterator it(paper.begin(), paper.end(), named), end; it != end; ++it) {
    all.insert(((*it)[1] == "Fig." ? "Figure" : (*it)[1].str()) + " " + (*it)[2].str());
  }
  for (std::sregex_iterator it(paper.begin(), paper.end(), equation), end; it != end; ++it) {
    all.insert("(" + (*it)[1].str() + ")");
  }
  return all;
}

bool names(const std::vector<Row>& rows, const std::string& thing) {
  return std::ranges::any_of(rows, [&](const Row& row) {
    const std::size_t at = row.heading.find(thing);
    const std::size_t end = at + thing.size();
    return at != row.heading.npos && (end >= row.heading.size() || !std::isdigit(row.heading[end]));
  });
}

std::vector<std::string> faults(const std::vector<Row>& rows) {
  std::vector<std::string> all;
  if (rows.empty()) all.emplace_back("the page has no rows");
  for (const Row& row : rows) {
    if (row.quotation.empty()) all.push_back(row.heading + ": quotes nothing");
    if (!row.has_verdict) all.push_back(row.heading + ": has no verdict");
    if (!row.has_command && !row.says_why_not) all.push_back(row.heading + ": has no command, and does not say why");
  }
  return all;
}

std::vector<std::string> faults_beside(const std::vector<Row>& rows, const std::string& paper) {
  std::vector<std::string> all;
  for (const Row& row : rows) {
    if (!quotes(row.quotation, paper)) all.push_back(row.heading + ": is not in the paper: " + row.quotation);
  }
  for (const std::string& thing : numbered_in(paper)) {
    if (!names(rows, thing)) all.push_back(thing + ": has no row");
  }
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 3) {
    fmt::print(stderr, "usage: quotations PAGE [PAPER]\n");
    return 2;
  }
  const std::vector<Row> rows = rows_of(lines_of(arguments[1]));
  std::vector<std::string> all = faults(rows);
  if (count == 3) {
    std::string paper;
    for (const std::string& line : lines_of(arguments[2])) paper += line + "\n";
    std::ranges::copy(faults_beside(rows, in_one_line(paper)), std::back_inserter(all));
  }
  for (const std::string& fault : all) fmt::print("{}\n", fault);
  fmt::print("{} rows, {} faults\n", rows.size(), all.size());
  return all.empty() ? 0 : 1;
}
