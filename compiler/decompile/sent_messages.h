// The messages of a table in rounds, as sends: who sends what to whom, and by which nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/send_table.h"

namespace quadrille {

struct SentMessage {
  std::uint32_t round = 0;
  std::uint32_t from = 0;
  std::vector<std::uint32_t> to;  // in increasing order
  std::vector<ChunkName> chunks;  // likewise
  std::vector<NodeId> along;      // the nodes between, of a message that leaves the default route
};

// Those of all rounds. Nothing where one is no send of the language: messages that are not well formed, or that begin,
// end or join at switches; that leave the default routes to several; and where switches would join what is apart here.
std::optional<std::vector<SentMessage>> sent_messages(const SendTable& table);

}  // namespace quadrille
