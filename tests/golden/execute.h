// Runs a shell command in a folder of its own.
#pragma once

#include <filesystem>
#include <string>

#include "tests/golden/case_file.h"

namespace quadrille::golden {

// A new, empty folder that is removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The whole text of a file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

// Runs `command` through the shell in `folder` without standard input; commands of `path` come first. `together`:
// standard error goes where standard output goes. A signal's number is told as 128 + number, as shells do.
Outcome execute(const std::string& command, const std::filesystem::path& folder, const std::filesystem::path& path,
                bool together);

}  // namespace quadrille::golden
