// Runs a child process by POSIX. Its input is a file without a name, so nobody waits for it to read. Its output is a
// pipe, which is polled while the limits are looked at.
#include "driver/files/started_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>

extern char** environ;

namespace quadrille::driver {
namespace {

constexpr std::size_t most_output = 1 << 16;
constexpr int between_looks = 5;  // milliseconds

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// A file with this content, at its beginning; null if there is no room.
File file_with(const std::string& text) {
  File file(std::tmpfile(), std::fclose);
  if (!file) return file;
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
  if (!whole || ::lseek(::fileno(file.get()), 0, SEEK_SET) != 0) file.reset();
  return file;
}

// Reads until the end or the limits; returns whether it was the end.
bool read_all(int descriptor, const Limits& limits, std::string& output) {
  std::array<char, 4096> piece{};
  while (limits.reached() == Reason::none) {
    struct pollfd waiting {
      descriptor, POLLIN, 0
    };
    if (::poll(&waiting, 1, between_looks) <= 0) continue;
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    if (output.size() < most_output) output.append(piece.data(), static_cast<std::size_t>(got));
  }
  return false;
}

// Starts the program; returns its process, or nothing.
std::optional<pid_t> start(const std::vector<std::string>& command, int input, int output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int failure = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? std::optional(process) : std::nullopt;
}

}  // namespace

ProgramRun run_to_end(const std::vector<std::string>& command, const std::string& input, const Limits& limits) {
  ProgramRun run;
  const File file = file_with(input);
  std::array<int, 2> ends{};
  if (!file || ::pipe2(ends.data(), O_CLOEXEC) != 0) return run;
  const auto process = start(command, ::fileno(file.get()), ends[1]);
  ::close(ends[1]);
  if (process) {
    run.ended = read_all(ends[0], limits, run.output);
    if (!run.ended) ::kill(*process, SIGKILL);
    int status = 0;
    while (::waitpid(*process, &status, 0) < 0 && errno == EINTR) continue;
    // 127 is the status of a shell, and of some systems' posix_spawnp, if the program does not exist.
    run.found = !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
  }
  ::close(ends[0]);
  return run;
}

}  // namespace quadrille::driver
