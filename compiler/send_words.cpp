// Rows and flights are many, and few schedules speak of words: so nothing of them stands there. Cost: a region's sends
// once; memory, what they say.
#include "compiler/send_words.h"

#include "compiler/region_runner.h"

namespace quadrille {

const SendWords& WordsOfSends::of(SendSerial serial) {
  const auto region = static_cast<std::uint32_t>(serial >> 32);
  const auto [place, fresh] = known_.try_emplace(region);
  if (fresh) {
    Evaluator evaluator(plan_->instance);
    RegionRunner runner(*plan_, evaluator);
    runner.run(region, [&](const ResolvedSend& send) {
      SendWords words{nullptr, send.keeping, send.span};
      if (!send.sum.empty()) words.sum = std::make_shared<const ContributionSet>(contributions(send.sum));
      place->second.push_back(std::move(words));
    });
  }
  return place->second.at(serial & 0xffffffff);
}

}  // namespace quadrille
