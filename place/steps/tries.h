// Tries: events are placed several times, each time by another setting, and the best result is kept. Greedy placing can
// come out longer than what is written: then that is kept, if it keeps the rules.
#pragma once

#include <span>
#include <string_view>

#include "place/calendar/list_schedule.h"

namespace quadrille {

inline constexpr std::string_view as_it_is_written = "it is written: placed anew it would be longer";

struct Try {
  std::string_view as;   // what users are told: "whole sends"
  bool chooses = false;  // routes, where there is a choice
  bool spreads = false;  // chooses routes of least load
  bool stops = false;    // on the way, where packets can
  bool detours = false;  // to where they can
  bool exactly = true;   // all keep to their last starts
};

class Tries : public Events {
 protected:
  // Makes the tries in turn, and says how the result was placed: `as` of the try that was kept, or as_it_is_written;
  // empty where there is none.
  std::string_view best_of(std::span<const Try> tries) {
    const Try* best = nullptr;
    for (const Try& next : tries) {
      if (!is_worth_it(next, best)) continue;
      now_ = next;
      if (!comes_to_the_same(best == nullptr) || (best != nullptr && !better_than_kept())) continue;
      keep();
      best = &next;
    }
    if (written_is_better(best != nullptr)) return as_it_is_written;
    return best == nullptr ? std::string_view() : best->as;
  }

  // The try that is made.
  const Try& now() const { return now_; }

  // Whether the try may be better than `best`, the one that is kept; null: none is.
  virtual bool is_worth_it(const Try& next, const Try* best) const = 0;
  // Places all as now() says, and says whether the outcome is that of what is written. `last_resort`: nothing is kept.
  virtual bool comes_to_the_same(bool last_resort) = 0;
  virtual bool better_than_kept() = 0;
  virtual void keep() = 0;
  // Whether what is written keeps the rules of the fabric, and is shorter than what is kept, if something is.
  virtual bool written_is_better(bool kept) = 0;

 private:
  Try now_;
};

}  // namespace quadrille
