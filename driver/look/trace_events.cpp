// Chrome's trace event format, which Perfetto reads: an object with a list `traceEvents`, each an object on a line of
// its own. `ph` says what it is: X, something that lasts (`ts` and `dur`, in microseconds) on a track (`pid` and
// `tid`); M, a name; s and f, an arrow from one to another. For example, of 0->2 over 1 on line:3, which takes two
// steps:
//
//     {"ph":"X","name":"0->2","pid":2,"tid":3,"ts":0.000,"dur":1000.000,"args":{…}}       0->1
//     {"ph":"X","name":"0->2","pid":2,"tid":6,"ts":1000.000,"dur":1000.000,"args":{…}}    1->2
//     {"ph":"s","name":"0->2","id":1,"pid":2,"tid":3,"ts":0.000}                          from the first …
//     {"ph":"f","bp":"e","name":"0->2","id":1,"pid":2,"tid":6,"ts":1000.000}              … to the second
//
// Cost: for each row three events at most, and an arrow.
#include "driver/look/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace quadrille::driver {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Writes nanoseconds as microseconds.
std::string microseconds(std::int64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace

TraceEvents::TraceEvents(const SendTable& table, const Sources& sources, PacketRoutes& ways, const TraceSink& sink)
    : table_(table), lines_(sources), ways_(ways), sink_(sink), tracks_(table.fabric) {}

void TraceEvents::begin(std::string_view how_long) {
  const Json about{{"schedule", table_.schedule},
                   {"fabric", table_.fabric.notation()},
                   {"collective", table_.collective.notation()},
                   {"time", how_long}};
  taken_ = sink_(fmt::format("{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[", text_of(about)));
  name_process(processors_process, "processors", how_long);
  name_process(links_process, "links", how_long);
}

void TraceEvents::end() {
  pending_ += "\n]}\n";
  flush();
}

void TraceEvents::flush() {
  taken_ = taken_ && sink_(pending_);
  pending_.clear();
}

void TraceEvents::write(std::string_view event) {
  constexpr std::size_t enough = 1 << 16;
  pending_.append(first_ ? "\n" : ",\n").append(event);
  bytes_ += event.size() + 2;
  first_ = false;
  if (pending_.size() >= enough) flush();
}

void TraceEvents::name_process(std::uint32_t process, std::string_view name, std::string_view how_long) {
  for (const auto& [what, arguments] : {std::pair("process_name", Json{{"name", name}}),
                                        {"process_labels", Json{{"labels", how_long}}},
                                        {"process_sort_index", Json{{"sort_index", process}}}}) {
    write(text_of(Json{{"ph", "M"}, {"name", what}, {"pid", process}, {"args", arguments}}));
  }
}

void TraceEvents::name_new_tracks() {
  for (const TraceTrack& track : tracks_.take_new()) {
    for (const auto& [what, arguments] : {std::pair("thread_name", Json{{"name", track.name}}),
                                          {"thread_sort_index", Json{{"sort_index", track.order}}}}) {
      write(text_of(
          Json{{"ph", "M"}, {"name", what}, {"pid", track.process}, {"tid", track.number}, {"args", arguments}}));
    }
  }
}

void TraceEvents::step(LocatedRows& rows, const StepRows& batch, std::span<const replaying::RowTime> times,
                       double seconds) {
  crossings_.clear();
  for (std::size_t first = 0; first < batch.rows.size(); first += LocatedRows::at_once) {
    const std::size_t count = std::min(LocatedRows::at_once, batch.rows.size() - first);
    const std::vector<RowOrigin> origins = rows.origins(first, count);
    for (std::size_t i = first; i < first + count; ++i) {
      const Interval when{nanoseconds(seconds + times[i].begin), nanoseconds(seconds + times[i].end)};
      row(batch, i, when, times[i].lane, origins[i - first]);
      if (!taken_) return;
    }
  }
  flows(batch);
}

void TraceEvents::row(const StepRows& batch, std::size_t i, const Interval& when, LaneId lane,
                      const RowOrigin& origin) {
  const Row& it = batch.rows[i];
  const std::string label = text_of(table_.collective.label(it.chunk));
  const std::string said = arguments(batch, i, lane, origin, label);
  const std::uint32_t track = tracks_.of_lane(it.channel, lane);
  complete(links_process, track, label, when, said);
  crossings_.push_back({track, when.begin});
  const Channel& channel = table_.fabric.channel(it.channel);
  for (const bool sends : {true, false}) {
    const NodeId node = sends ? channel.from : channel.to;
    if (!table_.fabric.is_processor(node)) continue;
    complete(processors_process, tracks_.of_processor(node, sends, track, batch.step.value), label, when, said);
  }
  ++rows_;
}

void TraceEvents::complete(std::uint32_t process, std::uint32_t track, const std::string& label, const Interval& when,
                           const std::string& arguments) {
  name_new_tracks();
  write(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})", label, process, track,
                    microseconds(when.begin), microseconds(when.end - when.begin), arguments));
  ++events_;
}

