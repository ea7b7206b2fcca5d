// The best schedules of a comparison, as files: tables, and schedules in the language.
#pragma once

#include "driver/inputs/context.h"
#include "driver/search/compare.h"

namespace quadrille::driver {

// Writes what the request asks for, and sets the files of the outcome's ranges, its notes and failures.
// CompareRequest:: output is a file where a format has its extension, else a folder, which then has a table and a
// schedule for each range, and best.json, which lists them (best_index.h). A file is for one schedule: it is a failure
// if several are best, each at some size. A schedule file compiles to the rows of the table, without options; a note
// says where the language has none that does.
void save_best(CompareOutcome& outcome, const CompareRequest& request, Context& context);

}  // namespace quadrille::driver
