// The command `search`: finds a shortest schedule for a question, and writes the files that were wanted.
//
// Requests that can be refused are refused before the search: a fabric with too many links to declare, if a schedule
// is to be written, or an unknown format. After the search nothing is lost: a file that cannot be written is a
// failure beside the outcome. The search begins with the schedules that ship for this size (known_schedules.cpp).
// Cost: the search's.
#include "driver/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "compiler/decompile/decompile.h"
#include "driver/files/output_format.h"
#include "driver/files/write_certificate.h"
#include "driver/files/write_file.h"
#include "driver/inputs/notations.h"
#include "driver/search/known_schedules.h"
#include "driver/search/search_question.h"
#include "model/described.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

std::optional<std::string> write_found(const SearchRequest& request, const SearchOutcome& outcome, const Format& format,
                                       Environment& environment) {
  if (request.output.empty() || !outcome.result.table) return std::nullopt;
  const auto fill = [&](NewFile& file) {
    format.write(*outcome.result.table, [&](std::string_view text) { return file.write(text); });
  };
  return write_file(request.output, fill, environment);
}

std::optional<std::string> write_schedule(const SearchRequest& request, const SearchOutcome& outcome,
                                          Context& context) {
  if (request.schedule.empty() || !outcome.result.table) return std::nullopt;
  const auto text = decompile(*outcome.result.table, context.world->families);
  if (!text) {
    return fmt::format("--schedule: the language cannot express this table: {}; -o writes it as it is",
                       text.diagnostics().front().message);
  }
  const std::string head = fmt::format("// {} on {}, found by `quadrille search`.\n", described(outcome.collective),
                                       described(outcome.fabric));
  return write_file(request.schedule, head + *text, context.environment);
}

// ", if processors keep no words"; empty of all schedules.
std::string conditions_text(const Narrowing& narrowed) {
  std::vector<std::string> conditions;
  if (narrowed.paths_kept) conditions.emplace_back("packets keep to the paths from where they start");
  if (narrowed.inject_once) conditions.emplace_back("each leaves there in one step only");
  if (narrowed.no_kept_reductions) conditions.emplace_back("processors keep no words beside the one that they hold");
  return conditions.empty() ? "" : fmt::format(", if {}", fmt::join(conditions, " and "));
}

std::optional<Verdict> agreement_of(const SearchOutcome& outcome, const Context& context) {
  if (!outcome.result.table || !outcome.collective.results_can_differ()) return std::nullopt;
  CheckOptions options{.listed_per_property = 0};
  options.limits.memory = context.limits.memory;  // what was found is judged, however late it is
  return check(*outcome.result.table, options).of(Property::agreement).verdict;
}

}  // namespace

Narrowing narrowing_of(const SearchResult& result) {
  return result.impossibility ? result.impossibility->narrowed : Narrowing{};
}

std::string why_not_fewer(const SearchResult& result) {
  if (!result.lower_bound) return result.bounds.empty() ? "" : result.bounds.front().reason;
  if (!result.impossibility) return "";
  return result.impossibility->reason + conditions_text(result.impossibility->narrowed);
}

Result<SearchOutcome> run(const SearchRequest& request, Context& context) {
  Result<SearchQuestion> question = read_question(request, context);
  if (!question) return question.diagnostics();
  if (!request.schedule.empty()) {
    if (const auto why = cannot_decompile(question->fabric, context.world->families)) {
      return error_at({}, fmt::format("--schedule: {}; -o writes the table as it is", *why), Code::usage);
    }
  }
  const Result<const Format*> format = output_format(context.world->formats, "", request.output);
  if (!format) return format.diagnostics();
  Environment& environment = context.environment;
  const auto began = environment.now();
  SearchOptions options = options_for(request, context);
  options.offer_known = [&](const std::function<bool(SendTable)>& take) {
    offer_known_tables(question->fabric, question->collective, context, take);
  };
  std::vector<SearchMoment> history;
  options.on_event = [&](const SearchEvent& event) {
    history.push_back({std::chrono::duration<double>(environment.now() - began).count(), event});
  };
  SearchResult result = quadrille::search(question->fabric, question->collective, question->goal, options);
  const std::chrono::duration<double> taken = environment.now() - began;
  SearchOutcome outcome{asked_for(request.on, request.without),
                        std::move(question->fabric),
                        std::move(question->collective),
                        question->goal,
                        std::move(result),
                        taken.count(),
                        {},
                        std::move(history)};
  outcome.agreement = agreement_of(outcome, context);

  const auto failed = [&](std::optional<std::string> failure) {
    if (failure) outcome.failures.push_back(error_at({}, *std::move(failure), Code::file));
  };
  failed(write_found(request, outcome, **format, environment));
  failed(write_schedule(request, outcome, context));
  if (request.certificate.empty()) return outcome;
  CertificateFiles files =
      write_certificate({outcome.fabric, outcome.collective, outcome.goal, outcome.result, options.engine},
                        request.certificate, environment);
  outcome.certificate = std::move(files.written);
  if (!files.note.empty()) outcome.notes.push_back(std::move(files.note));
  failed(std::move(files.failure));
  return outcome;
}

}  // namespace quadrille::driver
