// Syntax tree to schedule (every size), and schedule to send table (one size).
//
//   auto schedule = compile(program);                        // names and types resolved
//   auto table = elaborate(*schedule, {{"L", "4"}});          // every send, hop by hop
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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
#include "model/text/result.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

struct CompileOptions {
  // What may stand on the lines `fabric` and `collective`, besides what the program defines; must live as long as the
  // schedule.
  const Families* families = &language_families();
  // Opens the file that `fabric graph("…")` names; must live as long as the schedule. None: there are no files.
  ReadFile read_file = {};
  Limits limits = {};
};

// Resolves every name and type. The result shares nothing with `program`. Linear in the text's length, but for chains
// of constants that are declared in changing directions: up to 64 times that.
Result<std::shared_ptr<const ir::Schedule>> compile(const ast::Program& program, std::string name,
                                                    const CompileOptions& options = {});

// Parameter values as a person gives them: "4", "exponential", "1,1,2,4".
using Arguments = std::map<std::string, std::string>;

struct ElaborateOptions {
  std::optional<Fabric> fabric;             // the target, instead of the one that the schedule was written for
  std::vector<std::string> without = {};    // links of it that are taken away (model/topologies/without_links.h)
  bool retime = false;                      // same sends, same order, each as early as the target's capacities allow
  std::optional<Timing> timing = {};        // the fabric's, instead of its own
  std::optional<Operation> operation = {};  // of a combining collective that may have it, instead of its own
  bool arrivals = false;  // combining: rows say what becomes of what arrives, if sends speak of it or not
  // Of all loops and calls, each time they are run; more: Code::limit. A range of more than are left is refused before
  // its first element.
  std::uint64_t iterations = std::uint64_t{1} << 30;
  Limits limits = {};  // also of the rows that are made later: a cursor at a limit has ended_early()
};

// The schedule's rows for one size. Every expression has been evaluated when this returns, so reading the table cannot
// fail; but the rows themselves are made as they are read, and only those in flight are in memory.
// Lanes: packets that cross a channel in the same step take its lanes in the order of their sends; one beyond the
// capacity starts again at lane 0 (the checker will find it). Diagnostics on arguments have no place.
Result<SendTable> elaborate(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                            const ElaborateOptions& options = {});

// The collective of that table, before any row is worked out.
Result<Collective> collective_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                 const ElaborateOptions& options = {});

// What is wrong with values that are given to some of the parameters, the others being left open: nothing if all is
// well. Ranges that depend on other parameters are not looked at.
Diagnostics check_arguments(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments);

// The parameters that a schedule declares, for messages and `quadrille list`: "L in 1..62, capacity = exponential".
std::string parameters_of(const ir::Schedule& schedule);

}  // namespace quadrille
