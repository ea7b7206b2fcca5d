// Turns the input that a person names into a schedule or a table. A file's first bytes tell which it is
// (formats/formats.h). A name that is not a file's is that of a schedule that ships. `-` is standard input, which is
// read completely before its kind is known.
#include "driver/inputs/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "compiler/rows/arrival_rows.h"
#include "driver/inputs/notations.h"
#include "dsl/load.h"
#include "formats/table_io.h"
#include "model/described.h"
#include "model/prefetched_rows.h"
#include "model/topologies/without_links.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t worth_a_thread = 1'000'000;  // rows

Diagnostic error(std::string message, Code code) { return error_at({}, std::move(message), code); }

Unreadable why_not_read(const std::string& path, Environment& environment) {
  return environment.why_unreadable(path).value_or(Unreadable{"No such file or directory"});
}

ReadOptions read_options(const Context& context) {
  return {context.world->formats, &context.world->families, context.limits};
}

}  // namespace

Diagnostic cannot_read(const std::string& path, Environment& environment) {
  const auto [why, reason] = why_not_read(path, environment);
  return error(fmt::format("cannot read {}: {}", path, why), reason == Reason::none ? Code::file : code_of(reason));
}

Result<std::string> text_of(const std::string& file, Context& context) {
  if (file == "-") return context.environment.read_input(context.limits);
  auto text = context.environment.read_file(file);
  if (!text) return cannot_read(file, context.environment);
  return *std::move(text);
}

ReadFile file_reader(Environment& environment) {
  return [&environment](const std::string& path) -> FileText {
    if (auto text = environment.read_file(path)) return text;
    auto [why, reason] = why_not_read(path, environment);
    return {std::nullopt, std::move(why), reason};
  };
}

namespace {

// The error that there is no such schedule; `what` names the missing thing.
Diagnostic none_named(std::string_view what, const std::string& name) {
  std::vector<std::string> names;
  for (const ShippedFile& shipped : shipped_schedules()) names.emplace_back(shipped.name);
  const auto near = nearest(name, names);
  return error_at(
      {},
      fmt::format("there is {} named '{}'; {}", what, name,
                  near ? fmt::format("did you mean '{}'?", *near) : "`quadrille list` names those that ship"),
      Code::name);
}

std::optional<Source> find_shipped(const std::string& name) {
  const auto shipped = shipped_schedule(name);
  if (!shipped) return std::nullopt;
  return Source{fmt::format("shipped:{}", name), std::string(shipped->text)};
}

// The schedule that ships under a name which is no readable file's.
Result<Source> named_source(const std::string& file, Environment& environment) {
  if (auto shipped = find_shipped(file)) return *std::move(shipped);
  const bool path = file.find_first_of("/.") != std::string::npos;
  if (path || environment.why_unreadable(file)) return cannot_read(file, environment);
  return none_named("neither a file nor a shipped schedule", file);
}

}  // namespace

Result<Source> shipped_source(const std::string& name) {
  if (auto shipped = find_shipped(name)) return *std::move(shipped);
  return none_named("no shipped schedule", name);
}

Result<Arguments> parse_defines(const std::vector<std::string>& defines) {
  Arguments arguments;
  for (const std::string& define : defines) {
    const std::size_t equals = define.find('=');
    if (equals == std::string::npos || equals == 0) {
      return error(fmt::format("-D {}: expected name=value", define), Code::usage);
    }
    const auto [place, added] = arguments.emplace(define.substr(0, equals), define.substr(equals + 1));
    if (!added) return error(fmt::format("-D {}: {} has been given already", define, place->first), Code::usage);
  }
  return arguments;
}

namespace {

// The name of a schedule that is named after its file.
std::string schedule_name(const std::string& path) {
  if (path == "-") return "schedule";
  return std::filesystem::path(path).stem().string();
}

using CompiledSchedule = std::shared_ptr<const ir::Schedule>;

Result<CompiledSchedule> compile_source(Source source, const std::string& name, Context& context) {
  const ReadFile read = file_reader(context.environment);
  const Result<ast::SourceFiles> program = load(std::move(source), read, context.sources, remaining(context));
  if (!program) return program.diagnostics();
  return compile(*program, name,
                 {.families = &context.world->families, .read_file = read, .limits = remaining(context)});
}

// Those of the links that no row of the table crosses; none where the limits are reached.
std::vector<std::string> links_not_crossed(const SendTable& table, const std::vector<std::string>& links,
                                           const Limits& limits) {
  std::vector<bool> crossed(table.fabric.channels());
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    for (const Row& row : step->rows) crossed[row.channel.value] = true;
    if (limits.reached() != Reason::none) return {};
  }
  std::vector<std::string> result;
  for (const std::string& link : links) {
    const Result<std::vector<ChannelId>> channels = channels_of_link(table.fabric, link);
    if (channels && std::ranges::none_of(*channels, [&](ChannelId id) { return crossed[id.value]; }))
      result.push_back(link);
  }
  return result;
}

