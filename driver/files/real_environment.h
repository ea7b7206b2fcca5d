// The outside world of a process: its streams, the file system, the clock.
#pragma once

#include <map>
#include <string>

#include "driver/files/environment.h"
#include "model/limits/interrupt.h"
#include "model/limits/read_within.h"

namespace quadrille::driver {

class RealEnvironment final : public Environment {
 public:
  RealEnvironment();
  ~RealEnvironment() override;
  RealEnvironment(const RealEnvironment&) = delete;
  RealEnvironment& operator=(const RealEnvironment&) = delete;

  bool print(std::string_view text) override;
  bool flush() override;
  void print_error(std::string_view text) override;
  bool output_goes_to_a_terminal() const override;
  bool errors_go_to_a_terminal() const override;
  std::optional<std::string> variable(const std::string& name) const override;
  Result<std::string> read_input(const Limits& limits) override;
  std::optional<std::string> read_file(const std::string& path) override;
  std::optional<std::string> read_beginning(const std::string& path, std::size_t size) override;
  std::optional<Unreadable> why_unreadable(const std::string& path) override;
  bool exists(const std::string& path) override;
  std::unique_ptr<OpenFile> open_file(const std::string& path, const Limits& limits) override;
  Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options) override;
  std::unique_ptr<NewFile> create_file(const std::string& path) override;
  std::optional<std::string> create_folder(const std::string& path) override;
  std::optional<std::string> remove_file(const std::string& path) override;
  std::optional<std::string> rename_folder(const std::string& from, const std::string& to) override;
  void remove_folder(const std::string& path) override;
  ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                         const Limits& limits) override;
  std::stop_token interrupts() override;
  void keep_within(const Limits& limits) override;
  std::chrono::steady_clock::time_point now() const override;
  std::unique_ptr<Ticker> every(std::chrono::milliseconds interval, std::function<void()> act) override;

  // Flushes, reports text that could not be written, and ends the process (except where a sanitizer looks for leaks).
  int leave(int status) override;

  // Sends off the text that print() has kept back. Returns nothing, or the reason why standard output did not take
  // everything; a reader who has gone is not counted.
  std::optional<std::string> finish();

 private:
  const WholeText* stream(const std::string& path);

  std::optional<Interrupts> interrupts_;
  std::string waiting_;  // for standard output
  int failure_ = 0;      // errno of the first write that failed
  Limits limits_;
  std::map<std::string, WholeText> streams_;  // files that are not regular, by path
};

}  // namespace quadrille::driver
