// Every way that a message in rounds may have, by the page's words (model/MODEL.md, Rounds, Form).
#pragma once

#include <vector>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::tests {

struct MessagePath {
  std::vector<ChannelId> channels;
  std::vector<NodeId> senders;    // one, or those of a message that joins
  std::vector<NodeId> receivers;  // one, or those of a message that branches
};

// By looking at every set of channels: requires that there are few.
std::vector<MessagePath> message_paths(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::tests