// What is missing and would not be used: the answer says nothing of what it costs. `make` makes the table.
template <class Make>
Result<SendTable> with_notes_on_links(const Make& make, ElaborateOptions options, Context& context) {
  constexpr std::uint64_t most_rows = std::uint64_t{1} << 22;
  options.limits = remaining(context);
  tell_stage(context, options.retime ? "retiming" : "compiling");
  Result<SendTable> table = make(options);
  if (table) tell_note(table->fabric, context);
  if (!table || options.without.empty() || table->rows->row_count().value_or(most_rows) >= most_rows) return table;
  const std::vector<std::string> links = std::exchange(options.without, {});
  options.limits = remaining(context);
  options.limits.progress = {};
  const Result<SendTable> whole = make(options);
  if (!whole) return table;
  Diagnostics notes = table.diagnostics();
  for (const std::string& link : links_not_crossed(*whole, links, options.limits)) {
    notes.push_back(error_at({}, fmt::format("nothing crosses {} where it is not missing", link), Code::none));
    notes.back().severity = Severity::note;
  }
  return {*std::move(table), std::move(notes)};
}

Result<SendTable> compile_schedule(Source source, const std::string& name, const Arguments& arguments,
                                   ElaborateOptions options, Context& context) {
  const auto schedule = compile_source(std::move(source), name, context);
  if (!schedule) return schedule.diagnostics();
  const auto make = [&](const ElaborateOptions& with) { return elaborate(*schedule, arguments, with); };
  return with_notes_on_links(make, std::move(options), context);
}

Result<ElaborateOptions> options_of(const TableRequest& request, Context& context) {
  ElaborateOptions options;
  options.retime = request.retime;
  options.spread = request.spread;
  options.arrivals = request.arrivals;
  if (!request.timing.empty()) options.timing = request.timing == "rounds" ? Timing::rounds : Timing::steps;
  if (!request.on.empty()) {
    Result<Fabric> target = fabric_on(request.on, context);
    if (!target) return target.diagnostics();
    options.fabric = *std::move(target);
  }
  options.without = request.without;
  return options;
}

Result<SendTable> compile_schedule(Source source, const std::string& name, const TableRequest& request,
                                   Context& context) {
  const Result<Arguments> arguments = parse_defines(request.defines);
  if (!arguments) return arguments.diagnostics();
  Result<ElaborateOptions> options = options_of(request, context);
  if (!options) return options.diagnostics();
  return compile_schedule(std::move(source), name, *arguments, *std::move(options), context);
}

}  // namespace

Result<SendTable> retimed(const SendTable& table, ElaborateOptions options, Context& context) {
  constexpr std::uint64_t most_rows = std::uint64_t{1} << 21;
  if (table.rows->row_count().value_or(most_rows + 1) > most_rows) {
    return error(fmt::format("the table has more than {} rows: that is too large to be placed anew", most_rows),
                 Code::limit);
  }
  options.retime = true;
  const auto make = [&](const ElaborateOptions& with) { return retimed(table, with); };
  return with_notes_on_links(make, std::move(options), context);
}

