// Connections as a communicator keeps them from one call to the next, for tests: set-up makes them of the peers that
// thread blocks declare, whether they use them or not, and a block that begins takes up its end's counter and puts it
// back when it ends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "programs/msccl/xml.h"

namespace quadrille::programs {

struct Val {
  std::uint64_t sum = 0;
  std::uint64_t order = 0;
  bool poison = true;
};
struct Slot {
  Val value;
  bool filled = false;
};
using Message = std::shared_ptr<std::vector<Slot>>;

// How blocks and wires meet: how many messages a wire holds, and whether the receiver looks for the number of a message
// (the flag of LL and LL128) or for a tail beyond its own counter (Simple).
struct WireRules {
  std::int64_t depth = 2;
  bool numbered = false;
};

struct Wire {
  bool sends = false;  // the sending end is declared
  bool receives = false;
  std::int64_t send_step = 0;  // as the last block to end there left it
  std::int64_t receive_step = 0;
  std::int64_t head = 0;  // what the receiver has given back
  std::int64_t tail = 0;
  std::map<std::int64_t, std::pair<std::int64_t, Message>> slots = {};  // by place: the number of its message

  bool has_room(const WireRules& rules, std::int64_t step) const { return step < head + rules.depth; }
  void put(const WireRules& rules, std::int64_t step, Message message);
  Message message(const WireRules& rules, std::int64_t step) const;  // null: there is none yet
};

class Wires {
 public:
  Wires(const MscclFile& file, std::string_view executor);

  // A loader, or the check of channels before set-up, does not take the file.
  bool refused() const { return refused_; }
  // Every end has its other end; else set-up waits for ever, ends with an error, or ties it to another channel's.
  bool connected() const;
  // The wire of a block's end; null if it declares none.
  Wire* outgoing(const MscclRank& rank, const MscclBlock& block);
  Wire* incoming(const MscclRank& rank, const MscclBlock& block);

 private:
  void declare(const MscclRank& rank, const MscclBlock& block);

  const MscclFile& file_;
  std::int64_t most_channels_;
  bool refused_ = false;
  bool lost_ = false;  // a peer on a channel that is not set up
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Wire> all_ = {};  // by sender, receiver, channel
};

}  // namespace quadrille::programs
