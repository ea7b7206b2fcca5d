// How messages were routed, as JSON; JSON.md names each key.
#include <algorithm>

#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

using driver::TrafficOutcome;

constexpr std::uint32_t spans = 40;

Json delays_json(const Delays& delays) {
  if (delays.empty()) return {};
  return {{"least", delays.begin()->first},
          {"median", driver::quantile(delays, 0.5)},
          {"percentile_90", driver::quantile(delays, 0.9)},
          {"percentile_99", driver::quantile(delays, 0.99)},
          {"most", delays.rbegin()->first},
          {"mean", driver::mean(delays)}};
}

Json run_json(const TrafficOutcome::Run& each) {
  const RouterRun& run = each.measured;
  const double time = std::max(1.0, static_cast<double>(run.routers) * run.cycles);
  return {{"seed", each.seed},
          {"reason", reason_json(run.reason)},
          {"cycles", run.cycles},
          {"lower_bound", run.least.cycles},
          {"lower_bound_reason", run.least.reason},
          {"delivered", run.delivered},
          {"hops", run.hops},
          {"referrals", run.referrals},
          {"max_buffered", run.peak_buffered},
          {"mean_buffered", static_cast<double>(run.buffered) / time},
          {"delay", delays_json(run.delays)},
          {"delay_from_injection", delays_json(run.delays_inside)}};
}

}  // namespace

std::string rendered(AsJson, const TrafficOutcome& outcome, const Sources&) {
  const RouterRun& first = outcome.runs.front().measured;
  Json json;
  json["reason"] = reason_json(outcome.reason());
  json["fabric"] = outcome.on.empty() ? outcome.fabric.title() : outcome.on;
  json["pattern"] = outcome.pattern;
  json["policy"] = outcome.policy;
  json["buffers"] = outcome.router.buffers;
  json["inject"] = outcome.router.inject;
  json["deliver"] = outcome.router.deliver;
  json["routers"] = first.routers;
  json["wires"] = first.wires;
  json["refers"] = first.refers;
  json["messages"] = first.messages;
  json["off_line_steps"] = value_or_null(outcome.off_line.on_default_routes);
  json["off_line_steps_on_ways_taken"] = value_or_null(outcome.off_line.on_paths_taken);
  json["off_line_why"] = outcome.off_line.why;
  json["delay"] = delays_json(outcome.delays);
  json["delay_from_injection"] = delays_json(outcome.delays_inside);
  const driver::Histogram shown = driver::histogram(outcome.delays, spans);
  json["cycles_per_bucket"] = shown.span;
  json["messages_by_delay"] = shown.messages;
  json["runs"] = Json::array();
  for (const TrafficOutcome::Run& each : outcome.runs) json["runs"].push_back(run_json(each));
  return json_text(json);
}

}  // namespace quadrille::cli
