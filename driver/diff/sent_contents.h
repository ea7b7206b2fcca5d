// What processors send one another, with the content of each chunk: the common form of tables and other systems'
// programs, in which they are compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "driver/inputs/context.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "programs/msccl/load.h"
#include "programs/sums.h"

namespace quadrille::driver {

// One chunk that goes from a processor to another one, whatever lies between them.
struct SentContent {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t connection = 0;  // of those from the one to the other: what goes by one arrives in order
  programs::SumNumber content = programs::Sums::undefined;
  std::uint64_t leaves = 0;  // tables: the step; programs: a number that grows along each connection
  std::uint64_t arrives = 0;
};

struct SentContents {
  std::vector<SentContent> all;
  bool timed = false;      // whether `leaves` and `arrives` are steps or rounds
  bool in_rounds = false;  // then, whether these are rounds
  std::uint32_t processors = 0;
  std::uint64_t inputs = 0;  // contribution k of processor p has the number p * inputs + k in the sums
  // By processor and place in its output (or value): what it ends with.
  std::map<std::pair<std::uint32_t, std::uint64_t>, programs::SumNumber> results = {};
};

// Which numbers a processor's contributions and results have.
enum class SlotNumbering : std::uint8_t {
  own,   // those of formats/PROGRAM_FORMAT.md
  calls  // those of the call of an executor (export/rank_memory.h)
};

// The transfers of a table. Errors: switches that add up what passes them; a table that breaks the model's rules; for
// SlotNumbering::calls, a collective that executors do not know; a limit. Cost: linear in what is sent.
Result<SentContents> sent_contents_of(const SendTable& table, SlotNumbering buffers, programs::Sums& sums,
                                      Context& context);

// The transfers of a program, in its first call. Errors: it is no program that ends (`quadrille check` tells more).
Result<SentContents> sent_contents_of(const programs::MscclFile& file, const programs::MscclCall& call,
                                      programs::Sums& sums, Context& context);

}  // namespace quadrille::driver
