// A file's new content goes to a file with another name in the same folder, which is renamed when it is complete:
// renaming replaces a file in one go (POSIX, rename). After an interrupt, a signal handler removes the unfinished
// file; it knows the path from static memory.
#include "driver/files/replaced_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "driver/files/write_all.h"

namespace quadrille::driver {
namespace {

// The path of the file that is being written, for the signal handler; empty: there is none.
std::array<char, 4096> unfinished_path;
std::atomic<bool> unfinished = false;

void remember_unfinished(const std::string& path) {
  if (path.size() >= unfinished_path.size()) return;
  std::memcpy(unfinished_path.data(), path.c_str(), path.size() + 1);
  unfinished = true;
}

extern "C" void on_interrupt(int signal_number) {
  if (unfinished) ::unlink(unfinished_path.data());
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

// The path after links are followed; the path itself if nothing exists there yet.
std::string followed(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (!real) return path;
  std::string result = real;
  std::free(real);
  return result;
}

// A file that is written beside its place, and then renamed.
class ReplacedFile final : public NewFile {
 public:
  ReplacedFile(const std::string& path, std::optional<mode_t> permissions)
      : path_(followed(path)), temporary_(fmt::format("{}.{}.tmp", path_, ::getpid())) {
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      error_ = errno;
      return;
    }
    remember_unfinished(temporary_);
    if (permissions && ::fchmod(descriptor_, *permissions) != 0) error_ = errno;
  }

  ~ReplacedFile() override { discard(); }
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  bool write(std::string_view text) override {
    if (error_ == 0) error_ = write_all(descriptor_, text);
    return error_ == 0;
  }

  std::optional<std::string> keep() override {
    if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) error_ = errno;
    const bool created = descriptor_ >= 0;
    descriptor_ = -1;
    if (created && error_ == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0) error_ = errno;
    if (created && error_ != 0) ::unlink(temporary_.c_str());
    unfinished = false;
    if (error_ != 0) return std::strerror(error_);
    return std::nullopt;
  }

 private:
  void discard() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    unfinished = false;
  }

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  int error_ = 0;
};

// A file that is written directly.
class DirectFile final : public NewFile {
 public:
  explicit DirectFile(const std::string& path) : descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) error_ = errno;
  }
  ~DirectFile() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;

  bool write(std::string_view text) override {
    if (error_ == 0) error_ = write_all(descriptor_, text);
    return error_ == 0;
  }

  std::optional<std::string> keep() override {
    if (error_ != 0) return std::strerror(error_);
    return std::nullopt;
  }

 private:
  int descriptor_;
  int error_ = 0;
};

}  // namespace

std::unique_ptr<NewFile> replace_file(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) return std::make_unique<DirectFile>(path);
  return std::make_unique<ReplacedFile>(path, exists ? std::optional<mode_t>(status.st_mode & 07777) : std::nullopt);
}

void remove_unfinished_files_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_DFL) ::sigaction(number, &action, nullptr);
  }
}

}  // namespace quadrille::driver
