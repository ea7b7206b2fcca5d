// The messages of one send to several processors come one after another. They are put together again, and then divided
// as the other fabric needs it. For example, on a ring `send 0 -> {1, 2}` is two messages, and around a switch it is
// one. Cost: the paths.
#include "place/rounds/messages_elsewhere.h"

#include <algorithm>

#include "place/flights/forwarding.h"
#include "place/flights/no_route.h"
#include "place/steps/transfer_routes.h"

namespace quadrille {

MessagesElsewhere::MessagesElsewhere(const WrittenRounds& written, const Fabric& target, const Limits& limits)
    : rounds_(written),
      target_(target),
      limits_(limits),
      router_(target_),
      branching_(target_, router_, !written.collective.combining() && !target_.switches_forward()),
      as_written_(same_channels(written.fabric, target_)) {}

MessageList MessagesElsewhere::run() {
  rounds_.each_message([&](const MadeMessage& message) { take(message); });
  add_send();
  return std::move(result_);
}

void MessagesElsewhere::take(const MadeMessage& message) {
  const bool another =
      !targets_.empty() && (message.round != send_.round || message.serial != send_.serial ||
                            message.sender != send_.sender || !std::ranges::equal(message.chunks, chunks_));
  if (another) add_send();
  if (as_written_ && (message.receivers.size() == 1 || !forwards(target_))) return keep(message);
  send_ = message;
  chunks_.assign(message.chunks.begin(), message.chunks.end());
  written_.assign(message.channels.begin(), message.channels.end());
  targets_.insert(targets_.end(), message.receivers.begin(), message.receivers.end());
}

void MessagesElsewhere::keep(const MadeMessage& message) {
  if (result_.bytes() > limits_.memory / 2) times_too_large(limits_.memory, {});
  result_.add(message);
}

void MessagesElsewhere::add_send() {
  if (targets_.empty()) return;
  send_.chunks = chunks_;
  if (targets_.size() == 1) {
    add_path();
  } else {
    for (const BranchingMessage& message : branching_.of(send_.sender, targets_)) {
      send_.receivers = message.receivers;
      send_.channels = message.channels;
      keep(send_);
    }
  }
  targets_.clear();
}

void MessagesElsewhere::add_path() {
  std::vector<ChannelId> path;
  const auto named = send_.named_path ? named_path_on(target_, written_, rounds_.fabric) : std::nullopt;
  if (named) {
    path = *named;
  } else if (!router_.append_route(send_.sender, targets_[0], path)) {
    no_route(target_, send_.sender, targets_[0]);
  }
  send_.named_path = named.has_value();
  send_.receivers = targets_;
  send_.channels = path;
  keep(send_);
}

}  // namespace quadrille
