// From a send table back to a schedule in the language, for one size.
#pragma once

#include <optional>
#include <string>

#include "model/send_table.h"

namespace quadrille {

// A schedule file that makes the table's rows again, up to lanes: a send for each packet's path through the switches,
// from processor to processor; in rounds one for each message. Where the table looks the same from every processor
// (under k -> k xor x on hypercubes and binary trees, shifts on rings and tori, k -> k + x on complete fabrics and
// stars), one `for` stands for each n of them. `claim steps == T` is the last line.
//
// Nothing where the language cannot say it: custom collectives, graphs, copies that part in a switch, packets that
// leave the default route between two processors (in rounds: sent_messages.h says which messages); nor for tables that
// say something of words. For tables that fit in memory.
std::optional<std::string> decompile(const SendTable& table);

// Why no table at all of the collective on the fabric can be decompiled, known before there is one; nothing if some
// can.
std::optional<std::string> cannot_decompile(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
