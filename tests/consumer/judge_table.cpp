// A program that only checks: it reads a table from standard input and judges it. It links no solver.
#include <quadrille/check.h>
#include <quadrille/table_io.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

int main() {
  using namespace quadrille;
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const Sources sources{{"standard input", text}};
  const auto table = read_table(sources.front(), 0);
  if (!table) {
    std::fputs(render(table.diagnostics(), sources).c_str(), stderr);
    return exit_bad_input;
  }
  const Report report = check(*table);
  std::printf("%s in %llu steps\n", to_string(report.verdict).data(), static_cast<unsigned long long>(report.steps));
  return exit_status(report.verdict);
}
