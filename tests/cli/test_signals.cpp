// SIGTERM, which batch systems and `timeout` send: the first asks, as Ctrl-C does.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

#include "model/verdict.h"
#include "tests/cli/workshop.h"

namespace quadrille::cli {
namespace {

// A terminal, and what is written there.
class Terminal {
 public:
  Terminal() : ours_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(ours_ >= 0);
    REQUIRE((::grantpt(ours_) == 0 && ::unlockpt(ours_) == 0));
    theirs_ = ::open(::ptsname(ours_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Terminal() {
    ::close(ours_);
    ::close(theirs_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int descriptor() const { return theirs_; }

  // Whether these words come before a minute without any.
  bool shows(const std::string& words) const {
    std::string shown;
    std::array<char, 4096> piece{};
    struct pollfd waiting {
      ours_, POLLIN, 0
    };
    while (shown.find(words) == std::string::npos) {
      if (::poll(&waiting, 1, 60'000) <= 0) return false;
      const ssize_t got = ::read(ours_, piece.data(), piece.size());
      if (got <= 0) return false;
      shown.append(piece.data(), static_cast<std::size_t>(got));
    }
    return true;
  }

 private:
  int ours_;
  int theirs_ = -1;
};

TEST_CASE("after SIGTERM what is known is said, and the schedule found is written") {
  const Workshop shop;
  const Terminal terminal;
  const pid_t search =
      shop.start({"search", "--collective", "total_exchange", "--on", "mesh:5x5,queue=25", "-o", "found.csv"}, -1,
                 terminal.descriptor());
  CHECK(terminal.shows("(at least 30, found "));
  ::kill(search, SIGTERM);
  const Finished ended = shop.finished(search);
  CHECK(ended.status == exit_unknown);
  CHECK(ended.output.find("found: it was cancelled") != std::string::npos);
  CHECK(std::filesystem::exists(shop.path("found.csv")));
}

TEST_CASE("SIGTERM ends the wait for input, with that reason") {
  const Workshop shop;
  REQUIRE(::mkfifo(shop.path("pipe").c_str(), 0600) == 0);
  const pid_t check = shop.start({"check", "pipe"}, -1);
  const int writer = ::open(shop.path("pipe").c_str(), O_WRONLY | O_CLOEXEC);  // waits for its reader
  ::kill(check, SIGTERM);
  const Finished ended = shop.finished(check);
  ::close(writer);
  CHECK(ended.status == exit_unknown);
  CHECK(ended.errors.find("it has not been read to its end: cancelled") != std::string::npos);
}

}  // namespace
}  // namespace quadrille::cli
