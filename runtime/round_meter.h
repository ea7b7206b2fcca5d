// Measures the cost of rounds: their volume and hops (model/MODEL.md, Rounds).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>

#include "model/fabric.h"
#include "model/messages/step_messages.h"
#include "model/send_table.h"

namespace quadrille::replaying {

// Cost: a look at each message; with shared paths, also a look-up in an ordered map for each row.
class RoundMeter {
 public:
  // Keeps a reference to the fabric.
  explicit RoundMeter(const Fabric& fabric) : fabric_(fabric), shared_(fabric.rules().paths == Paths::shared) {}

  void round(const StepRows& batch, std::span<const Message> messages) {
    std::uint64_t longest_path = 0;
    std::uint64_t longest_message = 0;
    for (const Message& message : messages) {
      longest_path = std::max<std::uint64_t>(longest_path, message.longest);
      longest_message = std::max<std::uint64_t>(longest_message, message.packets);
    }
    hops_ += longest_path;
    volume_ += shared_ ? largest_load(batch) : longest_message;
  }

  std::uint64_t volume() const { return volume_; }
  std::uint64_t hops() const { return hops_; }

 private:
  // The most loaded channel's rows per lane. In half duplex both directions of a link count together.
  std::uint64_t largest_load(const StepRows& batch) const {
    const bool half = fabric_.rules().duplex == Duplex::half;
    std::map<ChannelId, std::uint64_t> load;
    for (const Row& row : batch.rows) ++load[half ? fabric_.link(row.channel) : row.channel];
    std::uint64_t most = 0;
    for (const auto& [channel, rows] : load) {
      const std::uint64_t lanes = fabric_.channel(channel).capacity;
      most = std::max(most, (rows + lanes - 1) / lanes);
    }
    return most;
  }

  const Fabric& fabric_;
  bool shared_;
  std::uint64_t volume_ = 0;
  std::uint64_t hops_ = 0;
};

}  // namespace quadrille::replaying
