#include "cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <functional>
#include <sstream>
#include <vector>

#include "cli/commands.h"
#include "model/diagnostic.h"
#include "model/ids.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

constexpr const char* statuses =
    "Exit status: 0 holds, proved, optimal, accepted or done, 1 violated, refuted, impossible or rejected\n"
    "(fmt --check: a file differs), 2 bad input or usage, 3 unknown (time, memory, size, Ctrl-C). A search\n"
    "that finds a schedule, but not whether it is the shortest, ends with 3, with --steps 0.";

// The command line's definition, and where the values end up.
class CommandLine {
 public:
  explicit CommandLine(driver::Environment& environment) : environment_(environment) {
    app_.footer(std::string("`quadrille COMMAND --help` tells more.\n\n") + statuses);
    app_.set_version_flag("--version", "quadrille " QUADRILLE_VERSION);
    app_.require_subcommand(1);
    add_compile();
    CLI::App* check =
        add_report("check", "Judge every property of a table, and the claims of its schedule", check_, check_command);
    check->add_flag("--no-claims", check_.no_claims, "Judge the table only, not the claims of its schedule");
    check
        ->add_option_function<std::string>(
            "--list", [this](const std::string& number) { set_listed(number); },
            "Describe so many violations of each property (3); all are counted")
        ->type_name("NUMBER");
    add_report("replay", "Move the packets through a simulated fabric: queues, link use, time", replay_,
               replay_command);
    add_prove();
    add_fmt();
    add_command("list", "Name the schedules that ship, with their parameters", list_command);
    add_command("fabrics", "Name the kinds of fabric that --on and schedules understand", fabrics_command);
    add_bounds();
    add_search();
    add_certify();
  }

  // Parses; then the command's own status, or that of bad usage.
  int run(std::span<const std::string> arguments) {
    try {
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& stop) {
      return leave(stop, arguments);
    }
    return chosen_();
  }

 private:
  CLI::App* add_subcommand(const std::string& name, const std::string& purpose, std::function<int()> action) {
    CLI::App* command = app_.add_subcommand(name, purpose);
    command->footer(statuses);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return command;
  }

  void add_command(const std::string& name, const std::string& purpose, int (*action)(driver::Environment&)) {
    add_subcommand(name, purpose, [this, action] { return action(environment_); });
  }

  static void add_request(CLI::App* command, driver::TableRequest& request, bool tables) {
    command
        ->add_option("FILE", request.file,
                     tables ? "A schedule (a path, or the name of one that ships) or a send table; - is standard input"
                            : "A schedule: a path, or the name of one that ships; - is standard input")
        ->type_name("")
        ->required();
    command->add_option("-D,--define", request.defines, "Set a parameter of the schedule")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command->add_option("--on", request.on, "The fabric to run on, instead of the schedule's own (see fabrics)")
        ->type_name("FABRIC");
    command->add_flag("--retime", request.retime,
                      "Same sends, same order, each as early as the fabric's capacities allow");
  }

  void add_compile() {
    CLI::App* command = add_subcommand("compile", "Write the send table of a schedule for one size",
                                       [this] { return compile_command(compile_, environment_); });
    add_request(command, compile_.request, false);
    command->add_option("-o,--output", compile_.output, "Where the table goes; standard output if not given")
        ->type_name("FILE");
    command
        ->add_option_function<std::string>(
            "--format", [this](const std::string& name) { set_format(name); }, "csv (usual), json or binary")
        ->type_name("FORMAT");
  }

  void set_format(const std::string& name) {
    const auto format = table_format_named(name);
    if (!format) throw CLI::ValidationError("--format", fmt::format("{} is not one of csv, json, binary", name));
    compile_.format = *format;
  }

