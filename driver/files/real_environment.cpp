// The outside world by POSIX: files, standard streams, Ctrl-C, clock and memory limit. Tests have an environment of
// their own in memory. Output is collected into pieces of 64 KiB. A failure to write is kept, and reported once at
// the end.
#include "driver/files/real_environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "driver/files/replaced_file.h"
#include "driver/files/write_all.h"
#include "formats/table_io.h"
#include "model/limits/memory_ceiling.h"
#include "model/text/byte_order_mark.h"
#include "model/verdict.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t piece = 1 << 16;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

// Up to `limit` bytes from a descriptor; nothing on an error (for example, a folder).
std::optional<std::string> read_descriptor(int descriptor, std::size_t limit) {
  std::string text;
  while (text.size() < limit) {
    const std::size_t before = text.size();
    text.resize(before + std::min(piece, limit - before));
    const ssize_t got = ::read(descriptor, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
  }
  return text;
}

std::optional<std::string> read_path(const std::string& path, std::size_t limit) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::optional<std::string> text = read_descriptor(descriptor, limit);
  ::close(descriptor);
  return text;
}

// Opens a closed standard stream to a place that refuses every request. Otherwise the next file that is opened would
// get its number, and be mistaken for it.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    ::open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);  // the least number that is free
  }
}

// A file whose descriptor does not block.
class DescriptorFile final : public OpenFile {
 public:
  DescriptorFile(int descriptor, const Limits& limits) : descriptor_(descriptor), limits_(limits) {}
  ~DescriptorFile() override { ::close(descriptor_); }
  DescriptorFile(const DescriptorFile&) = delete;
  DescriptorFile& operator=(const DescriptorFile&) = delete;

  std::optional<std::size_t> read(std::span<char> bytes) override { return read_ready(descriptor_, bytes, limits_); }

 private:
  int descriptor_;
  const Limits& limits_;
};

class TickerThread final : public Ticker {
 public:
  TickerThread(std::chrono::milliseconds interval, std::function<void()> act)
      : thread_([this, interval, act = std::move(act)](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, stop, interval, [] { return false; }) && !stop.stop_requested()) act();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  // the last: it ends before what it uses
};

// Some editors put a byte order mark before a text.
std::optional<std::string> without_mark(std::optional<std::string> text) {
  if (text && text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
  return text;
}

}  // namespace

RealEnvironment::RealEnvironment() {
  occupy_closed_streams();
  remove_unfinished_files_on_interrupt();
}

RealEnvironment::~RealEnvironment() { flush(); }

bool RealEnvironment::print(std::string_view text) {
  waiting_ += text;
  return waiting_.size() < piece ? failure_ == 0 : flush();
}

bool RealEnvironment::flush() {
  if (failure_ == 0) failure_ = write_all(STDOUT_FILENO, waiting_);
  waiting_.clear();
  return failure_ == 0;
}

void RealEnvironment::print_error(std::string_view text) {
  flush();
  write_all(STDERR_FILENO, text);
}

bool RealEnvironment::output_goes_to_a_terminal() const { return ::isatty(STDOUT_FILENO) == 1; }

bool RealEnvironment::errors_go_to_a_terminal() const { return ::isatty(STDERR_FILENO) == 1; }

std::optional<std::string> RealEnvironment::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::string> RealEnvironment::read_input(const Limits& limits) {
  WholeText whole = read_whole(STDIN_FILENO, limits);
  if (whole.text) return *without_mark(std::move(whole.text));
  const Code code = whole.reason == Reason::none ? Code::file : code_of(whole.reason);
  return error_at({}, fmt::format("cannot read standard input: {}", whole.why), code);
}

// The contents of a file that is not regular; null if it is regular, or does not exist. It is read once, because
// bytes that were taken out of a pipe do not come again.
const WholeText* RealEnvironment::stream(const std::string& path) {
  if (const auto known = streams_.find(path); known != streams_.end()) return &known->second;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return nullptr;
  return &streams_.emplace(path, read_whole(path, limits_)).first->second;
}

std::optional<std::string> RealEnvironment::read_file(const std::string& path) {
  const WholeText* waited = stream(path);
  return without_mark(waited != nullptr ? waited->text : read_path(path, std::string::npos));
}

