// Each row becomes a row for each part, in the same message. In a combining collective, the parts of a value are
// values that the same processors want, with the same contributions; equal ones are assigned in order.
//
//   allreduce:parts=4 among 4: recursive doubling, 2 rounds of messages of 4 chunks
//
// Cost: rows x parts; values x processors.
#include "driver/search/longer_messages.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace quadrille::driver {
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
