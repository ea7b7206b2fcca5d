// `quadrille replay`: its options, and the choice between a table and, with --pattern, messages that are routed on
// line.
#include "driver/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/shared_options.h"
#include "cli/render/report_text.h"
#include "cli/session.h"
#include "driver/check/check_program.h"
#include "driver/files/write_file.h"
#include "driver/replay_program.h"
#include "driver/routed_traffic.h"
#include "pages/figures.h"
#include "runtime/router/traffic.h"

namespace quadrille::cli {
namespace {

constexpr std::uint64_t most = 1'000'000'000;

std::string pattern_notations() {
  std::vector<std::string> notations;
  for (const TrafficPattern& it : traffic_patterns()) notations.push_back(it.notation);
  return fmt::format("{}", fmt::join(notations, ", "));
}

std::vector<std::string> policy_names(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& policy : registry.world.policies) names.emplace_back(policy->name());
  return names;
}

class Replay final : public Command {
 public:
  explicit Replay(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "replay"; }
  std::string_view purpose() const override {
    return "Move the packets through a simulated fabric: queues, link use, time";
  }

  void declare(Options& options) override {
    declare_input(options, request_.input, false);
    declare_costs(options, request_.sizes, request_.costs);
    declare_size_of(options, request_.size_of);
    options.choice(
        {"--sync", "WHEN", "For --size: rows begin with their step (step), or as soon as they can (dependency)"},
        {"step", "dependency"}, request_.sync);
    options.choice({"--show", "WHAT", "Also what processors hold after each step, and send on later (buffers)"},
                   {"buffers"}, request_.show);
    options.flag({"--worst-link", "", "Also the link whose loss costs most, of those that are used"},
                 request_.worst_link);
    declare_router(options);
    declare_form(options, form_);
    declare_page(options, form_.page, true);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, registry_.world, limits_, form_);
    if (const std::string wrong = traffic_.pattern.empty() ? wrong_for_table() : wrong_for_traffic(); !wrong.empty()) {
      return session.refuse({error_at({}, wrong, Code::usage)});
    }
    if (traffic_.pattern.empty() && driver::is_msccl(request_.input.file, session.context())) {
      if (const std::string wrong = wrong_for_program(); !wrong.empty())
        return session.refuse({error_at({}, wrong, Code::usage)});
      const driver::TableRequest& input = request_.input;
      return session.finish(
          driver::run(driver::ReplayProgramRequest{input.file, input.on, input.without, request_.sizes, request_.costs},
                      session.context()));
    }
    if (traffic_.pattern.empty()) return session.finish(driver::run(request_, session.context()));
    traffic_.on = request_.input.on;
    traffic_.without = request_.input.without;
    Result<driver::TrafficOutcome> outcome = driver::run(traffic_, session.context());
    if (outcome && !svg_.empty() && !outcome->delays.empty()) draw(*outcome, environment);
    return session.finish(outcome);
  }

 private:
  void declare_router(Options& options) {
    options.word({"--pattern", "PATTERN",
                  fmt::format("Route messages on line: {}, or a file of lines from,to", pattern_notations())},
                 traffic_.pattern);
    options.choice({"--policy", "NAME", "Which wire a message takes (useful_dimension)"}, policy_names(registry_),
                   policy_);
    RouterOptions& router = traffic_.router;
    number(options, "--buffers", "B", "Messages that may wait in a router (8)", router.buffers);
    number(options, "--inject", "K", "Messages that a router takes from its processors in a cycle (1)", router.inject);
    number(options, "--deliver", "K", "Messages that a router hands to them in a cycle (1)", router.deliver);
    number(options, "--cycles", "T", "Give up after so many cycles (10000000)", router.most_cycles);
    options.flag({"--off-line", "", "Schedule also many messages off line, beside on line: up to a minute for 65,536"},
                 traffic_.off_line);
    options.word({"--svg", "FILE", "Draw how many messages had which delay, to this file"}, svg_);
    number(options, "--seeds", "N", "Run with so many seeds, from --seed on (1)", traffic_.seeds);
    options.whole({"--seed", "S", "What is drawn at random depends on it alone (1)"}, {0, std::uint64_t{1} << 62},
                  [this, &router](std::uint64_t given) {
                    router.seed = given;
                    given_.push_back("--seed");
                  });
  }

  void number(Options& options, const std::string& name, const std::string& value, const std::string& help,
              std::uint32_t& kept) {
    options.whole({name, value, help}, {1, most}, [this, name, &kept](std::uint64_t given) {
      kept = static_cast<std::uint32_t>(given);
      given_.push_back(name);
    });
  }

  std::string wrong_for_table() const {
    if (std::string wrong = wrong_with(form_.page); !wrong.empty()) return wrong;
    if (!policy_.empty()) return "--policy: expected --pattern, too: a table says which way its packets go";
    if (traffic_.off_line) return "--off-line: expected --pattern, too: it is for messages that are routed on line";
    if (!svg_.empty()) return "--svg: expected --pattern, too: it draws the delays of messages";
    if (!given_.empty()) {
      return fmt::format("{}: expected --pattern, too: it is for messages that are routed on line", given_.front());
    }
    return request_.input.file.empty() ? "FILE is required, or --pattern" : "";
  }

  std::string wrong_for_program() const {
    const driver::TableRequest& input = request_.input;
    if (input.on.empty()) return "MSCCL XML: expected --on, the fabric that its messages cross";
    if (request_.sizes.empty()) return "MSCCL XML: expected --size: what a message takes depends on its bytes";
    const bool of_table = !input.defines.empty() || input.retime || input.spread || !input.timing.empty() ||
                          !request_.sync.empty() || !request_.show.empty() || request_.worst_link ||
                          !request_.size_of.empty() || !form_.page.file.empty();
    return of_table ? "MSCCL XML: expected no options for a table: -D, --retime, --spread, --timing, --sync, "
                      "--size-of, --show, --worst-link, --page"
                    : "";
  }

  std::string wrong_for_traffic() {
    const driver::TableRequest& input = request_.input;
    if (input.on.empty()) return "--pattern: expected --on, too: the fabric that messages are routed on";
    if (!input.file.empty()) return fmt::format("--pattern: expected no schedule, met {}", input.file);
    const bool of_table = !input.defines.empty() || input.retime || input.spread || !input.timing.empty() ||
                          !request_.sizes.empty() || !request_.size_of.empty() || !request_.costs.empty() ||
                          !request_.sync.empty() || !request_.show.empty() || request_.worst_link ||
                          !form_.page.steps.empty();
    if (of_table) {
      return "--pattern: expected no options for a table: -D, --retime, --spread, --timing, --size, --size-of, "
             "--costs, --sync, "
             "--show, --worst-link, --steps";
    }
    if (!policy_.empty()) traffic_.policy = policy_;
    return "";
  }

  void draw(driver::TrafficOutcome& outcome, driver::Environment& environment) const {
    auto failure = driver::write_file(svg_, pages::delays_figure(outcome), environment);
    if (failure) outcome.failures.push_back(error_at({}, *std::move(failure), Code::file));
  }

  const Registry& registry_;
  driver::ReplayRequest request_;
  driver::TrafficRequest traffic_;
  std::string policy_;
  std::string svg_;                 // a picture of the delays goes there; empty: nowhere
  std::vector<std::string> given_;  // options of the router, as they came
  driver::LimitRequest limits_;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_replay_command(const Registry& registry) { return std::make_unique<Replay>(registry); }

}  // namespace quadrille::cli
