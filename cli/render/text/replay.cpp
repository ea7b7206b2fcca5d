// The measurements of a replay as text; the use of links over time as a chart, a column for each span of steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

std::string faults_text(const Measurements& measured, const Sources& sources, Paint paint) {
  std::string text;
  for (const Fault& fault : measured.faults) text += marked("violation", fault.message, {}, sources, paint);
  if (measured.fault_count > measured.faults.size()) {
    text += fmt::format("  and {} more\n", measured.fault_count - measured.faults.size());
  }
  return text.empty() ? text : text + "\n";
}

std::string queues_text(const Measurements& measured) {
  std::string text = fmt::format("queue       {} at most in a switch, {} before a channel\n", measured.max_queue,
                                 measured.max_channel_queue);
  if (measured.queue_by_level.size() <= 2) return text;  // one level of switches
  for (std::size_t level = 1; level < measured.queue_by_level.size(); ++level) {
    text += fmt::format("  level {:<3} {} in a switch, {} before a channel\n", level, measured.queue_by_level[level],
                        measured.channel_queue_by_level[level]);
  }
  return text;
}

// How often a lane can bring a packet.
std::uint64_t times(const Measurements& measured) { return measured.volume.value_or(measured.steps); }

// The top of the chart: all lanes in use in each step; in rounds, which differ in length, what is most.
double highest(const Measurements& measured, const LevelUse& use) {
  if (!measured.volume) return static_cast<double>(use.lanes) * measured.steps_per_bucket;
  return static_cast<double>(*std::max_element(use.over_time.begin(), use.over_time.end()));
}

std::string use_text(const Measurements& measured) {
  if (measured.use.empty() || measured.steps == 0) return "";
  const std::string word = measured.volume ? "round" : "step";
  std::string text = fmt::format(
      "{:<16} {:>8} {:>12} {:>12} {:>7}  {}\n", "link use", "lanes", "crossings", "busiest " + word, "used",
      measured.steps_per_bucket == 1 ? fmt::format("over time, a column for each {}", word)
                                     : fmt::format("over time, a column for {} {}s", measured.steps_per_bucket, word));
  for (const LevelUse& use : measured.use) {
    const std::string name = fmt::format("level {} {}", use.level, use.down ? "down" : "up");
    text += fmt::format("  {:<14} {:>8} {:>12} {:>12} {:>7}  {}\n", use.level == 0 ? "all channels" : name, use.lanes,
                        use.rows, use.busiest, percentage(use.rows, use.lanes * times(measured)),
                        chart(use.over_time, highest(measured, use)));
  }
  return "\n" + text;
}

// Off trees, where all channels are of one level.
std::string busiest_text(const Measurements& measured, const Fabric& fabric) {
  if (measured.busiest_links.empty() || measured.steps == 0) return "";
  std::size_t width = 14;
  for (const LinkUse& link : measured.busiest_links) width = std::max(width, fabric.name(link.channel).size());
  std::string text =
      fmt::format("{:<{}} {:>8} {:>12} {:>7}\n", "busiest links", width + 2, "lanes", "crossings", "used");
  for (const LinkUse& link : measured.busiest_links) {
    text += fmt::format("  {:<{}} {:>8} {:>12} {:>7}\n", fabric.name(link.channel), width, link.lanes, link.rows,
                        percentage(link.rows, link.lanes * times(measured)));
  }
  return "\n" + text;
}

// How full each span of time is.
std::string chart_of(const TimedUse& use, double span) {
  constexpr double full = 1e6;
  std::vector<std::uint64_t> shares;
  for (const double busy : use.over_time) {
    shares.push_back(static_cast<std::uint64_t>(std::llround(busy / (static_cast<double>(use.lanes) * span) * full)));
  }
  return chart(shares, full);
}

std::string times_text(const driver::ReplayOutcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    text += fmt::format("{:<11} {} for messages of {}, {}{}\n", i == 0 ? "time" : "", time_text(outcome.times[i]),
                        size_text(outcome.sizes[i]),
                        outcome.sync == driver::Sync::step ? "in lock step" : "all as soon as they can",
                        why_no_time(outcome.times[i], outcome.measured.verdict, outcome.cut));
    text += bandwidth_text(outcome.table.collective, outcome.sizes[i], outcome.times[i]);
  }
  if (outcome.use_in_time.empty() || outcome.times[0].value_or(0) <= 0) return text.empty() ? text : "\n" + text;
  text +=
      fmt::format("{:<16} {:>8} {:>7}  over time, {} in all\n", "busy", "lanes", "used", time_text(outcome.times[0]));
  for (const TimedUse& use : outcome.use_in_time) {
    const std::string name = fmt::format("level {} {}", use.level, use.down ? "down" : "up");
    const double whole = static_cast<double>(use.lanes) * *outcome.times[0];
    text += fmt::format("  {:<14} {:>8} {:>7}  {}\n", use.level == 0 ? "all channels" : name, use.lanes,
                        fmt::format("{:.1f}%", 100 * use.busy / whole),
                        chart_of(use, *outcome.times[0] / static_cast<double>(use.over_time.size())));
  }
  return "\n" + text;
}

std::string cost_text(double cost, const driver::ReplayOutcome& outcome) {
  if (!outcome.sizes.empty())
    return fmt::format("{} for messages of {}", time_text(cost), size_text(outcome.sizes.front()));
  return fmt::format("{} {}", outcome.measured.load ? "load" : outcome.measured.volume ? "volume" : "steps", cost);
}

