// Schedules to begin a search with: those that ship, at the size of the fabric. Each is compiled for the fabric, as it
// is and then retimed (each packet as early as the fabric allows), and kept if its collective serves the one that is
// asked for (fit.h); the search itself drops those that break a rule. For example, total_exchange with L = 3 and
// capacity = 1,2,4 on fat_tree:levels=3,capacity=exponential; allreduce_bucket for any number of columns. In rounds
// those of whole messages are taken for messages in parts, too. Cost: two compilations for each schedule and choice of
// arguments; retiming works out all rows.
#include "driver/search/known_schedules.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/inputs/input.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "dsl/load.h"
#include "verifier/search.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;  // seconds to work out; nothing can cut that short
// The most demands for schedules in rounds, and for retimed ones, whose packets are placed one by one.
constexpr std::uint64_t most_placed = std::uint64_t{1} << 14;
// Up to so many demands, no table takes long.
constexpr std::uint64_t few_demands = std::uint64_t{1} << 10;
// Schedules that take a moment come before those that take seconds.
constexpr std::uint64_t few_iterations = std::uint64_t{1} << 12;
constexpr std::uint64_t some_iterations = std::uint64_t{1} << 16;

bool counts_rounds(const ir::Schedule& schedule) {
  return std::ranges::any_of(schedule.fabric.arguments, [](const ir::Argument& argument) {
    return argument.key == "timing" && argument.word == "rounds";
  });
}

// A schedule with arguments, to be elaborated.
struct Size {
  std::shared_ptr<const ir::Schedule> schedule;
  Arguments arguments;
  bool retimed = false;
  std::uint64_t demands = 0;  // of what it does, and of what is asked for
  bool first = false;         // whether these are the arguments that come first
};

ElaborateOptions options_for(const Size& size, const Fabric& fabric, Context& context) {
  return {.fabric = fabric, .retime = size.retimed, .limits = remaining(context)};
}

// The shipped schedules for the collective, by choice of arguments: the first, and others.
struct Choices {
  std::vector<Size> firsts;
  std::vector<Size> others;
};

void add_choices(const std::shared_ptr<const ir::Schedule>& schedule, const Fabric& fabric,
                 const Collective& collective, Context& context, Choices& choices) {
  bool first = true;
  for (const Arguments& arguments : every_arguments_for(*schedule, fabric, collective, remaining(context))) {
    Size size{schedule, arguments, false};
    const ElaborateOptions options = options_for(size, fabric, context);
    if (collective_served(schedule, arguments, collective, ChunkCount::as_asked, options)) {
      size.demands = std::max(collective_at(schedule, arguments, options)->demands(), collective.demands());
      size.first = first;
      (first ? choices.firsts : choices.others).push_back(std::move(size));
    }
    first = false;
  }
}

// All shipped schedules for the collective; those that do more come after those that do the same: as they are, and
// retimed; with the first choice of arguments, those with the fewest parameters first, and then with others.
std::vector<Size> sizes_of(const Fabric& fabric, const Collective& collective, Context& context) {
  Choices same;
  Choices more;
  for (const ShippedFile& shipped : shipped_schedules()) {
    Context apart{context.environment, context.limits, {}, context.world};  // its sources are of no use later
    const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
    if (!schedule || !may_serve((*schedule)->collective.kind, collective) || !suits(**schedule, fabric)) continue;
    if (counts_rounds(**schedule) && collective.demands() > most_placed) continue;
    const bool is_same = (*schedule)->collective.kind == collective.kind();
    add_choices(*schedule, fabric, collective, context, is_same ? same : more);
  }
  // Among equals, the schedule with the fewest parameters says best what it does.
  for (std::vector<Size>* some : {&same.firsts, &more.firsts}) {
    std::ranges::stable_sort(*some, {}, [](const Size& it) {
      return std::ranges::count(it.schedule->parameters, false, &ir::Parameter::idle);
    });
  }
  std::vector<Size> all;
  for (const std::vector<Size>* some : {&same.firsts, &more.firsts, &same.others, &more.others}) {
    for (const bool retimed : {false, true}) {
      for (const Size& size : *some) {
        if (size.demands > (retimed ? most_placed : most_demands)) continue;
        all.push_back({size.schedule, size.arguments, retimed, size.demands, size.first});
      }
    }
  }
  return all;
}

