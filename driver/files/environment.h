// The outside world of the commands. It is a parameter, so that tests can run commands in memory.
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

// A file's new content. It takes its place in one go, after all of it has been written. If it is not kept, it leaves
// no trace.
class NewFile {
 public:
  virtual ~NewFile() = default;
  // Writes a piece. False once something has gone wrong; keep() returns the reason.
  virtual bool write(std::string_view text) = 0;
  // Puts the file into its place. Returns nothing, or the reason why that failed ("No space left on device").
  virtual std::optional<std::string> keep() = 0;
};

// A file that is read piece by piece.
class OpenFile {
 public:
  virtual ~OpenFile() = default;
  // Fills the front of the span with the next bytes. Returns their number, 0 at the end, nothing on an error.
  virtual std::optional<std::size_t> read(std::span<char> bytes) = 0;
};

// The reason why a file cannot be read.
struct Unreadable {
  std::string why;               // "Is a directory"
  Reason reason = Reason::none;  // the limit that was reached while waiting for it
};

// An activity that lasts as long as this object.
class Ticker {
 public:
  virtual ~Ticker() = default;
};

class Environment {
 public:
  virtual ~Environment() = default;

  // Writes to standard output. False if it takes no more (its reader has gone, the disk is full); then the caller may
  // stop.
  virtual bool print(std::string_view text) = 0;
  // Sends off at once what print() may have kept back. The result is as that of print().
  virtual bool flush() { return true; }
  // Writes to standard error.
  virtual void print_error(std::string_view text) = 0;
  virtual bool output_goes_to_a_terminal() const = 0;
  virtual bool errors_go_to_a_terminal() const = 0;
  // An environment variable of the process; nothing if there is none with this name.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;

  // All of standard input, without a byte order mark before it. Errors: it cannot be read, or a limit was reached while
  // waiting for it.
  virtual Result<std::string> read_input(const Limits& limits) = 0;
  // A file's text, without a byte order mark before it, or its first `size` bytes as they are; nothing if it cannot be
  // read or is a folder. A file that is not regular (a named pipe) is read completely at the first request, and kept;
  // it is waited for within the limits of keep_within().
  virtual std::optional<std::string> read_file(const std::string& path) = 0;
  virtual std::optional<std::string> read_beginning(const std::string& path, std::size_t size) = 0;
  // The reason why the file cannot be read ("Is a directory"); nothing if there is no such file, or if it can be
  // read.
  virtual std::optional<Unreadable> why_unreadable(const std::string& path) = 0;
  // Whether something of that name is there, whatever it is; nothing is read.
  virtual bool exists(const std::string& path) = 0;
  // Opens a file; null if that fails. If bytes must be waited for (a pipe), reading ends with an error once the
  // limits are reached. Requires that the limits outlive the file.
  virtual std::unique_ptr<OpenFile> open_file(const std::string& path, const Limits& limits) = 0;
  // Loads a table as formats/table_io.h does.
  virtual Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options) = 0;
  // Never null.
  virtual std::unique_ptr<NewFile> create_file(const std::string& path) = 0;
  // Makes a folder and the folders around it, unless they exist. Returns nothing, or the reason why that failed.
  virtual std::optional<std::string> create_folder(const std::string& path) = 0;
  // Removes a file, unless there is none. Returns nothing, or the error: "cannot remove …".
  virtual std::optional<std::string> remove_file(const std::string& path) = 0;
  // Renames a folder; the new name must be unused. Returns nothing, or the reason why that failed.
  virtual std::optional<std::string> rename_folder(const std::string& from, const std::string& to) = 0;
  // Removes a folder and its contents.
  virtual void remove_folder(const std::string& path) = 0;
  // Runs another program, found by PATH, with this standard input; ends it when the limits are reached.
  virtual ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                                 const Limits& limits) = 0;

  // From now on the first interrupt (Ctrl-C, SIGTERM) does not end the process, but requests a stop of this token. The
  // next one ends the process (model/limits/interrupt.h).
  virtual std::stop_token interrupts() = 0;
  // Sets the limits of everything from now on. They limit waiting. They also limit allocation, as a backstop in case
  // an account of memory is wrong: an allocation far beyond them fails with std::bad_alloc.
  virtual void keep_within(const Limits& limits) = 0;

  virtual std::chrono::steady_clock::time_point now() const = 0;
  // Calls `act` at this interval, on a thread of its own, until the ticker is destroyed.
  virtual std::unique_ptr<Ticker> every(std::chrono::milliseconds interval, std::function<void()> act) = 0;

  // Sends off the printed text at the end of a command. A real process ends here, since freeing a command's memory
  // may take long; otherwise the result is the status.
  virtual int leave(int status) = 0;
};

}  // namespace quadrille::driver
