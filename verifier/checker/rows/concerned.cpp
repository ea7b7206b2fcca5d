// Idea: what a violation says of itself (property, step, channel, node, chunk, contribution) is a question about rows,
// and one more reading of the table answers all of them at once. A violation of slots or ports is about rows of its own
// step; the others follow something from step to step: where a chunk came to a node before, what a switch still has to
// send, which rows carried a contribution.
//
//   lane 0 of 0->1 carries two packets in step 3: all rows of step 3 on that lane; a packet that 1 sends in step 2
//   without having it: the row into 1 in step 5, which comes too late
//
// Cost: concerned.h.
#include "verifier/checker/rows/concerned.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace quadrille::checker {
namespace {

struct Found {
  RowPlace place;
  Row row;
};

// Looks for the rows of one violation.
class Seeker {
 public:
  explicit Seeker(const BlamedViolation& finding) : violation_(finding.violation) {}
  virtual ~Seeker() = default;
  Seeker(const Seeker&) = delete;
  Seeker& operator=(const Seeker&) = delete;

  virtual void step(const StepRows& batch) = 0;
  virtual bool done(StepId next) const = 0;  // whether no step from this one on matters
  virtual std::vector<Found> found() = 0;

 protected:
  static Found at(const StepRows& batch, std::size_t index) { return {{batch.step, index}, batch.rows[index]}; }

  const Violation& violation() const { return violation_; }

 private:
  const Violation& violation_;
};

// Rows of the violation's own step.
class InStep : public Seeker {
 public:
  using Concerns = std::function<std::vector<bool>(const StepRows& batch)>;

  InStep(const BlamedViolation& finding, Concerns concerns) : Seeker(finding), concerns_(std::move(concerns)) {}

  void step(const StepRows& batch) override {
    if (batch.step != *violation().step) return;
    const std::vector<bool> which = concerns_(batch);
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (which[i]) found_.push_back(at(batch, i));
    }
  }
  bool done(StepId next) const override { return next > *violation().step; }
  std::vector<Found> found() override { return std::move(found_); }

 private:
  Concerns concerns_;
  std::vector<Found> found_;
};

// The rows that the finding names itself.
class Named : public Seeker {
 public:
  explicit Named(const BlamedViolation& finding) : Seeker(finding) {
    if (finding.place) places_.insert(*finding.place);
    if (finding.other) places_.insert(*finding.other);
  }

  void step(const StepRows& batch) override {
    for (const RowPlace& place : places_) {
      if (place.step == batch.step) found_.push_back(at(batch, place.index));
    }
  }
  bool done(StepId next) const override { return next > places_.rbegin()->step; }
  std::vector<Found> found() override { return std::move(found_); }

 private:
  std::set<RowPlace> places_;
  std::vector<Found> found_;
};

std::vector<bool> rows_with(const StepRows& batch, const std::function<bool(const Row&)>& which) {
  std::vector<bool> result;
  for (const Row& row : batch.rows) result.push_back(which(row));
  return result;
}

InStep::Concerns on_lane(const BlamedViolation& finding) {
  return [place = finding.place](const StepRows& batch) {
    const Row& blamed = batch.rows[place->index];
    return rows_with(batch, [&](const Row& row) { return row.channel == blamed.channel && row.lane == blamed.lane; });
  };
}

// The channel's, or both directions' of a link of half duplex where neither alone is too much.
InStep::Concerns on_channel(ChannelId channel, const Fabric& fabric) {
  return [channel, &fabric](const StepRows& batch) {
    auto one_way = rows_with(batch, [&](const Row& row) { return row.channel == channel; });
    const auto back = fabric.reverse(channel);
    const auto number = std::ranges::count(one_way, true);
    const bool alone = number > std::int64_t{fabric.channel(channel).capacity};
    if (fabric.rules().duplex != Duplex::half || !back || alone) return one_way;
    return rows_with(batch, [&](const Row& row) { return row.channel == channel || row.channel == *back; });
  };
}

// What a processor with a single port sends, or receives; both where it does either once. In rounds a message passes
// other processors: what comes and goes within one message is none of theirs.
InStep::Concerns at_ports(NodeId processor, std::size_t blamed, const Fabric& fabric) {
  return [processor, blamed, &fabric](const StepRows& batch) {
    const auto message = [&](std::size_t i) {
      return batch.messages.empty() ? std::pair(true, i) : std::pair(false, std::size_t{batch.messages[i].value});
    };
    std::set<std::pair<bool, std::size_t>> in;
    std::set<std::pair<bool, std::size_t>> out;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Channel& channel = fabric.channel(batch.rows[i].channel);
      if (channel.to == processor) in.insert(message(i));
      if (channel.from == processor) out.insert(message(i));
    }
    const bool sends = fabric.channel(batch.rows[blamed].channel).from == processor;
    const auto ends_here = [&](std::size_t i, bool sent) {
      const Channel& channel = fabric.channel(batch.rows[i].channel);
      return (sent ? channel.from : channel.to) == processor && !(sent ? in : out).contains(message(i));
    };
    std::set<std::pair<bool, std::size_t>> same;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (ends_here(i, sends)) same.insert(message(i));
    }
    std::vector<bool> result;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      result.push_back(ends_here(i, sends) || (same.size() < 2 && ends_here(i, !sends)));
    }
    return result;
  };
}

