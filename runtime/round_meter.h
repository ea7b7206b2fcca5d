// Measures the cost of rounds: their volume, load and hops (model/MODEL.md, Rounds).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "model/fabric.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "motion/step_messages.h"

namespace quadrille::replaying {

// Cost: a look at each message; with shared paths, also a look-up in an ordered map for each row.
class RoundMeter {
 public:
  // Keeps a reference to the fabric.
  explicit RoundMeter(const Fabric& fabric) : fabric_(fabric), shared_(fabric.rules().paths == Paths::shared) {
    if (shared_) load_ = Fraction();
  }

  void round(const StepRows& batch, std::span<const Message> messages) {
    std::uint64_t longest_path = 0;
    std::uint64_t longest_message = 0;
    for (const Message& message : messages) {
      longest_path = std::max<std::uint64_t>(longest_path, message.longest);
      longest_message = std::max<std::uint64_t>(longest_message, message.packets);
    }
    hops_ += longest_path;
    if (shared_) return add_loads(batch);
    volume_ += longest_message;
  }

  std::uint64_t volume() const { return volume_; }
  // On shared paths; nothing also where it needs numbers of more than 64 bits.
  std::optional<Fraction> load() const { return load_; }
  std::uint64_t hops() const { return hops_; }

 private:
  struct LinkLoad {
    std::uint64_t rows = 0;
    std::optional<Fraction> load = Fraction();
  };

  // The most loaded channel's rows per lane, in whole turns and exactly. In half duplex both directions of a link count
  // together.
  void add_loads(const StepRows& batch) {
    const bool half = fabric_.rules().duplex == Duplex::half;
    std::map<ChannelId, std::uint64_t> rows_on;
    for (const Row& row : batch.rows) ++rows_on[row.channel];
    std::map<ChannelId, LinkLoad> on;
    for (const auto& [channel, rows] : rows_on) {
      LinkLoad& link = on[half ? fabric_.link(channel) : channel];
      link.rows += rows;
      if (link.load) link.load = sum(*link.load, Fraction(rows, fabric_.channel(channel).capacity));
    }
    std::uint64_t turns = 0;
    std::optional<Fraction> most = Fraction();
    for (const auto& [channel, link] : on) {
      const std::uint64_t lanes = fabric_.channel(channel).capacity;
      turns = std::max(turns, (link.rows + lanes - 1) / lanes);
      most = most && link.load ? std::optional(std::max(*most, *link.load)) : std::nullopt;
    }
    volume_ += turns;
    load_ = load_ && most ? sum(*load_, *most) : std::nullopt;
  }

  const Fabric& fabric_;
  bool shared_;
  std::uint64_t volume_ = 0;
  std::optional<Fraction> load_;
  std::uint64_t hops_ = 0;
};

}  // namespace quadrille::replaying
