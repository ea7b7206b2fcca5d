#include "runtime/carriers.h"

#include <fmt/format.h>

namespace quadrille::replaying {

void add_missing_packet(const Workshop& workshop, StepId step, const Row& row) {
  workshop.faults.add(step, row.channel, row.chunk, [&] {
    return fmt::format("packet {} is not at {} when step {} begins", workshop.collective.label(row.chunk),
                       workshop.fabric.name(workshop.fabric.channel(row.channel).from), step.value);
  });
}

void Deliveries::add_unmet(const Workshop& workshop, StepId end) const {
  std::uint64_t unmet_count = demands_ - met_count_;
  for (std::uint64_t demand = 0; unmet_count > 0 && workshop.faults.lists_more(); ++demand) {
    if (is_met(demand)) continue;
    --unmet_count;
    const auto unmet = workshop.collective.demand_at(demand);
    workshop.faults.add(end, {}, unmet.first, [&] {
      return fmt::format("packet {} is never delivered to {}", workshop.collective.label(unmet.first),
                         workshop.fabric.name(unmet.second));
    });
  }
  workshop.faults.add_unlisted(unmet_count);
}

// --- moving -------------------------------------------------------------------------------------------------------

MovingCarrier::MovingCarrier(const Workshop& workshop)
    : workshop_(workshop),
      channels_(workshop.fabric.all_channels()),
      processors_(workshop.fabric.processors()),
      deliveries_(workshop.collective) {}

bool MovingCarrier::step(const StepRows& step) {
  constexpr std::size_t ahead = 8;  // rows whose records are fetched in the meantime
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    if (i + ahead < step.rows.size()) packets_.prefetch({step.rows[i + ahead].chunk.value});
    if (!move(step.step, step.rows[i])) return false;
  }
  return true;
}

// False if the packet is not where the row takes it from, or was moved in this step already.
bool MovingCarrier::move(StepId step, const Row& row) {
  const Channel& channel = channels_[row.channel.value];
  Place* place = packets_.find({row.chunk.value});
  if (!place) {
    if (!set_out(row, channel.from, place)) return false;
  } else if (place->node != channel.from || place->arrived >= step.value) {
    return false;
  } else if (channel.from.value >= processors_) {
    Stay stay{place->arrived, 0};
    workshop_.queues.leave(stay, row.channel, step);
  }
  if (channel.to.value < processors_) {
    if (const auto demand = workshop_.collective.demand(row.chunk, channel.to)) {
      deliveries_.meet(*demand);
      packets_.erase({row.chunk.value});
      return true;
    }
  }
  *place = {channel.to, step.value};
  return true;
}

bool MovingCarrier::set_out(const Row& row, NodeId from, Place*& place) {
  if (from.value >= processors_ || !workshop_.collective.starts_at(row.chunk, from)) return false;
  place = packets_.insert({row.chunk.value}).first;
  return true;
}

// --- copying ------------------------------------------------------------------------------------------------------

// All departures of a step come before its arrivals: what arrives in a step cannot leave in it.
bool CopyingCarrier::step(const StepRows& step) {
  for (const Row& row : step.rows) depart(step.step, row);
  for (const Row& row : step.rows) arrive(step.step, row);
  return true;
}

void CopyingCarrier::depart(StepId step, const Row& row) {
  const NodeId from = workshop_.fabric.channel(row.channel).from;
  const bool from_processor = workshop_.fabric.is_processor(from);
  if (Stay* stay = stays_.find({row.chunk.value, from.value})) {
    if (!from_processor) workshop_.queues.leave(*stay, row.channel, step);
  } else if (!from_processor || !workshop_.collective.starts_at(row.chunk, from)) {
    add_missing_packet(workshop_, step, row);
  }
}

void CopyingCarrier::arrive(StepId step, const Row& row) {
  const NodeId to = workshop_.fabric.channel(row.channel).to;
  const auto [stay, is_new] = stays_.insert({row.chunk.value, to.value});
  *stay = {step.value, 0};
  if (is_new && workshop_.fabric.is_processor(to)) deliveries_.arrive(workshop_.collective, row.chunk, to);
}

}  // namespace quadrille::replaying
