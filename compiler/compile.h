// The compiler turns a syntax tree into a schedule for all sizes, and that schedule into the send table of one size.
//
// For: from a tree to the IR that holds for all sizes, and from that to the send table of one size.
// Face: this header: `compile` and `elaborate`; the IR is compiler/ir.h.
// Keeps: rows are made as they are read, so a table of a billion rows takes the memory of its plan.
// Read first: compiler/rows/elaborate.cpp.
//
//   auto schedule = compile(program);                        // names and types resolved
//   auto table = elaborate(*schedule, {{"L", "4"}});          // every send, hop by hop
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/language_families.h"
#include "dsl/ast.h"
#include "model/fabric.h"
#include "model/families.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/arguments.h"
#include "model/text/result.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

struct CompileOptions {
  // The topologies and collectives that the lines `fabric` and `collective` may name, besides those that the program
  // defines. They must live as long as the schedule.
  const Families* families = &language_families();
  // Opens the file that `fabric graph("…")` names. It must live as long as the schedule. Empty: there are no files.
  ReadFile read_file = {};
  Limits limits = {};
};

// Resolves every name and type. The result shares nothing with `program`. Cost: linear in the text's length; up to 64
// times that for chains of constants that are declared in changing directions.
Result<std::shared_ptr<const ir::Schedule>> compile(const ast::SourceFiles& program, std::string name,
                                                    const CompileOptions& options = {});

struct ElaborateOptions {
  std::optional<Fabric> fabric;             // the target, instead of the one that the schedule was written for
  std::vector<std::string> without = {};    // links of it that are taken away (model/topologies/without_links.h)
  bool retime = false;                      // same sends, same order, each as early as the target's capacities allow
  bool spread = false;                      // same sends, same times; of equal routes each takes the least loaded one.
                                            // Does nothing beside `retime`, which tries that by itself
  std::optional<Timing> timing = {};        // the fabric's, instead of its own
  std::optional<Operation> operation = {};  // of a combining collective that may have it, instead of its own
  // In rounds, as they are written: messages are worked out once and kept, as far as a quarter of the memory allows;
  // otherwise each reading of the rows works them out.
  bool keep_messages = false;
  // Where it is not null: gets what makes the table that `spread` would, from the messages that are kept; it is left
  // alone where none are. Read before elaborate() returns only.
  std::function<Result<SendTable>()>* spread_later = nullptr;
  bool arrivals = false;  // combining: rows say what becomes of what arrives, if sends speak of it or not
  // The most iterations of all loops and calls together, counted each time that they run; beyond it the error is
  // Code::limit. A range of more elements than are left is refused before its first element.
  std::uint64_t iterations = std::uint64_t{1} << 30;
  Limits limits = {};  // also of the rows that are made later: a cursor at a limit has ended_early()
};

// Makes the send table of the schedule for one size. Every expression has been evaluated when this returns, so reading
// the table cannot fail. The rows themselves are made as they are read, and only those in flight are in memory.
// Packets that cross a channel in the same step take its lanes in the order of their sends. Packets beyond the capacity
// start again at lane 0, and the checker reports them. Diagnostics on arguments have no place.
Result<SendTable> elaborate(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                            const ElaborateOptions& options = {});

// Places the sends of a table anew, as `options.retime` does those of a schedule: on its own fabric, or the one that is
// asked for, both with the nodes' own names. An error says which rows are no sends (compiler/decompile/decompile.h) or
// why they cannot be placed. The result has no claims and no invariants. Requires a table that fits in memory.
Result<SendTable> retimed(const SendTable& table, ElaborateOptions options);

// Returns the collective of that table, without working out any row.
Result<Collective> collective_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                 const ElaborateOptions& options = {});

// Returns the name of that table, with the values of all parameters: "total_exchange L=4 capacity=exponential". Works
// out no row.
Result<std::string> title_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                             const ElaborateOptions& options = {});

// Checks the values that are given to some of the parameters, while the others are left open. The result is empty if
// they are right. Ranges that depend on other parameters are not checked.
Diagnostics check_arguments(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments);

// Returns the parameters that a schedule declares, for messages and `quadrille list`: "L in 1..62, capacity =
// exponential".
std::string parameters_of(const ir::Schedule& schedule);

}  // namespace quadrille
