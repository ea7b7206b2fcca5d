// Tables in time (model/MODEL.md, Time), slow and obvious.
#pragma once

#include "model/send_table.h"
#include "runtime/times/timed_replay.h"

namespace quadrille::reference {

// When everything has arrived, of chunks of one byte. Steps, rounds, shared paths, all switches, words, speeds of
// links; not half duplex of several lanes, where any of them serves. Cost: time in the square of the rows or messages.
double naive_seconds(const SendTable& table, const TransferCosts& costs);

// The same in lock step, of a table in steps: each lasts as long as its slowest latency and its slowest chunk, an empty
// one as the costs say.
double naive_lock_step(const SendTable& table, const TransferCosts& costs);

// The same in lock step, of a table in rounds.
double naive_lock_step_in_rounds(const SendTable& table, const TransferCosts& costs);

}  // namespace quadrille::reference
