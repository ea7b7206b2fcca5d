// The core form at one size, row by row, beside a table of that size: what lowering a schedule might have got wrong is
// seen there.
//
// Each message's variables take all their values, one after another; the route of each is that of the topology's
// crossings (model/crossings.h), with its lanes left open. Rows are compared as multisets, step by step; in rounds
// messages are, each with its rows.
//
// Cost: linear in the number of values, of a million at most, and n log n in rows.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/fabric_notation.h"
#include "verifier/proof_reader/parts.h"

namespace quadrille {
namespace proof_reader {
namespace {

constexpr std::uint64_t most_values = 1'000'000;
constexpr std::uint64_t most_rows = 1'000'000;
constexpr std::uint64_t most_memory = std::uint64_t{1} << 28;  // of the fabric

using Rows = std::vector<std::pair<ChannelId, ChunkId>>;   // of a message; in steps, one row
using Steps = std::map<std::uint32_t, std::vector<Rows>>;  // its messages

// Of what has no value, the message is refused.
std::int64_t value(const CoreExpression& x, const Values& values) {
  const auto result = evaluate(x, values);
  if (!result) throw Refused{{}, "an expression of the core form has no value of 64 bits at this size"};
  return *result;
}

class Expansion {
 public:
  Expansion(const ReadProof::Parts& parts, const Values& size)
      : core_(parts.core),
        machine_(parts.machine),
        families_(*parts.families),
        size_(size),
        fabric_(made_fabric()),
        collective_(made_collective()) {}

  SendTable table() {
    for (const CoreMessage& message : core_.messages)
      each(message.variables, size_, [&](const Values& at) { add_message(message, at); });
    auto rows = machine_.rounds ? std::make_shared<StoredRows>(std::move(rows_), messages_)
                                : std::make_shared<StoredRows>(std::move(rows_));
    return {fabric_, collective_, core_.schedule, {}, std::move(rows)};
  }

 private:
  Fabric made_fabric() const {
    FabricDescription description{core_.topology, {}, {}};
    for (const FabricArgument& argument : core_.fabric) {
      std::vector<std::int64_t> numbers;
      for (const CoreExpression& number : argument.numbers) numbers.push_back(value(number, size_));
      auto& entry = description.arguments[argument.key];
      if (numbers.empty()) {
        entry.value = argument.word;
      } else {
        entry.value = std::move(numbers);
      }
    }
    Limits limits;
    limits.memory = most_memory;
    Result<Fabric> built = build_fabric(description, {}, families_, limits);
    if (!built) throw Refused{{}, "there is no such fabric at this size: " + built.diagnostics().front().message};
    return *built;
  }

  Collective made_collective() const {
    CollectiveDescription description;
    description.kind = machine_.collective;
    if (!core_.operation.empty()) description.operation = machine_.operation;
    description.root = narrow(value(core_.root, size_));
    description.parts = narrow(value(core_.parts, size_));
    const Result<Collective> made = Collective::make(description, fabric_.processors());
    if (!made) throw Refused{{}, "there is no such collective at this size: " + made.diagnostics().front().message};
    return *made;
  }

  static std::uint32_t narrow(std::int64_t x) {
    if (x < 0 || x > std::int64_t{0x7fffffff}) throw Refused{{}, fmt::format("{} is out of its range", x)};
    return static_cast<std::uint32_t>(x);
  }

  // All values of the ranges, one after another.
  template <class Visit>
  void each(const CoreRanges& ranges, const Values& outside, const Visit& visit, std::size_t from = 0) {
    if (from == ranges.size()) return visit(outside);
    Values at = outside;
    const std::int64_t last = value(*ranges[from].last, outside);
    for (std::int64_t i = value(ranges[from].first, outside); i <= last; ++i) {
      if (++values_ > most_values) throw Refused{{}, "the size is too large to be written out: a million values"};
      at[ranges[from].name] = i;
      each(ranges, at, visit, from + 1);
    }
  }

  void add_message(const CoreMessage& message, const Values& at) {
    if (value(message.given, at) == 0) return;
    std::vector<ChunkId> chunks;
    for (const CoreChunks& group : message.chunks)
      each(group.variables, at, [&](const Values& inner) {
        if (value(group.given, inner) != 0) chunks.push_back(chunk(group, inner));
      });
    const std::int64_t start = value(message.start, at);
    ++number_;
    for (const Crossing& crossing : way(message, at)) {
      const std::int64_t offset = machine_.rounds ? 0 : crossing.offset;
      const StepId step(narrow(start + offset));
      if (rows_.size() + chunks.size() > most_rows) throw Refused{{}, "the size is too large: a million rows"};
      for (const ChunkId chunk : chunks) {
        rows_.push_back({step, {channel_of(crossing), LaneId(narrow(crossing.lane)), chunk}});
        messages_.emplace_back(number_);
      }
    }
  }

