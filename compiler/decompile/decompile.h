// decompile turns a send table back into a schedule in the language, for one size.
#pragma once

#include <optional>
#include <string>

#include "compiler/language_families.h"
#include "model/families.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// Returns a schedule file that makes the table's rows again, up to lanes, and to the names of packets that have joined
// in switches on their way to their target. It has a send for each packet's way through
// the switches, from processor to processor; in rounds, one for each message. Where the table looks the same from every
// processor (under k -> k xor x on hypercubes and binary trees, shifts on rings and tori, k -> k + x on complete
// fabrics and stars), one `for` stands for each n of these sends. `claim steps == T` is the last line. A fabric that is
// none of the families is declared link by link (fabric_line.h).
//
// Rows that name partial reductions become `carrying sum {…}` and `keeping`. Where the operation is idempotent, the
// compiler may take others for the same sum.
//
// An error with Code::unsupported says what the language has no send for: rows that begin or end at switches
// (sent_flights.h), messages that are not well formed (sent_messages.h), partial reductions that the compiler would
// choose otherwise, and arrivals that are joined otherwise than their contributions have it (sent_reductions.cpp).
// Requires a table that fits in memory.
Result<std::string> decompile(const SendTable& table, const Families& families = language_families());

// Returns why no table at all on the fabric can be decompiled; nothing if some can.
std::optional<std::string> cannot_decompile(const Fabric& fabric, const Families& families = language_families());

}  // namespace quadrille
