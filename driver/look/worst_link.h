// What a broken link costs: the table is made again without each link that it uses.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The link without which a table takes longest.
struct WorstLink {
  std::string link = {};              // "leaf[0]--spine[1]"; empty: the table uses none
  bool without_route = false;         // without it some send has no route, placed anew
  bool placed_anew = false;           // the sends had to be: as they are written they break a rule without it
  std::optional<double> cost = {};    // of the table without it
  std::uint64_t tried = 0;            // links
  std::uint64_t used = 0;             // by the table
  Reason ended_early = Reason::none;  // why not all were tried
};

// What a table takes, in whatever unit; nothing if it is not right.
using TableCost = std::function<std::optional<double>(const SendTable& table)>;

// Tries the links of `table`, which `request` has opened: the most used first. What is not right without a link is
// placed anew. An error: the request is for a table that is not placed anew, whose rows name its channels. Cost: that
// of making and measuring the table, for each link that it uses.
Result<WorstLink> worst_link(const TableRequest& request, const SendTable& table, const TableCost& cost,
                             Context& context);

}  // namespace quadrille::driver