  std::vector<Crossing> way(const CoreMessage& message, const Values& at) const {
    TermValues values;
    for (const CoreExpression& parameter : machine_.parameters) values.parameters.push_back(value(parameter, at));
    values.source = narrow(value(message.source, at));
    values.target = narrow(value(message.target, at));
    const std::uint32_t n = fabric_.processors();
    if (values.source >= n || values.target >= n) throw Refused{{}, "a message leaves or reaches no processor"};
    return route(machine_.crossings, values);
  }

  ChannelId channel_of(const Crossing& crossing) const {
    const auto channel = fabric_.channel_between(NodeId(narrow(crossing.from)), NodeId(narrow(crossing.to)));
    if (!channel) throw Refused{{}, fmt::format("the fabric has no channel {}", crossing.name)};
    return *channel;
  }

  ChunkId chunk(const CoreChunks& group, const Values& at) const {
    ChunkName name{narrow(value(group.origin, at)), std::nullopt, narrow(value(group.part, at))};
    if (group.addressee) name.target = narrow(value(*group.addressee, at));
    const auto id = collective_.chunk(name);
    if (!id) throw Refused{{}, fmt::format("the collective has no packet {}", quadrille::to_string(name))};
    return *id;
  }

  const CoreForm& core_;
  const CoreMachine& machine_;
  const Families& families_;
  const Values& size_;
  Fabric fabric_;
  Collective collective_;
  std::vector<StoredRows::StepRow> rows_;
  std::vector<MessageId> messages_;
  std::uint32_t number_ = 0;
  std::uint64_t values_ = 0;
};

// --- beside a table --------------------------------------------------------------------------------------------------

// The rules of proof speak of those that the core form names; a topology might bring others along.
bool has_rules(const CoreMachine& machine, const Rules& rules) {
  return (rules.in_rounds()) == machine.rounds && (rules.paths == Paths::shared) == machine.shared &&
         (rules.ports == Ports::single) == machine.single_port &&
         (rules.duplex == Duplex::half) == machine.half_duplex && rules.switches == Switching::copy;
}

Steps steps_of(const SendTable& table) {
  Steps all;
  std::uint64_t rows = 0;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    rows += step->rows.size();
    if (rows > most_rows) throw Refused{{}, "the table is too large: a million rows"};
    std::map<std::uint64_t, Rows> messages;
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const bool named = table.fabric.in_rounds() && !step->messages.empty();
      messages[named ? step->messages[i].value : i].emplace_back(step->rows[i].channel, step->rows[i].chunk);
    }
    auto& here = all[step->step.value];
    for (auto& [number, of] : messages) {
      std::sort(of.begin(), of.end());
      here.push_back(std::move(of));
    }
    std::sort(here.begin(), here.end());
  }
  if (cursor->ended_early() != Reason::none) throw Refused{{}, "the table was not read to its end"};
  return all;
}

std::optional<std::string> compared(const Steps& core, const Steps& table, const char* unit) {
  for (const auto& [step, messages] : table) {
    if (!core.contains(step) || core.at(step) != messages)
      return fmt::format("the core form does not send what the table does in {} {}", unit, step);
  }
  for (const auto& [step, messages] : core) {
    if (!table.contains(step))
      return fmt::format("the core form sends something in {} {}, and the table nothing", unit, step);
  }
  return std::nullopt;
}

std::optional<std::string> difference_of(const ReadProof::Parts& parts, const Values& size, const SendTable& table) {
  const SendTable core = Expansion(parts, size).table();
  if (!(core.fabric == table.fabric)) return "its fabric is another one";
  if (!has_rules(parts.machine, core.fabric.rules())) return "its fabric has rules that the core form does not name";
  if (core.collective.notation() != table.collective.notation()) return "its collective is another one";
  return compared(steps_of(core), steps_of(table), parts.machine.rounds ? "round" : "step");
}

}  // namespace
}  // namespace proof_reader

Result<std::vector<ProofTable>> tables(const ReadProof& proof) {
  std::vector<ProofTable> all;
  for (const ReadProof::Parts::Table& table : proof.parts().tables) {
    ProofTable& it = all.emplace_back(ProofTable{table.file, table.size, {}});
    for (const auto& [name, word] : proof.parts().core.words) it.arguments[name] = word;
    for (const auto& [name, expression] : proof.parts().core.arguments) {
      const auto number = proof_reader::evaluate(expression, table.size);
      if (!number) return error_at(table.span, fmt::format("{} has no value there", name), Code::range);
      it.arguments[name] = std::to_string(*number);
    }
  }
  return all;
}

Result<SendTable> expanded(const ReadProof& proof, const std::map<std::string, std::int64_t>& size) {
  try {
    return proof_reader::Expansion(proof.parts(), size).table();
  } catch (const proof_reader::Refused& refused) {
    return error_at({}, refused.message, Code::range);
  }
}

std::optional<std::string> difference(const ReadProof& proof, const ProofTable& of, const SendTable& table) {
  try {
    return proof_reader::difference_of(proof.parts(), of.size, table);
  } catch (const proof_reader::Refused& refused) {
    return refused.message;
  }
}

}  // namespace quadrille