namespace {

// Accepts a table: it has no parameters for arguments, and its rows name the channels of one fabric, unless its sends
// are placed anew.
Result<SendTable> accept_table(Result<SendTable> table, const TableRequest& request, Context& context) {
  if (!table) return table;
  if (!request.defines.empty()) {
    return error(fmt::format("{} is a send table, which has no parameters: -D {} sets nothing", request.file,
                             request.defines.front()),
                 Code::usage);
  }
  if (request.retime) {
    Result<ElaborateOptions> options = options_of(request, context);
    if (!options) return options.diagnostics();
    return retimed(*table, *std::move(options), context);
  }
  if (request.spread) {
    return error(fmt::format("{} is a send table: only a schedule's routes can be spread", request.file), Code::usage);
  }
  if (!request.without.empty()) {
    return error(fmt::format("{} is a send table for {}, whose channels its rows name; --retime places its sends anew",
                             request.file, described(table->fabric)),
                 Code::usage);
  }
  if (!request.timing.empty()) {
    return error(fmt::format("{} is a send table, whose rows are counted in {}; --retime places its sends anew",
                             request.file, table->fabric.in_rounds() ? "rounds" : "steps"),
                 Code::usage);
  }
  if (!request.on.empty()) {
    const Result<Fabric> target = fabric_on(request.on, context);
    if (!target) return target.diagnostics();
    // --on may repeat the fabric of the table.
    if (*target != table->fabric) {
      return error(
          fmt::format("{} is a send table for {}, whose channels its rows name; --retime places its sends anew on {}",
                      request.file, described(table->fabric), described(*target)),
          Code::usage);
    }
  }
  if (!request.arrivals) return table;
  return {with_arrivals(*table), table.diagnostics()};
}

Result<SendTable> open_input(const TableRequest& request, Context& context) {
  Result<std::string> text = text_of("-", context);
  if (!text) return text.diagnostics();
  Source source{"-", *std::move(text)};
  if (!is_table(source.text, context.world->formats)) {
    return compile_schedule(std::move(source), "schedule", request, context);
  }
  context.sources.push_back(std::move(source));
  tell_stage(context, "reading the table");
  const auto number = static_cast<std::uint32_t>(context.sources.size() - 1);
  return accept_table(read_table(context.sources.back(), number, read_options(context)), request, context);
}

Result<SendTable> open_shipped(const TableRequest& request, Context& context) {
  Result<Source> source = named_source(request.file, context.environment);
  if (!source) return source.diagnostics();
  return compile_schedule(std::move(*source), request.file, request, context);
}

}  // namespace

Result<CompiledSchedule> open_shipped_schedule(const std::string& name, Context& context) {
  Result<Source> source = shipped_source(name);
  if (!source) return source.diagnostics();
  return compile_source(std::move(*source), name, context);
}

Result<CompiledSchedule> open_schedule(const std::string& file, Context& context) {
  const auto refuse_table = [&] {
    return error(fmt::format("{} is a send table, which has one size only; expected its schedule", file), Code::usage);
  };
  if (file == "-") {
    Result<std::string> text = text_of("-", context);
    if (!text) return text.diagnostics();
    Source source{"-", *std::move(text)};
    if (is_table(source.text, context.world->formats)) return refuse_table();
    return compile_source(std::move(source), "schedule", context);
  }
  const auto beginning = context.environment.read_beginning(file, enough_to_recognise);
  if (!beginning) {
    Result<Source> source = named_source(file, context.environment);
    if (!source) return source.diagnostics();
    return compile_source(std::move(*source), file, context);
  }
  if (is_table(*beginning, context.world->formats)) return refuse_table();
  const auto text = context.environment.read_file(file);
  if (!text) return cannot_read(file, context.environment);
  return compile_source({file, *text}, schedule_name(file), context);
}

Result<OpenedSchedule> open_schedule(const std::string& file, const std::vector<std::string>& defines,
                                     Context& context) {
  Result<Arguments> given = parse_defines(defines);
  if (!given) return given.diagnostics();
  const auto schedule = open_schedule(file, context);
  if (!schedule) return schedule.diagnostics();
  if ((*schedule)->fabric.kind.empty()) {
    return error_at((*schedule)->fabric.span, "the file names no fabric; expected a line such as 'fabric ring(N)'",
                    Code::missing);
  }
  if (Diagnostics wrong = check_arguments(*schedule, *given); !wrong.empty()) return wrong;
  return {OpenedSchedule{*schedule, *std::move(given)}, schedule.diagnostics()};
}

Result<SendTable> table_of_text(const std::string& text, Context& context) {
  return compile_schedule({"schedule", text}, "schedule", {}, context);
}

Result<SendTable> open_table(const TableRequest& request, Context& context) {
  if (request.file == "-") return open_input(request, context);
  // The beginning of the file tells what it is, so a large binary table is mapped, not read.
  const auto beginning = context.environment.read_beginning(request.file, enough_to_recognise);
  if (!beginning) return open_shipped(request, context);
  if (is_table(*beginning, context.world->formats)) {
    tell_stage(context, "reading the table");
    return accept_table(context.environment.load_table(request.file, context.sources, read_options(context)), request,
                        context);
  }
  const auto text = context.environment.read_file(request.file);
  if (!text) return cannot_read(request.file, context.environment);
  return compile_schedule({request.file, *text}, schedule_name(request.file), request, context);
}

SendTable made_ahead(SendTable table, const Limits& limits) {
  const bool large = table.rows->row_count().value_or(worth_a_thread) >= worth_a_thread;
  const std::size_t ahead = std::min<std::size_t>(PrefetchedRows::usual_rows_ahead, limits.memory / 16 / sizeof(Row));
  if (large && std::thread::hardware_concurrency() > 1)
    table.rows = std::make_shared<PrefetchedRows>(table.rows, ahead);
  return table;
}

}  // namespace quadrille::driver
