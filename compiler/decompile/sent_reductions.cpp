// A row names partial reductions by their numbers, and a send the contributions that these have together. The compiler
// chooses the numbers again (place/held/sum_choice.h), from the same partial reductions, as the rows before were made
// again, too. So the send is right if the choice is that of the row.
//
// For example, processor 1 has the partial reductions {1} and {0}. A row that sends numbers 1 and 0 is `carrying sum
// {0..1}`, one that sends number 0, or says nothing, is the one held.
//
// Two things cannot be said:
// * A choice which the compiler would not make: it would add up the same contributions in another order. Where the
//   operation is idempotent the order does not matter, and another choice is as good.
// * An arrival that is stored although it could be combined, or combined although it contains what is held: sends join
//   what comes as its contributions have it, or keep it. (Arrivals that are faults either way stay faults.)
#include "compiler/decompile/sent_reductions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "place/held/sum_choice.h"

namespace quadrille {
namespace {

// a + b is b + a.
bool adds_up_alike(std::span<const std::uint32_t> one, std::vector<std::uint32_t> other) {
  if (std::ranges::equal(one, other)) return true;
  if (other.size() < 2) return false;
  std::swap(other[0], other[1]);
  return std::ranges::equal(one, other);
}

const char* text_of(Arrival arrival) { return arrival == Arrival::stored ? "stored" : "combined"; }

}  // namespace

bool SentReductions::read(const StepRows& rows) {
  to_say_.assign(rows.rows.size(), {});
  stated_.assign(rows.rows.size(), {});
  for (std::size_t i = 0; i < rows.uses.size(); ++i) {
    const ReductionUse& use = rows.uses[i];
    stated_[i].named = use.sent;
    const auto to = table_.fabric.channel(rows.rows[i].channel).to.value;
    to_say_[i].keeping = use.arrival == Arrival::kept && table_.collective.name(rows.rows[i].chunk).target == to;
    if (use.arrival == Arrival::kept) stated_[i].arrival = Arrival::kept;
    if (!use.sent.empty() && !read_departure(rows.rows[i], use.sent, to_say_[i])) return false;
  }
  const auto replayed = replay_.step(rows, stated_);
  for (std::size_t i = 0; i < rows.uses.size(); ++i) {
    if (!read_arrival(rows.rows[i], rows.uses[i].arrival, replayed[i].arrival)) return false;
  }
  return true;
}

bool SentReductions::read_departure(const Row& row, std::span<const std::uint32_t> named, ReductionToSay& said) {
  const ChunkName name = table_.collective.name(row.chunk);
  const NodeId sender = table_.fabric.channel(row.channel).from;
  if (name.origin != sender.value) return true;
  const HeldReductions& held = replay_.held();
  const HeldReductions::Chain chain = held.chained(name.part, sender, named);
  const std::string words =
      fmt::format("processor {} sends words {} of value {}", sender.value, fmt::join(named, ", "), name.part);
  if (chain.missing) return refuse(words + ", and has not all of them");
  said.held = named.size() == 1 && named.front() == 0;
  const bool idempotent = table_.collective.idempotent();
  const auto chosen = making_up(held.all(name.part, sender), chain.made, idempotent);
  if (chosen && (idempotent || adds_up_alike(named, *chosen))) said.sum = chain.made;
  if (said.held || said.sum) return true;
  if (!chosen) return refuse(fmt::format("{}, which overlap", words));
  return refuse(fmt::format("{}; a send of the sum {} would take words {}, which adds it up in another order", words,
                            chain.made.text(), fmt::join(*chosen, ", ")));
}

bool SentReductions::read_arrival(const Row& row, Arrival stated, Arrival joined) {
  const bool silent = stated == Arrival::joined || stated == Arrival::kept || joined == Arrival::joined;
  const bool same_union = table_.collective.idempotent() && stated == Arrival::combined;
  if (silent || stated == joined || same_union) return true;
  return refuse(
      fmt::format("packet {}, which comes to {}, is {} there; a send's would be {}", table_.collective.label(row.chunk),
                  table_.fabric.name(table_.fabric.channel(row.channel).to), text_of(stated), text_of(joined)));
}

}  // namespace quadrille
