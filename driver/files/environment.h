// The outside world, as the commands see it: it is a parameter, so that tests can run them in memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "driver/files/started_program.h"
#include "formats/table_io.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::driver {

// A file's new content. It takes its place when all of it is written, in one go; a file that is not kept was never
// there.
class NewFile {
 public:
  virtual ~NewFile() = default;
  // False once something has gone wrong; keep() says what.
  virtual bool write(std::string_view text) = 0;
  // Puts the file into its place. Nothing, or why that could not be done ("No space left on device").
  virtual std::optional<std::string> keep() = 0;
};

// A file that is read piece by piece.
class OpenFile {
 public:
  virtual ~OpenFile() = default;
  // Fills the front of the span with the bytes that come next; their number, 0 at the end, nothing on an error.
  virtual std::optional<std::size_t> read(std::span<char> bytes) = 0;
};

// Why a file cannot be read.
struct Unreadable {
  std::string why;               // "Is a directory"
  Reason reason = Reason::none;  // the limit that was reached while it was waited for
};

// Something that goes on as long as this lives.
class Ticker {
 public:
  virtual ~Ticker() = default;
};

class Environment {
 public:
  virtual ~Environment() = default;

  // Standard output. False when it takes no more (its reader has gone, the disk is full): then one may as well stop.
  virtual bool print(std::string_view text) = 0;
  // Standard error.
  virtual void print_error(std::string_view text) = 0;
  virtual bool output_goes_to_a_terminal() const = 0;
  virtual bool errors_go_to_a_terminal() const = 0;
  // One of the variables that the process was started with; nothing if there is none of that name.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;

  // All of standard input; or why it cannot be read, or the limit that was reached while it was waited for.
  virtual Result<std::string> read_input(const Limits& limits) = 0;
  // A file's text, or its first `size` bytes; nothing if it cannot be read or is a folder. Of what is no regular file
  // (a named pipe) all is read when it is first asked for, and kept; it is waited for within the limits of
  // keep_within().
  virtual std::optional<std::string> read_file(const std::string& path) = 0;
  virtual std::optional<std::string> read_beginning(const std::string& path, std::size_t size) = 0;
  // Why that file cannot be read ("Is a directory"); nothing if there is none of that name, or it can.
  virtual std::optional<Unreadable> why_unreadable(const std::string& path) = 0;
  // Null if it cannot be opened. Where bytes have to be waited for (a pipe), reading ends with an error once the limits
  // are reached; these must outlive the file.
  virtual std::unique_ptr<OpenFile> open_file(const std::string& path, const Limits& limits) = 0;
  // As formats/table_io.h.
  virtual Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options) = 0;
  // Never null.
  virtual std::unique_ptr<NewFile> create_file(const std::string& path) = 0;
  // Makes a folder, and those that it lies in, unless they are there. Nothing, or why that could not be done.
  virtual std::optional<std::string> create_folder(const std::string& path) = 0;

  // Gives a folder a name that nothing has yet. Nothing, or why that could not be done.
  virtual std::optional<std::string> rename_folder(const std::string& from, const std::string& to) = 0;
  // Removes a folder and what lies in it.
  virtual void remove_folder(const std::string& path) = 0;
  // Another program, found by PATH, with that standard input; it is ended when the limits are reached.
  virtual ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                                 const Limits& limits) = 0;

  // From now on the first interrupt (Ctrl-C) does not end the process: it requests this token's stop. The next one
  // does.
  virtual std::stop_token interrupts() = 0;
  // The limits of all that is done from now on: for what is waited for, and, as a backstop, should an account of memory
  // be wrong, for what is allocated: what goes far beyond that fails with std::bad_alloc.
  virtual void keep_within(const Limits& limits) = 0;

  virtual std::chrono::steady_clock::time_point now() const = 0;
  // From now on `act` is called every so often, on a thread of its own, until the ticker is destroyed.
  virtual std::unique_ptr<Ticker> every(std::chrono::milliseconds interval, std::function<void()> act) = 0;

  // All has been said: sends off what was printed. A process ends then and there, since freeing what a command holds
  // may take long; where there is none, the result is the status.
  virtual int leave(int status) = 0;
};

}  // namespace quadrille::driver