  void set_listed(const std::string& number) {
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), check_.listed);
    if (status == std::errc() && end == number.data() + number.size()) return;
    throw CLI::ValidationError("--list", fmt::format("{} is not a number, 0 or more", number));
  }

  CLI::App* add_report(const std::string& name, const std::string& purpose, ReportArguments& arguments,
                       int (*action)(const ReportArguments&, driver::Environment&)) {
    CLI::App* command =
        add_subcommand(name, purpose, [this, &arguments, action] { return action(arguments, environment_); });
    add_request(command, arguments.request, true);
    command->add_flag("--json", arguments.json, "Print one JSON object instead of text");
    return command;
  }

  void add_prove() {
    CLI::App* command = add_subcommand("prove", "Show a schedule right for every size at once, with Z3",
                                       [this] { return prove_command(prove_, environment_); });
    command->add_option("FILE", prove_.file, "A schedule: a path, or the name of one that ships; - is standard input")
        ->type_name("")
        ->required();
    command->add_option("-D,--define", prove_.defines, "Prove it for this value of a parameter only")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option_function<std::string>(
            "--timeout", [this](const std::string& seconds) { set_timeout(seconds); },
            "Seconds for each obligation, or each size (60)")
        ->type_name("SECONDS");
    command
        ->add_option("--sizes", prove_.sizes, "Check these values of the size parameter one by one instead of proving")
        ->type_name("FROM..TO");
    command->add_option("--emit-smt2", prove_.smt2, "Write each obligation there, as SMT-LIB 2, for other solvers")
        ->type_name("FOLDER");
    command->add_flag("--all", prove_.all, "List every obligation, not only each property");
    command->add_flag("--json", prove_.json, "Print one JSON object instead of text");
  }

  void set_timeout(const std::string& seconds) {
    constexpr double most = 1'000'000;
    const auto [end, status] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), prove_.timeout);
    const bool all = status == std::errc() && end == seconds.data() + seconds.size();
    if (all && prove_.timeout >= 0.001 && prove_.timeout <= most) return;
    throw CLI::ValidationError("--timeout", fmt::format("{} is not a number of seconds, 0.001 to {}", seconds, most));
  }

  void add_fmt() {
    CLI::App* command = add_subcommand("fmt", "Give schedule files their one canonical layout",
                                       [this] { return fmt_command(fmt_, environment_); });
    command->add_option("FILE", fmt_.files, "Files to rewrite; - is standard input to standard output")
        ->type_name("")
        ->required();
    command->add_flag("--check", fmt_.check, "Rewrite nothing; name the files that differ, and end with 1 if any does");
  }

  void add_bounds() {
    CLI::App* command = add_subcommand("bounds", "Tell how many steps any schedule needs at least, and why",
                                       [this] { return bounds_command(bounds_, environment_); });
    command
        ->add_option("--collective", bounds_.collective,
                     "What is to be done, as in a table's head: total_exchange, or scatter:root=0")
        ->type_name("COLLECTIVE")
        ->required();
    command->add_option("--on", bounds_.on, "The fabric to do it on (see fabrics)")->type_name("FABRIC")->required();
    command->add_flag("--json", bounds_.json, "Print one JSON object instead of text");
  }

  void add_search() {
    CLI::App* command = add_subcommand("search", "Find the shortest schedule, or prove that none is shorter",
                                       [this] { return search_command(search_, environment_); });
    command->add_option("--collective", search_.collective, "What is to be done: total_exchange, or scatter:root=0")
        ->type_name("COLLECTIVE")
        ->required();
    command->add_option("--on", search_.on, "The fabric to do it on (see fabrics)")->type_name("FABRIC")->required();
    command->add_option("--steps", search_.steps, "At most so many steps; if not given, the fewest")
        ->type_name("T")
        ->check(CLI::Range(1U, max_step));
    command
        ->add_option("--queue", search_.queue, "How many packets a switch may hold over, instead of the fabric's rule")
        ->type_name("none|unbounded|NUMBER");
    command
        ->add_option("--inject", search_.inject,
                     "Whether a packet may leave its processor in one step only, or in many")
        ->type_name("once|many")
        ->check(CLI::IsMember({"once", "many"}));
    command
        ->add_option("--paths", search_.paths,
                     "Trees: whether packets keep to the paths from where they start; usual: kept if each is for one "
                     "processor, or is injected once")
        ->type_name("kept|any")
        ->check(CLI::IsMember({"kept", "any"}));
    command->add_option("--chunks", search_.chunks, "Split every message into so many parts")
        ->type_name("C")
        ->check(CLI::Range(1U, max_step));
    command
        ->add_option(
            "--rounds", search_.rounds,
            "Steps of several rounds, so many in all: in a step of r rounds a channel of capacity c carries r*c "
            "packets, and what arrives leaves in a later step")
        ->type_name("R")
        ->check(CLI::Range(1U, max_step));
    command->add_option("--timeout", search_.timeout, "Seconds for the whole search (60)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.001, 1e9));
    command->add_option("--memory", search_.memory, "GiB that formulas may take (8)")
        ->type_name("GIB")
        ->check(CLI::Range(0.001, 1e6));
    command->add_option("--engine", search_.engine, "The solver: cadical (usual) or z3")
        ->type_name("NAME")
        ->check(CLI::IsMember({"cadical", "z3"}));
    command->add_option("-o,--output", search_.output, "Where the table goes")->type_name("FILE");
    command->add_option("--schedule", search_.schedule, "Where the table goes as a schedule in the language")
        ->type_name("FILE");
    command
        ->add_option(
            "--certificate", search_.certificate,
            "A folder for the evidence that fewer steps are too few; with --pareto, for one such folder for each point")
        ->type_name("FOLDER");
    command->add_flag("--pareto", search_.pareto, "List for each number of steps the fewest rounds");
    command->add_flag("--json", search_.json, "Print one JSON object instead of text");
  }

  void add_certify() {
    CLI::App* command = add_subcommand("certify", "Judge a certificate that there is no schedule of so many steps",
                                       [this] { return certify_command(certify_, environment_); });
    command->add_option("FILE", certify_.file, "A certificate; the files that it names lie beside it")
        ->type_name("")
        ->required();
    command->add_flag("--json", certify_.json, "Print one JSON object instead of text");
  }

  // --help and --version are no mistakes; everything else is.
  int leave(const CLI::ParseError& stop, std::span<const std::string> arguments) {
    std::ostringstream output;
    std::ostringstream ignored;
    if (app_.exit(stop, output, ignored) == 0) {
      environment_.print(output.str());
      return exit_done;
    }
    std::string command = "quadrille";
    for (const CLI::App* chosen : app_.get_subcommands()) command += " " + chosen->get_name();
    environment_.print_error(fmt::format("error: {}\nsee `{} --help`\n", mistake(stop, arguments), command));
    return exit_bad_input;
  }

  std::string mistake(const CLI::ParseError& stop, std::span<const std::string> arguments) const {
    if (arguments.empty()) return "expected a command";
    const auto commands = app_.get_subcommands();
    if (commands.empty() && !arguments.front().starts_with('-')) {
      return with_nearest(fmt::format("there is no command '{}'", arguments.front()), arguments.front(), names());
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&stop) != nullptr) {
      const std::vector<std::string> extras = app_.remaining(true);
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
        for (const std::string& name : option->get_lnames()) result.push_back("--" + name);
      }
    }
    return result;
  }

  driver::Environment& environment_;
  CLI::App app_{"Quadrille compiles, checks and replays schedules of collective communication.", "quadrille"};
  CompileArguments compile_;
  ReportArguments check_;
  ReportArguments replay_;
  ProveArguments prove_;
  FmtArguments fmt_;
  BoundsArguments bounds_;
  SearchArguments search_;
  CertifyArguments certify_;
  std::function<int()> chosen_;
};

}  // namespace

int run(std::span<const std::string> arguments, driver::Environment& environment) {
  return CommandLine(environment).run(arguments);
}

}  // namespace quadrille::cli
