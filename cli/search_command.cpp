#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "cli/commands.h"
#include "cli/refuse.h"
#include "cli/search_pareto.h"
#include "cli/search_report.h"
#include "compiler/decompile.h"
#include "driver/known_schedules.h"
#include "driver/notations.h"
#include "driver/write_file.h"
#include "model/verdict.h"
#include "verifier/search.h"

namespace quadrille::cli {
namespace {

// The rule that --queue names; nothing if it names none.
std::optional<QueueRule> queue_rule(const std::string& text) {
  if (text == "unbounded") return QueueRule{};
  if (text == "none") return QueueRule{0};
  std::uint32_t limit = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return QueueRule{limit};
}

Result<Fabric> wanted_fabric(const SearchArguments& arguments, driver::Environment& environment, Sources& sources) {
  Result<Fabric> fabric = driver::fabric_on(arguments.on, environment, sources);
  if (!fabric || arguments.queue.empty()) return fabric;
  const auto rule = queue_rule(arguments.queue);
  if (!rule) return error_at({}, fmt::format("--queue {}: expected none, unbounded or a number", arguments.queue));
  Rules rules = fabric->rules();
  rules.queue = *rule;
  return Fabric::make(fabric->shape(), rules);
}

Result<Collective> wanted_collective(const SearchArguments& arguments, std::uint32_t processors, Sources& sources) {
  Result<Collective> collective = driver::collective_named(arguments.collective, processors, sources);
  if (!collective || arguments.chunks == 0) return collective;
  CollectiveDescription description = collective->description();
  if (description.kind == CollectiveKind::custom) {
    return error_at({}, "--chunks: a custom collective lists its chunks itself");
  }
  description.parts = arguments.chunks;
  return Collective::make(description, processors);
}

SearchGoal goal_of(const SearchArguments& arguments, const Fabric& fabric, const Collective& collective) {
  SearchGoal goal;
  const bool tree =
      std::holds_alternative<FatTreeShape>(fabric.shape()) || std::holds_alternative<StarShape>(fabric.shape());
  const bool usual = !collective.combining() && (collective.unicast() || arguments.inject == "once");
  goal.keep_to_paths = tree && (arguments.paths.empty() ? usual : arguments.paths == "kept");
  goal.inject_once = arguments.inject == "once";
  if (arguments.steps > 0) goal.steps = arguments.steps;
  if (arguments.rounds == 0) return goal;
  goal.phases = goal.steps;  // SCCL's S steps of R rounds: S phases of R steps
  goal.steps = arguments.rounds;
  return goal;
}

std::string why_no_certificate(const SearchReport& report) {
  const auto& impossible = report.result.impossibility;
  if (!impossible || impossible->steps == 0) return "no number of steps is known to be too few";
  return impossible->by_formula || report.asked.engine == "z3"
             ? "Z3 gives no proofs"
             : "no prices show this bound, and the formula of one step less was not decided";
}

std::optional<std::string> write_certificate(const SearchReport& report, const std::string& folder,
                                             driver::Environment& environment) {
  const auto text = certificate_text(report);
  if (!text) {
    environment.print_error(fmt::format("note: {} is not written: {}\n", folder, why_no_certificate(report)));
    return std::nullopt;
  }
  if (const auto failure = environment.create_folder(folder)) {
    return fmt::format("cannot make the folder {}: {}", folder, *failure);
  }
  const Impossibility& it = *report.result.impossibility;
  if (it.by_formula) {
    if (auto failure = driver::write_file(fmt::format("{}/{}", folder, proof_file), it.proof, environment))
      return failure;
    if (auto failure = driver::write_file(fmt::format("{}/{}", folder, formula_file), it.formula, environment))
      return failure;
  }
  return driver::write_file(folder + "/certificate.txt", *text, environment);
}

// One for each point: in the folders "1-step", "2-steps", … of the folder that was asked for.
std::optional<std::string> write_certificates(const SearchArguments& arguments, const Fabric& fabric,
                                              const Collective& collective, const SearchGoal& goal,
                                              std::vector<ParetoPoint>& points, driver::Environment& environment) {
  for (ParetoPoint& point : points) {
    const SearchGoal kept = goal_of(point, goal);
    const std::string folder =
        fmt::format("{}/{}-step{}", arguments.certificate, point.steps, point.steps == 1 ? "" : "s");
    const SearchReport report{arguments, fabric, collective, kept, point.result};
    if (auto failure = write_certificate(report, folder, environment)) return failure;
    if (certificate_text(report)) point.certificate = folder + "/certificate.txt";
  }
  return std::nullopt;
}

std::optional<std::string> write_found(const SearchReport& report, driver::Environment& environment) {
  if (report.asked.output.empty() || !report.result.table) return std::nullopt;
  const auto fill = [&](driver::NewFile& file) {
    write_table(*report.result.table, TableFormat::csv, [&](std::string_view text) { return file.write(text); });
  };
  return driver::write_file(report.asked.output, fill, environment);
}

std::optional<std::string> write_schedule(const SearchReport& report, driver::Environment& environment) {
  if (report.asked.schedule.empty() || !report.result.table) return std::nullopt;
  const auto text = decompile(*report.result.table);
  if (!text) return "--schedule: the language cannot express this table; -o writes it as it is";
  const std::string head = fmt::format("// {} on {}, found by `quadrille search`.\n", report.collective.notation(),
                                       report.fabric.notation());
  return driver::write_file(report.asked.schedule, head + *text, environment);
}

// A schedule that is found answers what was asked only if a number of steps was asked for.
ExitStatus exit_status(SearchVerdict verdict, bool steps_given) {
  if (verdict == SearchVerdict::impossible) return exit_violated;
  if (verdict == SearchVerdict::optimal || (verdict == SearchVerdict::found && steps_given)) return exit_done;
  return exit_unknown;
}

SearchOptions options_for(const SearchArguments& arguments, driver::Environment& environment) {
  SearchOptions options;
  options.z3 = arguments.engine == "z3";
  options.evidence = !arguments.certificate.empty();
  options.memory = static_cast<std::uint64_t>(arguments.memory * (std::uint64_t{1} << 30));
  const auto end = environment.now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                           std::chrono::duration<double>(arguments.timeout));
  options.cancelled = [&environment, end] { return environment.interrupted() || environment.now() >= end; };
  if (environment.errors_go_to_a_terminal()) {
    options.progress = [&environment](const std::string& what) { environment.print_error(what + "\n"); };
  }
  return options;
}

}  // namespace