std::optional<std::string> RealEnvironment::read_beginning(const std::string& path, std::size_t size) {
  const WholeText* waited = stream(path);
  if (waited == nullptr) return read_path(path, size);
  return waited->text ? std::optional(waited->text->substr(0, size)) : std::nullopt;
}

std::optional<Unreadable> RealEnvironment::why_unreadable(const std::string& path) {
  if (const WholeText* waited = stream(path))
    return waited->text ? std::nullopt : std::optional(Unreadable{waited->why, waited->reason});
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == ENOENT ? std::nullopt : std::optional(Unreadable{std::strerror(errno)});
  // A folder can be opened; only reading it fails.
  char byte = 0;
  const bool failed = ::read(descriptor, &byte, 1) < 0;
  const std::string why = failed ? std::strerror(errno) : "";
  ::close(descriptor);
  return failed ? std::optional(Unreadable{why}) : std::nullopt;
}

bool RealEnvironment::exists(const std::string& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

std::unique_ptr<OpenFile> RealEnvironment::open_file(const std::string& path, const Limits& limits) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return descriptor < 0 ? nullptr : std::make_unique<DescriptorFile>(descriptor, limits);
}

Result<SendTable> RealEnvironment::load_table(const std::string& path, Sources& sources, const ReadOptions& options) {
  const WholeText* waited = stream(path);
  if (waited == nullptr || !waited->text) return quadrille::load_table(path, sources, options);
  sources.push_back({path, *waited->text});
  return read_table(sources.back(), static_cast<std::uint32_t>(sources.size() - 1), options);
}

std::unique_ptr<NewFile> RealEnvironment::create_file(const std::string& path) { return replace_file(path); }

std::optional<std::string> RealEnvironment::create_folder(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) return failure.message();
  return std::nullopt;
}

std::optional<std::string> RealEnvironment::remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return std::nullopt;
  return fmt::format("cannot remove {}: {}", path, std::strerror(errno));
}

std::optional<std::string> RealEnvironment::rename_folder(const std::string& from, const std::string& to) {
  if (exists(to)) return "it is there already";
  std::error_code failure;
  std::filesystem::rename(from, to, failure);
  if (failure) return failure.message();
  return std::nullopt;
}

void RealEnvironment::remove_folder(const std::string& path) {
  std::error_code failure;
  std::filesystem::remove_all(path, failure);
}

ProgramRun RealEnvironment::run_program(const std::vector<std::string>& command, const std::string& input,
                                        const Limits& limits) {
  return run_to_end(command, input, limits);
}

std::stop_token RealEnvironment::interrupts() {
  if (!interrupts_) interrupts_.emplace();
  return interrupts_->token();
}

void RealEnvironment::keep_within(const Limits& limits) {
  limits_ = limits;
  if constexpr (sanitized) return;  // shadow memory is larger than any limit
  const std::uint64_t bytes = limits.memory;
  set_memory_ceiling(bytes);
  // The system limits libraries that allocate by malloc. Everything else (code's data, stacks of threads, holes in
  // the heap) has extra room.
  const std::uint64_t room = bytes / 4 + (std::uint64_t{512} << 20);
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t wanted = bytes > RLIM_INFINITY - room ? RLIM_INFINITY : bytes + room;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
}

int RealEnvironment::leave(int status) {
  if (const auto failure = finish()) {
    print_error(fmt::format("error: cannot write to standard output: {}\n", *failure));
    status = exit_bad_input;
    failure_ = 0;  // it is reported once, also where leaving comes back
  }
  if constexpr (!sanitized) std::_Exit(status);
  return status;
}

std::chrono::steady_clock::time_point RealEnvironment::now() const { return std::chrono::steady_clock::now(); }

std::unique_ptr<Ticker> RealEnvironment::every(std::chrono::milliseconds interval, std::function<void()> act) {
  return std::make_unique<TickerThread>(interval, std::move(act));
}

std::optional<std::string> RealEnvironment::finish() {
  flush();
  // A reader that has seen enough (`| head`) closes the pipe; this is no failure.
  if (failure_ == 0 || failure_ == EPIPE) return std::nullopt;
  return std::strerror(failure_);
}

}  // namespace quadrille::driver
