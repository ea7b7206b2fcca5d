// Reading piece by piece what may be a pipe.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "driver/files/real_environment.h"

namespace quadrille::driver {
namespace {

class Pipe {
 public:
  Pipe() {
    std::string name = (std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    REQUIRE(::mkfifo(path().c_str(), 0600) == 0);
  }
  ~Pipe() { std::filesystem::remove_all(folder_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const { return (folder_ / "pipe").string(); }

 private:
  std::filesystem::path folder_;
};

TEST_CASE("a pipe that nobody writes is not waited for beyond the limits") {
  const Pipe pipe;
  RealEnvironment environment;
  Limits limits;
  limits.deadline = Limits::Clock::time_point::min();
  const auto file = environment.open_file(pipe.path(), limits);
  REQUIRE(file);
  std::array<char, 10> bytes;
  CHECK_FALSE(file->read(bytes));
}

TEST_CASE("a pipe that somebody writes later is read to its end") {
  const Pipe pipe;
  RealEnvironment environment;
  const Limits limits;
  const auto file = environment.open_file(pipe.path(), limits);
  REQUIRE(file);
  std::thread writer([&] { std::ofstream(pipe.path()) << "a proof"; });
  std::string text;
  std::array<char, 10> bytes;
  while (const auto got = file->read(bytes)) {
    if (*got == 0) break;
    text.append(bytes.data(), *got);
  }
  writer.join();
  CHECK(text == "a proof");
}

}  // namespace
}  // namespace quadrille::driver
