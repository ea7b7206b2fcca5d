// The command line, by CLI11, which no other source of `quadrille` sees: commands declare their options to an interface
// (command.h), which is implemented here.
#include "cli/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <exception>
#include <new>
#include <sstream>
#include <vector>

#include "cli/command.h"
#include "cli/render/paint.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/wrapped.h"
#include "model/limits/memory_ceiling.h"
#include "model/text/diagnostic.h"
#include "model/text/number_in.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

constexpr const char* statuses =
    "Exit status: 0 holds, proved, optimal, accepted or done, 1 violated, refuted, impossible or rejected\n"
    "(fmt --check: a file differs), 2 bad input or usage, 3 unknown (time, memory, size, Ctrl-C). A search\n"
    "that finds a schedule, but not whether it is the shortest, ends with 3, with --steps 0.";

// A command's options, declared to CLI11.
class DeclaredOptions final : public Options {
 public:
  // What is to be said of how options are named goes to `notes`, while the command line is read; who asks for the whole
  // line, to `lines`.
  DeclaredOptions(CLI::App& app, std::vector<std::string>& notes, std::vector<std::string*>& lines)
      : app_(app), notes_(notes), lines_(lines) {}

  void positional(const OptionText& text, std::string& value) override {
    dress(app_.add_option(text.names, value, text.help), text);
  }
  void positionals(const OptionText& text, std::vector<std::string>& values) override {
    dress(app_.add_option(text.names, values, text.help), text);
  }
  void flag(const OptionText& text, bool& value) override { app_.add_flag(text.names, value, text.help); }
  void opposite(const OptionText& text, bool& value) override {
    app_.add_flag_callback(
        text.names, [&value] { value = false; }, text.help);
  }
  void word(const OptionText& text, std::string& value) override {
    read(text, [&value, what = text.value](const std::string& given) -> std::string {
      value = given;
      return given.empty() ? fmt::format("a value is needed: {}", what) : "";
    });
  }
  void words(const OptionText& text, std::vector<std::string>& values) override {
    dress(app_.add_option(text.names, values, text.help), text)->allow_extra_args(false);
  }
  void choice(const OptionText& text, const std::vector<std::string>& choices, std::string& value) override {
    read(text, [&value, choices](const std::string& given) -> std::string {
      if (std::find(choices.begin(), choices.end(), given) == choices.end()) {
        return fmt::format("{} is not one of {}", given, fmt::join(choices, ", "));
      }
      value = given;
      return {};
    });
  }
  void whole(const OptionText& text, Between<std::uint64_t> range, std::function<void(std::uint64_t)> keep) override {
    read(text, [range, keep = std::move(keep)](const std::string& given) -> std::string {
      const auto number = number_in<std::uint64_t>(given);
      if (!number || *number < range.least || *number > range.most) {
        return fmt::format("{} is not a number, {} to {}", given, range.least, range.most);
      }
      keep(*number);
      return {};
    });
  }
  void real(const OptionText& text, Between<double> range, double& value) override {
    read(text, [&value, range](const std::string& given) -> std::string {
      const auto number = number_in<double>(given);
      if (!number || !(*number >= range.least && *number <= range.most)) {
        return fmt::format("{} is not a number, {} to {}", given, range.least, range.most);
      }
      value = *number;
      return {};
    });
  }
  void command_line(std::string& line) override { lines_.push_back(&line); }

 private:
  static CLI::Option* dress(CLI::Option* option, const OptionText& text) {
    return option->type_name(text.value)->required(text.required);
  }

  // `take` keeps the value given, or says what is wrong with it.
  void read(const OptionText& text, std::function<std::string(const std::string&)> take) {
    const std::string name = text.names;
    const auto keep = [name, take = std::move(take)](const std::string& given) {
      if (const std::string wrong = take(given); !wrong.empty()) throw CLI::ValidationError(name, wrong);
    };
    dress(app_.add_option_function<std::string>(name, keep, text.help), text);
    if (text.former.empty()) return;
    const auto keep_with_note = [keep, name, former = text.former, &notes = notes_](const std::string& given) {
      notes.push_back(fmt::format("{} is called {} now; the next version does not know the old name", former, name));
      keep(given);
    };
    app_.add_option_function<std::string>(text.former, keep_with_note, "")->type_name(text.value)->group("");  // hidden
  }

  CLI::App& app_;
  std::vector<std::string>& notes_;
  std::vector<std::string*>& lines_;
};

// NAME=VALUE
bool is_definition(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return equals != text.npos && equals > 0 && std::all_of(text.begin(), text.begin() + equals, in_name);
}

// Descriptions in lines that are not too long.
class WrappingFormatter final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = wrapped(Formatter::make_option_desc(option), get_column_width());
    // CLI11 indents lines itself.
    const std::string indented = "\n" + std::string(get_column_width(), ' ');
    for (std::size_t at = text.find(indented); at != text.npos; at = text.find(indented, at + 1)) {
      text.erase(at + 1, get_column_width());
    }
    return text;
  }
};

// The command line's definition.
class CommandLine {
 public:
  CommandLine(driver::Environment& environment, const Registry& registry)
      : environment_(environment), commands_(make_commands(registry)) {
    app_.formatter(std::make_shared<WrappingFormatter>());
    app_.footer(std::string("`quadrille COMMAND --help` tells more.\n\n") + statuses);
    app_.set_version_flag("--version", "quadrille " QUADRILLE_VERSION);
    app_.require_subcommand(1);
    for (const auto& command : commands_) add(*command);
  }