// The row to blame, and one that brought its chunk to a node: before the violation, or else after it.
class Brought : public Seeker {
 public:
  enum class When : std::uint8_t { first, after_or_else_last };

  Brought(const BlamedViolation& finding, const Fabric& fabric, When when)
      : Seeker(finding), fabric_(fabric), when_(when), blamed_(finding.place) {}

  void step(const StepRows& batch) override {
    if (blamed_ && blamed_->step == batch.step) found_.push_back(at(batch, blamed_->index));
    const StepId since = *violation().step;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Row& row = batch.rows[i];
      if (row.chunk != *violation().chunk || fabric_.channel(row.channel).to != *violation().node) continue;
      if (when_ == When::first && !before_ && !(blamed_ == RowPlace{batch.step, i})) before_ = at(batch, i);
      if (when_ == When::first) continue;
      if (batch.step < since) before_ = at(batch, i);
      if (batch.step >= since && !after_) after_ = at(batch, i);
    }
  }
  bool done(StepId next) const override {
    return next > *violation().step && (when_ == When::first || after_.has_value());
  }
  std::vector<Found> found() override {
    if (after_) found_.push_back(*after_);
    if (before_ && !after_) found_.push_back(*before_);
    return std::move(found_);
  }

 private:
  const Fabric& fabric_;
  When when_;
  std::optional<RowPlace> blamed_;
  std::vector<Found> found_;
  std::optional<Found> before_;
  std::optional<Found> after_;
};

// The rows that brought what a switch buffers: they came before the step, and leave after it.
class Buffered : public Seeker {
 public:
  Buffered(const BlamedViolation& finding, const Fabric& fabric) : Seeker(finding), fabric_(fabric) {}

  void step(const StepRows& batch) override {
    const StepId when = *violation().step;
    for (const Row& row : batch.rows) {
      const auto held = held_.find(row.chunk);
      if (batch.step <= when || held == held_.end() || fabric_.channel(row.channel).from != *violation().node) continue;
      found_.push_back(held->second);
      held_.erase(held);
    }
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (fabric_.channel(batch.rows[i].channel).to != *violation().node) continue;
      if (batch.step < when) {
        held_.insert_or_assign(batch.rows[i].chunk, at(batch, i));
      } else {
        held_.erase(batch.rows[i].chunk);  // what leaves from now on came later
      }
    }
  }
  bool done(StepId next) const override { return next > *violation().step && held_.empty(); }
  std::vector<Found> found() override { return std::move(found_); }

 private:
  const Fabric& fabric_;
  std::map<ChunkId, Found> held_;
  std::vector<Found> found_;
};

// The last row of a chunk that never comes to where it is wanted.
class LastHop : public Seeker {
 public:
  explicit LastHop(const BlamedViolation& finding) : Seeker(finding) {}

  void step(const StepRows& batch) override {
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (batch.rows[i].chunk == *violation().chunk) last_ = at(batch, i);
    }
  }
  bool done(StepId) const override { return false; }
  std::vector<Found> found() override { return last_ ? std::vector{*last_} : std::vector<Found>{}; }

 private:
  std::optional<Found> last_;
};

// Follows one contribution to a value: which partial reductions have it. Of a contribution that is counted twice, the
// rows that brought it where it is counted; of one that is missing in the end, the last row that carried it. Words are
// not followed.
class Carried : public Seeker {
 public:
  Carried(const BlamedViolation& finding, const SendTable& table)
      : Seeker(finding),
        fabric_(table.fabric),
        collective_(table.collective),
        value_(*violation().value),
        blamed_(finding.place),
        held_{*violation().contribution} {}

  void step(const StepRows& batch) override {
    if (blamed_ && blamed_->step == batch.step) found_.push_back(at(batch, blamed_->index));
    const std::vector<std::size_t> carrying = carrying_rows(batch);
    for (const Row& row : batch.rows) left(row);
    for (const std::size_t i : carrying) arrive(batch, i);
  }
  bool done(StepId next) const override { return violation().step && next > *violation().step; }
  std::vector<Found> found() override {
    if (!violation().step && last_) found_.push_back(*last_);
    return std::move(found_);
  }

 private:
  using Packet = std::pair<std::uint64_t, std::uint32_t>;  // a chunk, or where switches reduce a target; a node

  bool joins_at(NodeId node) const { return !fabric_.is_processor(node) && fabric_.switches_reduce(); }

  Packet packet(ChunkId chunk, NodeId node) const {
    if (joins_at(node)) return {collective_.name(chunk).target.value_or(0), node.value};
    return {chunk.value, node.value};
  }

