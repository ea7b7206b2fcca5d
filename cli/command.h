// Commands of the command line: each has a name, options, and something that it does. A new one is a file that defines
// one and a line in commands.cpp; a program of its own adds one, and what can be named, to a Registry:
//
//   cli::Registry registry;
//   registry.world.formats.push_back(dot_format());
//   registry.commands.push_back(make_narrate_command);
//   return cli::run(arguments, environment, registry);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/files/environment.h"
#include "driver/inputs/world.h"

namespace quadrille::cli {

// Names of an option as a person types them ("-o,--output"), what its value is called ("FILE"; a flag has none), and
// what it does, in a line.
struct OptionText {
  std::string names;
  std::string value;
  std::string help;
  bool required = false;
  std::string former = {};  // an old name, understood for one version, with a note; not in the help
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
  virtual void flag(const OptionText& text, bool& value) = 0;      // true where it is given
  virtual void opposite(const OptionText& text, bool& value) = 0;  // false where it is given
  virtual void word(const OptionText& text, std::string& value) = 0;
  virtual void words(const OptionText& text, std::vector<std::string>& values) = 0;  // may be given several times
  virtual void choice(const OptionText& text, const std::vector<std::string>& choices, std::string& value) = 0;
  virtual void whole(const OptionText& text, Between<std::uint64_t> range, std::function<void(std::uint64_t)> keep) = 0;
  template <class Number>
  void number(const OptionText& text, Between<std::uint64_t> range, Number& value) {
    whole(text, range, [&value](std::uint64_t given) { value = static_cast<Number>(given); });
  }
  virtual void real(const OptionText& text, Between<double> range, double& value) = 0;
  // Becomes the whole command as it was given, quoted for a shell.
  virtual void command_line(std::string&) {}
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

struct Registry;
using CommandMaker = std::function<std::unique_ptr<Command>(const Registry& registry)>;

// The commands that Quadrille has, in the order of the help.
std::vector<CommandMaker> standard_commands();

// What a command line knows: lists that may be extended. It lives as long as its commands.
struct Registry {
  driver::World world = {};  // topologies, collectives, formats
  std::vector<CommandMaker> commands = standard_commands();
};

using CommandList = std::vector<std::unique_ptr<Command>>;
CommandList make_commands(const Registry& registry);

}  // namespace quadrille::cli
