// run_schedule writes a schedule that runs one that ships.
#pragma once

#include <string>

#include "model/families.h"
#include "model/send_table.h"
#include "model/text/arguments.h"
#include "model/text/result.h"

namespace quadrille {

// A schedule file for the table's fabric and collective, whose one statement is `run name(arguments)`. `name` is that
// of a schedule that ships. Whether it does the same there its compilation has to show: the statement may not be right
// for that collective, or the fabric may have other default routes. An error with Code::limit if the fabric has too
// many links to be declared.
Result<std::string> run_schedule(const std::string& name, const Arguments& arguments, const SendTable& table,
                                 const Families& families);

}  // namespace quadrille
