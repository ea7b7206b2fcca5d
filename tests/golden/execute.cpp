#include "tests/golden/execute.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace quadrille::golden {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "quadrille-golden-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

Outcome execute(const std::string& command, const std::filesystem::path& folder, const std::filesystem::path& path,
                bool together) {
  const TemporaryFolder results;
  const auto output = results.path() / "output";
  const auto errors = results.path() / "errors";
  write_file(results.path() / "command", command + "\n");
  const std::string line = fmt::format("cd '{}' && PATH='{}':\"$PATH\" LC_ALL=C.UTF-8 bash '{}' </dev/null >'{}' 2>{}",
                                       folder.string(), path.string(), (results.path() / "command").string(),
                                       output.string(), together ? "&1" : "'" + errors.string() + "'");
  const int status = std::system(line.c_str());
  return {.output = read_file(output),
          .errors = read_file(errors),
          .status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

}  // namespace quadrille::golden