// A lower bound on the steps of a table, however it is retimed: the load of its busiest channel or port.
std::uint64_t busiest(const SendTable& table) {
  const Fabric& fabric = table.fabric;
  const bool single = fabric.rules().ports == Ports::single;
  std::vector<std::uint64_t> channels(fabric.channels()), sent(fabric.nodes()), received(fabric.nodes());
  const auto rows = table.rows->open();
  while (const auto step = rows->next()) {
    for (const Row& row : step->rows) {
      ++channels[row.channel.value];
      ++sent[fabric.channel(row.channel).from.value];
      ++received[fabric.channel(row.channel).to.value];
    }
  }
  std::uint64_t most = 0;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const std::uint64_t capacity = fabric.channel(ChannelId(e)).capacity;
    most = std::max(most, (channels[e] + capacity - 1) / capacity);
  }
  for (std::uint32_t p = 0; single && p < fabric.processors(); ++p) most = std::max({most, sent[p], received[p]});
  return most;
}

Result<SendTable> table_of(const Size& size, const Collective& collective, const ElaborateOptions& options) {
  return elaborate_serving(size.schedule, size.arguments, collective, ChunkCount::as_asked, options);
}

// Offers the shipped schedules for one collective, one after another. Where packets are many, so that each takes a
// while, what is known of a table decides whether it is worth placing.
class Offers {
 public:
  Offers(const Fabric& fabric, const Collective& collective, Context& context, const TakeTable& take)
      : fabric_(fabric), collective_(collective), context_(context), take_(take) {}

  // Returns whether another may still be of use.
  bool all() {
    sizes_ = sizes_of(fabric_, collective_, context_);
    const bool many = collective_.demands() > few_demands && collective_.demands() <= most_placed;
    return many ? promising() : by_iterations();
  }

 private:
  // Offers schedules with few sends first.
  bool by_iterations() {
    std::vector<const Size*> waiting;
    for (const Size& size : sizes_) waiting.push_back(&size);
    for (const std::uint64_t iterations : {few_iterations, some_iterations, ElaborateOptions().iterations}) {
      std::vector<const Size*> larger;
      for (const Size* size : waiting) {
        if (ended()) return false;
        ElaborateOptions options = options_for(*size, fabric_, context_);
        options.iterations = iterations;
        Result<SendTable> table = table_of(*size, collective_, options);
        if (table && !take_(std::move(*table))) return false;
        if (!table && table.diagnostics().front().code == Code::limit) larger.push_back(size);
      }
      waiting = std::move(larger);
    }
    return true;
  }

  // Each schedule once, retimed, with its first arguments; then with others, those whose busiest channel has least to
  // carry first; and last as they are.
  bool promising() {
    for (const Size& size : sizes_) {
      if (size.retimed && size.first && !offer_retimed(size)) return false;
    }
    std::vector<std::pair<std::uint64_t, const Size*>> others;
    for (const Size& size : sizes_) {
      if (ended()) return false;
      if (!size.retimed || size.first) continue;
      if (const auto least = least_steps(size)) others.emplace_back(*least, &size);
    }
    std::ranges::stable_sort(others, {}, &std::pair<std::uint64_t, const Size*>::first);
    for (const auto& [least, size] : others) {
      if (least < shortest_ && !offer_retimed(*size)) return false;
    }
    for (const Size& size : sizes_) {
      if (ended()) return false;
      if (size.retimed) continue;
      Result<SendTable> table = table_of(size, collective_, options_for(size, fabric_, context_));
      if (table && !take_(std::move(*table))) return false;
    }
    return true;
  }

  // A bound on the steps of the schedule, however it is retimed; nothing if there is none of this size.
  std::optional<std::uint64_t> least_steps(Size size) {
    size.retimed = false;
    const auto table = table_of(size, collective_, options_for(size, fabric_, context_));
    return table ? std::optional(busiest(*table)) : std::nullopt;
  }

  bool offer_retimed(const Size& size) {
    if (ended()) return false;
    Result<SendTable> table = table_of(size, collective_, options_for(size, fabric_, context_));
    if (!table) return true;
    std::uint64_t last = 0;
    const auto rows = table->rows->open();
    while (const auto step = rows->next()) last = step->step.value;
    shortest_ = std::min(shortest_, last);
    return take_(std::move(*table));
  }

  bool ended() const { return context_.limits.reached() != Reason::none; }

  const Fabric& fabric_;
  const Collective& collective_;
  Context& context_;
  const TakeTable& take_;
  std::vector<Size> sizes_;
  std::uint64_t shortest_ = std::numeric_limits<std::uint64_t>::max();  // of those that were placed
};

