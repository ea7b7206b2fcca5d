// Runs the program itself, in a folder of its own, and measures it.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace quadrille::cli {

inline constexpr double bytes_of_a_mib = 1 << 20;

// The program beside this one.
inline std::filesystem::path program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "quadrille";
}

struct Finished {
  int status = -1;
  double peak = 0;  // resident, in MiB
  std::string errors = {};
  std::string output = {};
};

// A folder in which commands run, and that goes with this.
class Workshop {
 public:
  Workshop() {
    std::string name = (std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Workshop() { std::filesystem::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // `input`: a descriptor for standard input; -1: it is closed.
  Finished run(const std::vector<std::string>& arguments, int input) const { return finished(start(arguments, input)); }
  Finished run(const std::vector<std::string>& arguments) const {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    Finished ended = run(arguments, nothing);
    ::close(nothing);
    return ended;
  }
  // The same in two parts: its process, and its end. `errors`: a descriptor for standard error, if it is not kept.
  pid_t start(const std::vector<std::string>& arguments, int input, int errors = -1) const {
    ::malloc_trim(0);  // what this process has in memory when it forks counts as the child's, too
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) become(arguments, input, errors);
    return child;
  }
  Finished finished(pid_t child) const {
    int status = 0;
    struct rusage usage {};
    REQUIRE(::wait4(child, &status, 0, &usage) == child);
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), static_cast<double>(usage.ru_maxrss) * 1024 / bytes_of_a_mib, text_of("errors"),
            text_of("output")};
  }

 private:
  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[noreturn]] void become(const std::vector<std::string>& arguments, int input, int errors) const {
    const std::string name = program().string();
    std::vector<char*> words{const_cast<char*>(name.c_str())};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::dup2(::open(path("output").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), STDOUT_FILENO);
    if (errors < 0) errors = ::open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(errors, STDERR_FILENO);
    if (::chdir(folder_.c_str()) != 0) ::_exit(127);
    if (input >= 0) ::dup2(input, STDIN_FILENO);
    if (input < 0) ::close(STDIN_FILENO);
    ::execv(name.c_str(), words.data());
    ::_exit(127);
  }

  std::filesystem::path folder_;
};

// MSCCL XML in which so many blocks write one chunk in each of their steps, in no order.
inline std::string racing_program(int blocks, int steps) {
  std::string text =
      "<algo name=\"r\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"1\" coll=\"allreduce\" "
      "inplace=\"0\">\n<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"1\">\n";
  for (int b = 0; b < blocks; ++b) {
    text += fmt::format("<tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", b);
    for (int s = 0; s < steps; ++s) {
      text += fmt::format(
          "<step s=\"{}\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" "
          "deps=\"-1\" hasdep=\"0\"/>\n",
          s);
    }
    text += "</tb>\n";
  }
  return text + "</gpu>\n</algo>\n";
}

}  // namespace quadrille::cli
