// A command of the command line: its name, its options, and what it does. A new one is a file that defines one and a
// line in commands.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/environment.h"

namespace quadrille::cli {

// Names of an option as a person types them ("-o,--output"), what its value is called ("FILE"; a flag has none), and
// what it does, in a line.
struct OptionText {
  std::string names;
  std::string value;
  std::string help;
  bool required = false;
};

// Numbers that an option takes, ends included.
template <class Number>
struct Between {
  Number least;
  Number most;
};

// Where a command declares its options. Variables live as long as the command, and keep their values where an option is
// not given.
class Options {
 public:
  virtual ~Options() = default;
  // Arguments without a dash: one, or one and more.
  virtual void positional(const OptionText& text, std::string& value) = 0;
  virtual void positionals(const OptionText& text, std::vector<std::string>& values) = 0;
  virtual void flag(const OptionText& text, bool& value) = 0;
  virtual void word(const OptionText& text, std::string& value) = 0;
  virtual void words(const OptionText& text, std::vector<std::string>& values) = 0;  // may be given several times
  virtual void choice(const OptionText& text, const std::vector<std::string>& choices, std::string& value) = 0;
  virtual void number(const OptionText& text, Between<std::uint64_t> range, std::uint64_t& value) = 0;
  virtual void real(const OptionText& text, Between<double> range, double& value) = 0;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view purpose() const = 0;  // in a line
  virtual void declare(Options& options) = 0;
  // Does what was asked for, and says so. The result is an ExitStatus.
  virtual int run(driver::Environment& environment) = 0;
};

using CommandList = std::vector<std::unique_ptr<Command>>;

// Every command, in the order of the help.
CommandList all_commands();

}  // namespace quadrille::cli