bool offer_all(const Fabric& fabric, const Collective& collective, Context& context, const TakeTable& take) {
  return Offers(fabric, collective, context, take).all();
}

}  // namespace

void offer_known_tables(const Fabric& fabric, const Collective& collective, Context& context, const TakeTable& take) {
  if (collective.demands() > most_demands || !offer_all(fabric, collective, context, take)) return;
  const auto whole = fabric.in_rounds() && collective.demands() <= most_placed ? in_one_part(collective) : std::nullopt;
  const auto take_in_parts = [&](const SendTable& table) {
    auto parts = with_longer_messages(table, collective);
    return !parts || take(*std::move(parts));
  };
  if (whole && !offer_all(fabric, *whole, context, take_in_parts)) return;
  for (const Collective& other : related_collectives(fabric, collective)) {
    if (other.demands() <= most_demands && !offer_all(fabric, other, context, take)) return;
  }
}

// Each row becomes a row for each part, in the same message. In a combining collective, the parts of a value are
// values that the same processors want, with the same contributions; equal ones are assigned in order.
//
//   allreduce:parts=4 among 4: recursive doubling, 2 rounds of messages of 4 chunks
//
// Cost: rows x parts; values x processors.

namespace {

using Wanted = std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>>;  // by processor

// The values with the same wants, each list in order.
std::map<Wanted, std::vector<std::uint32_t>> values_alike(const Collective& collective) {
  std::map<Wanted, std::vector<std::uint32_t>> alike;
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    Wanted wanted;
    for (std::uint32_t p = 0; p < collective.processors(); ++p) {
      const auto range = collective.wanted_contributions(value, NodeId(p));
      wanted.push_back(range ? std::optional(std::pair<std::uint32_t, std::uint32_t>(range->first, range->second))
                             : std::nullopt);
    }
    alike[wanted].push_back(value);
  }
  return alike;
}

// By value of one part: the values of all parts. Empty if the parts cannot be told apart.
std::vector<std::vector<std::uint32_t>> parts_of_values(const Collective& one, const Collective& all,
                                                        std::uint32_t parts) {
  std::vector<std::vector<std::uint32_t>> result(one.values());
  const auto alike = values_alike(all);
  for (const auto& [wanted, values] : values_alike(one)) {
    const auto found = alike.find(wanted);
    if (found == alike.end() || found->second.size() != values.size() * parts) return {};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto first = found->second.begin() + static_cast<std::ptrdiff_t>(i * parts);
      result[values[i]].assign(first, first + parts);
    }
  }
  return result;
}

}  // namespace

std::optional<Collective> in_one_part(const Collective& collective) {
  if (collective.listed() || collective.description().parts < 2) return std::nullopt;
  CollectiveDescription description = collective.description();
  description.parts = 1;
  const Result<Collective> one = Collective::make(description, collective.processors());
  return one ? std::optional(*one) : std::nullopt;
}

std::optional<SendTable> with_longer_messages(const SendTable& table, const Collective& collective) {
  const std::uint32_t parts = collective.description().parts;
  std::vector<std::vector<std::uint32_t>> values;
  if (collective.combining()) values = parts_of_values(table.collective, collective, parts);
  if (collective.combining() && values.empty()) return std::nullopt;
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> messages;
  std::vector<ReductionUse> words;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const ChunkName name = table.collective.name(step->rows[i].chunk);
      for (std::uint32_t part = 0; part < parts; ++part) {
        const auto chunk =
            collective.chunk({name.origin, name.target, values.empty() ? part : values[name.part][part]});
        if (!chunk) return std::nullopt;
        Row row = step->rows[i];
        row.chunk = *chunk;
        rows.push_back({step->step, row});
        // If messages are not numbered, each row is a message.
        messages.push_back(step->messages.empty() ? MessageId(static_cast<std::uint32_t>(i)) : step->messages[i]);
        if (!step->uses.empty()) words.push_back(step->uses[i]);
      }
    }
  }
  if (cursor->ended_early() != Reason::none || (!words.empty() && words.size() != rows.size())) return std::nullopt;
  auto stored = words.empty() ? std::make_shared<StoredRows>(std::move(rows), messages)
                              : std::make_shared<StoredRows>(std::move(rows), messages, words);
  return SendTable{table.fabric, collective, table.schedule, {}, std::move(stored)};
}

}  // namespace quadrille::driver