int search_command(const SearchArguments& arguments, driver::Environment& environment) {
  Sources sources;
  const auto refuse_with = [&](std::string message) {
    return refuse({error_at({}, std::move(message))}, sources, environment);
  };
  const Result<Fabric> fabric = wanted_fabric(arguments, environment, sources);
  if (!fabric) return refuse(fabric.diagnostics(), sources, environment);
  const Result<Collective> collective = wanted_collective(arguments, fabric->processors(), sources);
  if (!collective) return refuse(collective.diagnostics(), sources, environment);
  if (arguments.rounds > 0 && (arguments.steps == 0 || arguments.steps > arguments.rounds)) {
    return refuse_with("--rounds: expected --steps, too, and no more of them than rounds");
  }
  if (arguments.pareto && (arguments.steps > 0 || !arguments.output.empty() || !arguments.schedule.empty())) {
    return refuse_with("--pareto: goes without --steps, --rounds, -o and --schedule; ask for one point to have those");
  }
  const SearchGoal goal = goal_of(arguments, *fabric, *collective);
  if (const auto why = cannot_search(*fabric, *collective, goal)) return refuse_with(*why);
  if (!arguments.schedule.empty()) {
    if (const auto why = cannot_decompile(*fabric, *collective)) {
      return refuse_with(fmt::format("--schedule: {}; -o writes the table as it is", *why));
    }
  }

  environment.outlive_interrupt();
  const auto began = environment.now();
  SearchOptions options = options_for(arguments, environment);
  options.known = driver::known_tables(*fabric, *collective, environment);
  if (arguments.pareto) {
    std::vector<ParetoPoint> points = pareto_frontier(*fabric, *collective, goal, options);
    std::optional<std::string> failure;
    if (!arguments.certificate.empty()) {
      failure = write_certificates(arguments, *fabric, *collective, goal, points, environment);
    }
    environment.print((arguments.json ? pareto_json : pareto_text)(*fabric, *collective, points));
    if (failure) return refuse_with(*failure);
    const bool all = !points.empty() && std::all_of(points.begin(), points.end(), [](const ParetoPoint& point) {
      return point.result.verdict == SearchVerdict::optimal;
    });
    return all ? exit_done : exit_unknown;
  }
  const SearchResult result = search(*fabric, *collective, goal, options);
  const SearchReport report{arguments, *fabric, *collective,
                            goal,      result,  std::chrono::duration<double>(environment.now() - began).count()};
  // The answer is printed whatever becomes of the files: it may have taken hours.
  Diagnostics failures;
  const auto note = [&](std::optional<std::string> failure) {
    if (failure) failures.push_back(error_at({}, *std::move(failure)));
  };
  note(write_found(report, environment));
  note(write_schedule(report, environment));
  if (!arguments.certificate.empty()) note(write_certificate(report, arguments.certificate, environment));
  environment.print(arguments.json ? search_json(report) : search_text(report));
  if (!failures.empty()) return refuse(failures, sources, environment);
  return exit_status(result.verdict, arguments.steps > 0);
}

}  // namespace quadrille::cli