  // Parses; then the command's own status, or that of bad usage.
  int run(std::span<const std::string> arguments) {
    try {
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& stop) {
      return leave(stop, arguments);
    }
    std::string line = "quadrille";
    for (const std::string& each : arguments) line += " " + shell_word(each);
    for (std::string* asked : lines_) *asked = line;
    const Paint paint = paint_for(Stream::errors, "auto", environment_);
    for (const std::string& each : notes_) environment_.print_error(fmt::format("{}: {}\n", paint("note"), each));
    try {
      return chosen_->run(environment_);
    } catch (const std::bad_alloc& refusal) {
      return refuse(std::string(why_no_memory(refusal)), Code::limit, exit_unknown, arguments);
    } catch (const std::exception& bug) {
      return refuse(fmt::format("{} (this is a bug of quadrille)", bug.what()), Code::internal, exit_unknown,
                    arguments);
    }
  }

 private:
  void add(Command& command) {
    CLI::App* app = app_.add_subcommand(std::string(command.name()), std::string(command.purpose()));
    app->footer(statuses);
    app->callback([this, &command] { chosen_ = &command; });
    DeclaredOptions options(*app, notes_, lines_);
    command.declare(options);
  }

  // --help and --version are no mistakes; everything else is.
  int leave(const CLI::ParseError& stop, std::span<const std::string> arguments) {
    // CLI11 writes help by itself; its messages on mistakes are replaced by ours.
    std::ostringstream output;
    std::ostringstream ignored;
    if (app_.exit(stop, output, ignored) == 0) {
      environment_.print(output.str());
      return exit_done;
    }
    std::string command = "quadrille";
    for (const CLI::App* chosen : app_.get_subcommands()) command += " " + chosen->get_name();
    refuse(mistake(stop, arguments), Code::usage, exit_bad_input, arguments);
    environment_.print_error(fmt::format("see `{} --help`\n", command));
    return exit_bad_input;
  }

  int refuse(const std::string& message, Code code, int status, std::span<const std::string> arguments) {
    const Paint paint = paint_for(Stream::errors, "auto", environment_);
    if (std::find(arguments.begin(), arguments.end(), "--json") != arguments.end()) {
      environment_.print(rendered_errors(AsJson{}, {error_at({}, message, code)}, {}, status));
    }
    environment_.print_error(fmt::format("{}: {}\n", paint("error"), message));
    return status;
  }

  std::string mistake(const CLI::ParseError& stop, std::span<const std::string> arguments) const {
    if (arguments.empty()) return "expected a command";
    // From the outside in: no command, a misspelt one, an option that it does not have, a value that is missing.
    const auto commands = app_.get_subcommands();
    const std::string& first = arguments.front();
    if (commands.empty() && first.starts_with('-')) return fmt::format("expected a command, met '{}'", first);
    if (commands.empty()) return with_nearest(fmt::format("there is no command '{}'", first), first, names());
    if (dynamic_cast<const CLI::ExtrasError*>(&stop) != nullptr) {
      const std::vector<std::string> extras = app_.remaining(true);
      if (!extras.empty() && is_definition(extras.front()) && commands.back()->get_option_no_throw("-D") != nullptr) {
        return fmt::format("did not expect '{0}'; each parameter has a -D of its own: -D {0}", extras.front());
      }
      if (!extras.empty()) {
        return with_nearest(fmt::format("did not expect '{}'", extras.front()), extras.front(), options(commands));
      }
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&stop) != nullptr) return missing_value(stop.what());
    return stop.what();
  }

  // "--on: 1 required FABRIC missing" in our words.
  static std::string missing_value(const std::string& message) {
    static constexpr std::string_view before = ": 1 required ";
    static constexpr std::string_view after = " missing";
    const std::size_t at = message.find(before);
    if (at == message.npos || !message.ends_with(after)) return message;
    const std::size_t value = at + before.size();
    return fmt::format("{} needs a value: {}", message.substr(0, at),
                       message.substr(value, message.size() - after.size() - value));
  }

  static std::string with_nearest(const std::string& message, const std::string& word,
                                  const std::vector<std::string>& known) {
    const auto near = nearest(word, known);
    return near ? fmt::format("{}; did you mean '{}'?", message, *near) : message;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const CLI::App* command : app_.get_subcommands({})) result.push_back(command->get_name());
    return result;
  }

  static std::vector<std::string> options(const std::vector<CLI::App*>& commands) {
    std::vector<std::string> result;
    for (const CLI::App* command : commands) {
      for (const CLI::Option* option : command->get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& name : option->get_lnames()) result.push_back("--" + name);
      }
    }
    return result;
  }

  driver::Environment& environment_;
  CLI::App app_{"Quadrille compiles, checks and replays schedules of collective communication.", "quadrille"};
  CommandList commands_;
  std::vector<std::string> notes_;
  std::vector<std::string*> lines_;  // that become the whole command
  Command* chosen_ = nullptr;
};

}  // namespace

int run(std::span<const std::string> arguments, driver::Environment& environment, const Registry& registry) {
  return CommandLine(environment, registry).run(arguments);
}

}  // namespace quadrille::cli
