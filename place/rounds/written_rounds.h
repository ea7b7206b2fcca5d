// WrittenRounds is a schedule in rounds as it is written, without its language.
#pragma once

#include <functional>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/rounds/message_list.h"

namespace quadrille {

struct WrittenRounds {
  using Visit = std::function<void(const MadeMessage&)>;

  const Fabric& fabric;  // that it is written for
  const Collective& collective;
  // Visits each message, round by round, and in a round in the order of the sends. A message is valid during its visit.
  // Throws EvaluationError.
  std::function<void(const Visit&)> each_message;
};

}  // namespace quadrille