std::string worst_link_text(const driver::ReplayOutcome& outcome) {
  if (!outcome.worst_link) return "";
  const driver::WorstLink& worst = *outcome.worst_link;
  const std::string of = fmt::format("of {} that are used, {} tried", worst.used, worst.tried);
  if (worst.used == 0) return "\nworst link  none is used\n";
  if (worst.link.empty()) return fmt::format("\nworst link  not known, {}\n", of);
  const std::string without =
      worst.without_route ? "without it some send has no route" : "without it " + cost_text(*worst.cost, outcome);
  return fmt::format("\nworst link  {}: {}{}, {}\n", worst.link, without, worst.placed_anew ? ", placed anew" : "", of);
}

std::string contention_text(const driver::ProgramTime& time, const Fabric& fabric) {
  if (time.contended.empty()) return "            no message waits for another one\n";
  std::string text =
      fmt::format("            {:<28} {:>8} {:>10} {:>10}\n", "what messages wait for", "messages", "busy", "waited");
  for (const driver::Contention& it : time.contended) {
    text += fmt::format("              {:<26} {:>8} {:>10} {:>10}\n", fabric.name(it.channel), it.messages,
                        time_text(it.busy), time_text(it.waited));
  }
  return text;
}

constexpr std::size_t page_width = 120;

std::string names(const Collective& collective, const std::vector<ChunkId>& chunks) {
  std::string text;
  for (const ChunkId chunk : chunks) text += (text.empty() ? "" : " ") + collective.label(chunk);
  return text;
}

std::string cell(const SendTable& table, std::size_t processor, const ShownBuffer& buffer) {
  const std::string waiting = names(table.collective, buffer.waiting);
  const std::string held = names(table.collective, buffer.held);
  std::string text = table.fabric.name(NodeId(static_cast<std::uint32_t>(processor))) + ":";
  if (!waiting.empty()) text += " " + waiting;
  if (!held.empty()) text += fmt::format(" ({})", held);
  return text;
}

// A block for each step; nothing else than the reason if the limits ended it. Each processor has a cell: what waits in
// its buffer, the oldest first, and in brackets what else it holds. As many cells stand in a line as there is room for.
std::string buffers_text(const SendTable& table, const ShownBuffers& buffers) {
  if (buffers.reason != Reason::none) return fmt::format("\nbuffers     {}\n", to_string(buffers.reason));
  const std::string unit = table.fabric.in_rounds() ? "round" : "step";
  std::string text = fmt::format(
      "\nbuffers     what each processor holds after each {}: what it sends on later, oldest first (and what not)\n",
      unit);
  std::vector<std::vector<std::string>> all;
  std::size_t width = 0;
  for (const ShownStep& step : buffers.steps) {
    auto& cells = all.emplace_back();
    for (std::size_t p = 0; p < step.processors.size(); ++p) {
      cells.push_back(cell(table, p, step.processors[p]));
      width = std::max(width, cells.back().size());
    }
  }
  const std::size_t in_line = std::max<std::size_t>(1, page_width / (width + 2));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t step = buffers.steps[i].step.value;
    const std::string head = step == 0 ? "at first" : fmt::format("{} {}", unit, step);
    for (std::size_t p = 0; p < all[i].size(); p += in_line) {
      std::string line = fmt::format("  {:<9}", p == 0 ? head : "");
      for (std::size_t k = p; k < std::min(p + in_line, all[i].size()); ++k) {
        line += fmt::format(" {:<{}}", all[i][k], width + 1);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

}  // namespace

std::string rendered(AsText form, const driver::ReplayOutcome& outcome, const Sources& sources) {
  const Measurements& measured = outcome.measured;
  std::string text = faults_text(measured, sources, form.paint) + title(outcome.table, outcome.on);
  if (measured.reason != Reason::unsupported) {
    text += "\n" + measures_text(measured.steps, outcome.bound, measured.volume, outcome.volume_bound, measured.load,
                                 measured.hops);
    text += fmt::format("messages    {}\nrows        {}\n", measured.messages, measured.rows);
    text += fmt::format("delivered   {} of {}\n", measured.delivered, measured.demanded);
    if (!measured.volume) text += queues_text(measured);
    text += use_text(measured) + busiest_text(measured, outcome.table.fabric);
  }
  if (outcome.buffers) text += buffers_text(outcome.table, *outcome.buffers);
  const std::string why = measured.why.empty() ? "" : fmt::format(": {}", measured.why);
  return text + times_text(outcome) + worst_link_text(outcome) +
         fmt::format("\nverdict     {}{}\n", form.paint(to_string(measured.verdict)), why) +
         cut_text(outcome.cut, "all of this was known");
}

std::string rendered(AsText, const driver::ReplayProgramOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("program     {}\nfabric      {}\nmessages    {} of {} chunks in all\n\n", printable(outcome.name),
                  fabric_text(outcome.fabric, outcome.on), outcome.messages, outcome.chunks);
  for (const driver::ProgramTime& time : outcome.times) {
    text += fmt::format("time        {} for a message of {}\n{}", time_text(time.seconds), size_text(time.size),
                        contention_text(time, outcome.fabric));
  }
  return text + cut_text(outcome.cut, "all of this was known");
}

}  // namespace quadrille::cli
