// How messages were routed, as text: cycles beside what they take at least and off line, delays, referrals, buffers.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

using driver::TrafficOutcome;

constexpr std::uint32_t columns = 40;

std::string heading_text(const TrafficOutcome& outcome) {
  const RouterRun& first = outcome.runs.front().measured;
  const RouterOptions& router = outcome.router;
  return fmt::format(
      "fabric      {}\n"
      "pattern     {}, {} of 32 bits\n"
      "policy      {}, {}\n"
      "routers     {}, {}; each buffers {}, injects {} and delivers {} a cycle\n\n",
      fabric_text(outcome.fabric, outcome.on), outcome.pattern, counted(first.messages, "message"), outcome.policy,
      first.refers ? "seed " + std::to_string(router.seed) : "and no referrals: links go one way", first.routers,
      counted(first.wires, "wire"), router.buffers, router.inject, router.deliver);
}

std::string off_line_text(const driver::OffLine& off_line) {
  const auto& [usual, taken, why] = off_line;
  if (!usual && !taken) return wrapped(fmt::format("off line    not scheduled: {}\n", why), 12);
  const auto told = [](const std::optional<std::uint64_t>& steps) { return steps ? std::to_string(*steps) : "-"; };
  const std::string text = fmt::format(
      "off line    {} steps by the compiler on default routes, {} on the ways taken here", told(usual), told(taken));
  return why.empty() ? text + "\n" : wrapped(fmt::format("{}; - where it is not scheduled: {}\n", text, why), 12);
}

// The measures of one run.
std::string run_text(const RouterRun& run) {
  const double held = static_cast<double>(run.buffered) / std::max(1.0, static_cast<double>(run.routers) * run.cycles);
  return fmt::format(
      "delivered   {} of {}\n"
      "hops        {}, {:.2f} a message, on {} of the wires' time\n"
      "referrals   {}, {} of the hops\n"
      "buffered    {} at most in a router, {:.2f} in the mean\n",
      run.delivered, run.messages, run.hops,
      static_cast<double>(run.hops) / std::max(1.0, static_cast<double>(run.messages)),
      percentage(run.hops, run.wires * run.cycles), run.referrals, percentage(run.referrals, run.hops),
      run.peak_buffered, held);
}

// "min  50%  90%  99%  max  mean".
std::string delay_row(std::string_view name, const Delays& delays) {
  return fmt::format("{:<24} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8.2f}\n", name, delays.begin()->first,
                     driver::quantile(delays, 0.5), driver::quantile(delays, 0.9), driver::quantile(delays, 0.99),
                     delays.rbegin()->first, driver::mean(delays));
}

std::string delays_text(const TrafficOutcome& outcome) {
  if (outcome.delays.empty()) return "";
  const driver::Histogram shown = driver::histogram(outcome.delays, columns);
  const double most = static_cast<double>(*std::max_element(shown.messages.begin(), shown.messages.end()));
  return fmt::format("\n{:<24} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}\n", "delay, in cycles", "least", "median", "90%",
                     "99%", "most", "mean") +
         delay_row("  from the first cycle", outcome.delays) + delay_row("  from injection", outcome.delays_inside) +
         fmt::format("  messages by delay      {}\n  a column for {}, at most {} messages\n",
                     chart(shown.messages, most), counted(shown.span, "cycle"), most);
}

// A line for each seed, if there are several.
std::string seeds_text(const TrafficOutcome& outcome) {
  if (outcome.runs.size() < 2) return "";
  std::string text = fmt::format("\n{:<12} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "seed", "cycles", "at least", "hops",
                                 "referrals", "buffered");
  for (const TrafficOutcome::Run& each : outcome.runs) {
    const RouterRun& run = each.measured;
    text += fmt::format("  {:<10} {:>8} {:>10} {:>10} {:>10} {:>10}\n", each.seed, run.cycles, run.least.cycles,
                        run.hops, run.referrals, run.peak_buffered);
  }
  std::vector<std::uint32_t> cycles;
  for (const TrafficOutcome::Run& each : outcome.runs) cycles.push_back(each.measured.cycles);
  std::sort(cycles.begin(), cycles.end());
  return text + fmt::format("cycles      {} to {}, median {}\n", cycles.front(), cycles.back(),
                            cycles[(cycles.size() - 1) / 2]);
}

std::string end_text(const TrafficOutcome& outcome) {
  const RouterRun& last = outcome.runs.back().measured;
  if (last.reason == Reason::none) return cut_text(outcome.cut, "all of this was known");
  const bool bound = last.cycles == outcome.router.most_cycles;
  return fmt::format("\nended early with seed {}: {}\n", outcome.runs.back().seed,
                     bound ? fmt::format("{} are as many as may be (--cycles)", counted(last.cycles, "cycle"))
                           : std::string(ended_text(last.reason)));
}

}  // namespace

std::string rendered(AsText, const TrafficOutcome& outcome, const Sources&) {
  const RouterRun& first = outcome.runs.front().measured;
  std::string text = heading_text(outcome);
  text += fmt::format("cycles      {}\n", first.cycles);
  text += wrapped(fmt::format("at least    {}: {}\n", first.least.cycles, first.least.reason), 12);
  text += off_line_text(outcome.off_line) + run_text(first);
  return text + delays_text(outcome) + seeds_text(outcome) + end_text(outcome);
}

}  // namespace quadrille::cli