const std::string& TraceEvents::channel_name(ChannelId channel) {
  const auto [found, fresh] = channel_names_.try_emplace(channel.value);
  if (fresh) found->second = text_of(table_.fabric.name(channel));
  return found->second;
}

const std::string& TraceEvents::place_text(const WrittenLine& line, bool phase) {
  const auto [found, fresh] = places_.try_emplace({&line, phase});
  if (!fresh) return found->second;
  const Position& at = line.position;
  found->second =
      phase ? fmt::format(R"(,"phase":{})", text_of(fmt::format("{}: {}", at.line, line.text)))
            : fmt::format(R"(,"line":{},"statement":{})",
                          text_of(fmt::format("{}:{}:{}", line.file, at.line, at.column)), text_of(line.text));
  return found->second;
}

std::string TraceEvents::arguments(const StepRows& batch, std::size_t i, LaneId lane, const RowOrigin& origin,
                                   const std::string& label) {
  const Row& row = batch.rows[i];
  std::string text = fmt::format(R"({{"step":{},"channel":{},"lane":{},"packet":{})", batch.step.value,
                                 channel_name(row.channel), lane.value, label);
  if (!batch.messages.empty()) text += fmt::format(R"(,"message":{})", batch.messages[i].value);
  if (const WrittenLine* line = lines_.at(origin.span)) {
    text += place_text(*line, false);
    std::string variables;
    for (auto it = origin.variables.begin(); it != origin.variables.end(); ++it) {
      const auto same = [&](const auto& other) { return other.first == it->first; };
      if (std::any_of(std::next(it), origin.variables.end(), same)) continue;  // an inner loop has its name
      variables += fmt::format("{}{}:{}", variables.empty() ? "" : ",", text_of(it->first), it->second);
    }
    if (!variables.empty()) text += fmt::format(R"(,"variables":{{{}}})", variables);
  }
  if (const WrittenLine* phase = lines_.at(origin.outermost)) text += place_text(*phase, true);
  return text + "}";
}

void TraceEvents::flows(const StepRows& batch) {
  const auto before = ways_.before(batch, crossings_);
  for (std::size_t i = 0; i < before.size() && taken_; ++i) {
    if (!before[i]) continue;
    const std::string label = text_of(table_.collective.label(batch.rows[i].chunk));
    ++flows_;
    flow('s', *before[i], label);
    flow('f', crossings_[i], label);
  }
}

// Writes an end of an arrow. It ends at the event around its end ("bp": "e"), not at the next one that begins.
void TraceEvents::flow(char phase, const CrossingEvent& at, const std::string& label) {
  write(fmt::format(R"({{"ph":"{}",{}"cat":"packet","name":{},"id":{},"pid":{},"tid":{},"ts":{}}})", phase,
                    phase == 'f' ? R"("bp":"e",)" : "", label, flows_, links_process, at.track,
                    microseconds(at.begin)));
}

}  // namespace quadrille::driver
