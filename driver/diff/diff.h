// `quadrille diff`: compares what two tables, schedules or programs send.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct DiffRequest {
  std::string left = {};        // a schedule, a table, or MSCCL XML; a path, or the name of a schedule that ships
  std::string right = {};       // likewise
  TableRequest input = {};      // how schedules are compiled; `file` is not used
  std::string collective = {};  // of programs: "broadcast:2"; empty: the file's own
  std::size_t listed = 5;       // differences that are described, of each side
};

// A send that the other side lacks.
struct MissingSend {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string content;                     // "input 2 of 0", "the sum of input 1 of 0, 4, 5"
  std::optional<std::uint64_t> step = {};  // in which it leaves; tables only
  bool in_rounds = false;                  // whether that is a round
};

// A send is from one processor to another, whatever lies between them: who, to whom, and which contributions the chunk
// holds. One to several processors is one to each.
struct DiffOutcome {
  std::string left;
  std::string right;
  std::uint64_t left_sends = 0;
  std::uint64_t right_sends = 0;
  std::uint64_t common = 0;
  std::vector<MissingSend> left_only = {};  // the first ones
  std::vector<MissingSend> right_only = {};
  // Whether each processor sends the same in the same order; with a program, whether each connection carries it so.
  // Nothing if the sends differ.
  std::optional<bool> order = {};
  std::optional<bool> steps = {};  // whether each send leaves and arrives in the same step; of two tables
  bool sums = false;               // whether all results are added up in the same order, but for a + b = b + a
  std::uint64_t other_sums = 0;    // results that are not
  std::optional<MissingSend> first_other_sum = {};  // `to` is the processor, `content` the place of its result

  bool same_sends() const { return common == left_sends && common == right_sends; }
  bool same() const { return same_sends() && order.value_or(false) && steps.value_or(true) && sums; }
};

// Errors: an input is wrong; GOAL, which says nothing of what is sent; different numbers of processors; two tables of
// different collectives; switches that add up what passes them.
Result<DiffOutcome> run(const DiffRequest& request, Context& context);

}  // namespace quadrille::driver
