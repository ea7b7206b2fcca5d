// sent_messages reads the messages of a table in rounds as sends, each with its sender, receivers, chunks and path.
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

// Returns the messages of all rounds; nothing where the language has no send for one of them. Such messages are not
// well formed; or begin, end or join at switches; or leave the default routes to several receivers; or are separate
// here although switches would join them.
std::optional<std::vector<SentMessage>> sent_messages(const SendTable& table);

}  // namespace quadrille
