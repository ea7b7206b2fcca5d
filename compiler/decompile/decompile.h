// decompile turns a send table back into a schedule in the language, for one size.
#pragma once

#include <optional>
#include <string>

#include "model/send_table.h"

namespace quadrille {

// Returns a schedule file that makes the table's rows again, up to lanes. It has a send for each packet's path through
// the switches, from processor to processor; in rounds, one for each message. Where the table looks the same from every
// processor (under k -> k xor x on hypercubes and binary trees, shifts on rings and tori, k -> k + x on complete
// fabrics and stars), one `for` stands for each n of these sends. `claim steps == T` is the last line.
//
// Returns nothing where the language cannot express the table: custom collectives, graphs, copies that part in a
// switch, packets that leave the default route between two processors (in rounds: sent_messages.h says which messages),
// and tables that say something of partial reductions. Requires a table that fits in memory.
std::optional<std::string> decompile(const SendTable& table);

// Returns why no table at all of the collective on the fabric can be decompiled; nothing if some can.
std::optional<std::string> cannot_decompile(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
