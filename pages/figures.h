// Figures of outcomes, as SVG: each is a function from an outcome to a text. Nothing is judged here, nor measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driver/check/check.h"
#include "driver/look/link_use.h"
#include "driver/prove/size_steps.h"
#include "driver/routed_traffic.h"
#include "model/limits/limits.h"
#include "model/text/source.h"

namespace quadrille::pages {

// A table that was checked, and how it uses its fabric.
struct CheckedTable {
  const driver::CheckOutcome& outcome;
  const driver::TableUse& use;
  const Sources& sources;  // of the outcome's context
  Limits limits = {};
};

// The fabric: processors are circles, switches squares, links as dark and wide as they are loaded in all steps. With a
// step: what is on its way in it, instead. The rows that the first violation is about are drawn over it, by name.
// Requires no more than most_nodes_drawn nodes, and most_links_drawn channels.
std::string machine_figure(const CheckedTable& table, std::optional<std::uint32_t> step = {});
inline constexpr std::uint32_t most_nodes_drawn = 1024;
inline constexpr std::uint32_t most_links_drawn = 20'000;

// Space and time: a row for each channel, a column for each step, a cell for each packet, coloured by the line of the
// schedule that sends it, or by its source where lines are not known, or there is but one. What is larger is summed up,
// and says so.
std::string time_figure(const CheckedTable& table);

// How full groups of channels are over time, and below that the packets that wait in switches.
std::string use_figure(const CheckedTable& table);

// Steps over processors, beside the lower bound.
std::string sizes_figure(const driver::SizeStepsOutcome& outcome);

// Time over bytes of a message, beside a lower bound. Requires sizes, and a time of one of them.
std::string message_time_figure(const driver::CheckOutcome& outcome);

// Messages by delay, from the first cycle and from injection.
std::string delays_figure(const driver::TrafficOutcome& outcome);

}  // namespace quadrille::pages