  bool carries(const Row& row) const {
    const ChunkName name = collective_.name(row.chunk);
    const NodeId from = fabric_.channel(row.channel).from;
    if (name.part != value_) return false;
    return name.origin == from.value ? held_.contains(from.value) : brought_.contains(packet(row.chunk, from));
  }

  // In rounds a message goes on within the round.
  std::vector<std::size_t> carrying_rows(const StepRows& batch) const {
    std::vector<std::size_t> carrying;
    std::vector<bool> known(batch.rows.size());
    std::set<std::pair<std::uint32_t, Packet>> passing;  // by message
    const auto message = [&](std::size_t i) {
      return batch.messages.empty() ? static_cast<std::uint32_t>(i) : batch.messages[i].value;
    };
    const bool rounds = fabric_.in_rounds();
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < batch.rows.size(); ++i) {
        const Row& row = batch.rows[i];
        const Channel& channel = fabric_.channel(row.channel);
        const bool goes_on = passing.contains({message(i), packet(row.chunk, channel.from)});
        if (known[i] || !(goes_on || carries(row))) continue;
        known[i] = true;
        carrying.push_back(i);
        more = (rounds && passing.insert({message(i), packet(row.chunk, channel.to)}).second) || more;
      }
    }
    return carrying;
  }

  // A switch that reduces gives away what it holds.
  void left(const Row& row) {
    const NodeId from = fabric_.channel(row.channel).from;
    if (joins_at(from)) brought_.erase(packet(row.chunk, from));
  }

  void arrive(const StepRows& batch, std::size_t index) {
    const Row& row = batch.rows[index];
    const NodeId to = fabric_.channel(row.channel).to;
    const bool target = collective_.name(row.chunk).target == to.value;
    last_ = at(batch, index);
    const bool here = violation().node == to && (target || joins_at(to));
    if (here && violation().step && !(blamed_ == RowPlace{batch.step, index})) found_.push_back(at(batch, index));
    if (target) held_.insert(to.value);
    if (!target) brought_.insert(packet(row.chunk, to));
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint32_t value_;
  std::optional<RowPlace> blamed_;
  std::set<std::uint32_t> held_;  // processors whose own partial reduction has it
  std::set<Packet> brought_;
  std::vector<Found> found_;
  std::optional<Found> last_;
};

std::unique_ptr<Seeker> seeker_for(const BlamedViolation& finding, const SendTable& table) {
  const Violation& it = finding.violation;
  const Fabric& fabric = table.fabric;
  const auto in_step = [&](InStep::Concerns concerns) {
    return std::make_unique<InStep>(finding, std::move(concerns));
  };
  switch (it.property) {
    case Property::contention_free:
      return in_step(on_lane(finding));
    case Property::capacity:
      return in_step(it.channel ? on_channel(*it.channel, fabric) : at_ports(*it.node, finding.place->index, fabric));
    case Property::queue:
      return std::make_unique<Buffered>(finding, fabric);
    case Property::causal:
      return std::make_unique<Brought>(finding, fabric, Brought::When::after_or_else_last);
    case Property::non_redundant:
      if (finding.seek) break;  // what a switch lost is its own arrival
      return std::make_unique<Brought>(finding, fabric, Brought::When::first);
    case Property::complete:
      if (it.contribution && !table.rows->has_partial_reductions()) return std::make_unique<Carried>(finding, table);
      if (it.chunk && !it.step) return std::make_unique<LastHop>(finding);
      break;
    case Property::well_formed:
    case Property::agreement:
    case Property::claims:
    case Property::invariants:
      break;
  }
  if (!finding.place && !finding.other) return nullptr;
  return std::make_unique<Named>(finding);
}

void read_for(const std::vector<std::unique_ptr<Seeker>>& seekers, const SendTable& table, const Limits& limits) {
  Pulse pulse(limits, 64);
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    bool all_done = true;
    for (const auto& seeker : seekers) {
      if (seeker == nullptr || seeker->done(batch->step)) continue;
      all_done = false;
      seeker->step(*batch);
    }
    if (all_done || pulse.reached()) return;
  }
}

}  // namespace

std::vector<std::vector<RowPlace>> find_concerned(std::vector<BlamedViolation>& findings, const SendTable& table,
                                                  const Limits& limits) {
  std::vector<std::unique_ptr<Seeker>> seekers;
  bool any = false;
  for (const BlamedViolation& finding : findings)
    any = (seekers.push_back(seeker_for(finding, table)), seekers.back()) || any;
  std::vector<std::vector<RowPlace>> places(findings.size());
  if (!any) return places;
  read_for(seekers, table, limits);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (seekers[i] == nullptr) continue;
    std::vector<Found> found = seekers[i]->found();
    std::ranges::sort(found, {}, &Found::place);
    Violation& violation = findings[i].violation;
    violation.rows_concerned = found.size();
    found.resize(std::min(found.size(), most_rows_listed));
    for (const Found& it : found) {
      violation.rows.push_back({it.place.step, it.row});
      places[i].push_back(it.place);
    }
  }
  return places;
}

}  // namespace quadrille::checker
