// Bandwidths as practitioners count them, beside times: those of nccl-tests, whose size is that of the whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/text/result.h"

namespace quadrille::driver {

// How many messages the whole is that nccl-tests gives the size of. As many as processors, where each has or gets one
// of its own: what a processor of an all-gather gets in the end, or has for all in a total exchange. 1 for a broadcast,
// a reduction, an all-reduce, and where nccl-tests counts nothing of the kind.
std::uint64_t messages_in_whole(const Collective& collective);

// Sizes of messages from sizes that are of a `part`, a message, or of the `whole`: then each is divided by the number
// of messages in it and rounded down. An empty word stands for part. Errors: another word, one without sizes, or a
// whole with less than a byte for each message (Code::usage).
Result<std::vector<std::uint64_t>> message_sizes(std::vector<std::uint64_t> sizes, const std::string& size_of,
                                                 const Collective& collective);

struct Bandwidth {
  std::uint64_t whole = 0;  // bytes
  double algorithm = 0;     // bytes a second: the whole by the time; algbw
  double bus = 0;           // times 2(n-1)/n for an all-reduce, (n-1)/n where the whole is n messages, else 1; busbw
};

// Of messages of so many bytes. Nothing if the whole has 2^64 bytes or more, for collectives of which nccl-tests counts
// none (prefixes, barriers, listed ones that are none of the others), without a time, or if that is 0. (NCCL tests,
// doc/PERFORMANCE.md.)
std::optional<Bandwidth> bandwidth(const Collective& collective, std::uint64_t size, std::optional<double> seconds);

}  // namespace quadrille::driver
