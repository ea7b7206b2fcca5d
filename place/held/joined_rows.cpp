// The rows are listed as compiler/rows/rows.h lists them, and replayed (reduction_replay.h).
//
// For example, `send 1 -> 0` and `send 2 -> 0` around a switch give the rows 1->s, 2->s and s->0. The last one is the
// second hop of both flights, and carries {1-2}.
#include "place/held/joined_rows.h"

#include <algorithm>
#include <tuple>

#include "model/text/evaluation_error.h"
#include "place/held/reduction_replay.h"

namespace quadrille {
namespace {

class Lister {
 public:
  Lister(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
         ReductionsOfSends* words)
      : flights_(flights),
        fabric_(fabric),
        collective_(collective),
        words_(words),
        reduces_(fabric.switches_reduce()),
        pulse_(limits, 256),
        work_(limits),
        replay_(fabric, collective, false, work_) {}

  JoinedRows run() {
    list();
    for (std::size_t begin = 0; begin < result_.rows.size();) {
      std::size_t end = begin;
      while (end < result_.rows.size() && result_.rows[end].step == result_.rows[begin].step) ++end;
      replay(begin, end);
      begin = end;
    }
    result_.held = held_at_end(replay_.held());
    result_.faults += replay_.faults();
    return std::move(result_);
  }

 private:
  void list() {
    const std::vector<HopAt> hops = hops_by_step(flights_);
    result_.of_hops.resize(flights_.hops.size());
    std::map<std::tuple<ChannelId, std::uint32_t, std::uint32_t>, std::uint32_t> of_step;  // target and part
    for (std::size_t i = 0; i < hops.size(); ++i) {
      if (i > 0 && hops[i].step != hops[i - 1].step) of_step.clear();
      const ChannelId channel = flights_.hops[hops[i].hop].channel;
      const ChunkName name = collective_.name(flights_.list[hops[i].flight].chunk);
      auto row = static_cast<std::uint32_t>(result_.rows.size());
      if (reduces_ && !fabric_.is_processor(fabric_.channel(channel).from))
        row = of_step.emplace(std::tuple(channel, name.target.value_or(0), name.part), row).first->second;
      if (row == result_.rows.size()) {
        result_.rows.push_back({hops[i].step, channel, hops[i].flight, {}, Arrival::joined});
      }
      result_.of_hops[hops[i].hop] = row;
    }
  }

  void replay(std::size_t begin, std::size_t end) {
    if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
    std::vector<Row> rows;
    std::vector<StatedReduction> said;
    std::map<ChannelId, std::uint32_t> lanes;
    for (std::size_t i = begin; i < end; ++i) {
      const JoinedRow& row = result_.rows[i];
      const Flight& flight = flights_.list[row.flight];
      const LaneId lane(lanes[row.channel]++ % fabric_.channel(row.channel).capacity);
      rows.push_back({row.channel, lane, flight.chunk});
      said.push_back(words_ == nullptr ? StatedReduction{} : said_of(words_->of(flight.serial)));
    }
    const auto uses = replay_.step({StepId(result_.rows[begin].step), rows}, said);
    for (std::size_t i = begin; i < end; ++i) {
      result_.rows[i].carried = replay_.carried()[i - begin];
      result_.rows[i].arrival = uses[i - begin].arrival;
      result_.faults += result_.rows[i].carried.empty() ? 1 : 0;
    }
  }

  const Flights& flights_;
  const Fabric& fabric_;
  const Collective& collective_;
  ReductionsOfSends* words_;
  bool reduces_;
  Pulse pulse_;
  Work work_;
  ReductionReplay replay_;
  JoinedRows result_;
};

}  // namespace

JoinedRows joined_rows(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
                       ReductionsOfSends* words) {
  try {
    return Lister(flights, fabric, collective, limits, words).run();
  } catch (const Ended& ended) {
    fail_at_limit(ended.reason, "retiming the schedule");
  }
}

}  // namespace quadrille
