// The events of a trace: those of the rows, step by step, on tracks that get their names where they are first used.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/look/located_rows.h"
#include "driver/look/packet_routes.h"
#include "driver/look/trace_tracks.h"
#include "model/send_table.h"
#include "runtime/times/step_times.h"

namespace quadrille::driver {

// Takes text; false once it takes no more.
using TraceSink = std::function<bool(std::string_view text)>;

class TraceEvents {
 public:
  // Requires that all arguments outlive it. `ways`: the routes of the rows that will be written.
  TraceEvents(const SendTable& table, const Sources& sources, PacketRoutes& ways, const TraceSink& sink);

  // Writes the text before the events; `how_long` says how long a step takes.
  void begin(std::string_view how_long);
  // Writes the events of the rows of a step that begins so many seconds after the first one.
  void step(LocatedRows& rows, const StepRows& batch, std::span<const replaying::RowTime> times, double seconds);
  void end();

  bool taken() const { return taken_; }  // whether everything that was written was taken
  std::uint64_t rows() const { return rows_; }
  std::uint64_t events() const { return events_; }  // events of rows; without flows and names
  std::uint64_t bytes() const { return bytes_; }    // of all that was written

 private:
  // An interval in nanoseconds, the unit of viewers. Both ends are rounded, so consecutive intervals do not overlap.
  struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  void row(const StepRows& batch, std::size_t i, const Interval& when, LaneId lane, const RowOrigin& origin);
  void complete(std::uint32_t process, std::uint32_t track, const std::string& label, const Interval& when,
                const std::string& arguments);
  void flows(const StepRows& batch);
  void flow(char phase, const CrossingEvent& at, const std::string& label);
  void name_new_tracks();
  void name_process(std::uint32_t process, std::string_view name, std::string_view how_long);
  void write(std::string_view event);
  void flush();
  std::string arguments(const StepRows& batch, std::size_t i, LaneId lane, const RowOrigin& origin,
                        const std::string& label);
  const std::string& channel_name(ChannelId channel);
  const std::string& place_text(const WrittenLine& line, bool phase);

  const SendTable& table_;
  WrittenLines lines_;
  PacketRoutes& ways_;
  const TraceSink& sink_;
  TraceTracks tracks_;
  std::vector<CrossingEvent> crossings_;  // of the current step, by row
  bool taken_ = true;
  bool first_ = true;  // whether nothing is written yet
  std::uint64_t rows_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
  std::string pending_;  // written, but not given to the sink yet
  // Texts in JSON that come again and again: by channel; by line, as place and as phase.
  std::unordered_map<std::uint32_t, std::string> channel_names_;
  std::map<std::pair<const WrittenLine*, bool>, std::string> places_;
  std::uint64_t flows_ = 0;
};

}  // namespace quadrille::driver
