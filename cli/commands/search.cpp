// `quadrille search`: its options, and the choice between one point and, with --pareto, the whole frontier.
#include "cli/commands/commands.h"
#include "cli/commands/shared_options.h"
#include "cli/session.h"
#include "driver/search/search_costs.h"
#include "model/ids.h"

namespace quadrille::cli {
namespace {

class Search final : public Command {
 public:
  explicit Search(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "search"; }
  std::string_view purpose() const override { return "Find the shortest schedule, or prove that none is shorter"; }

  void declare(Options& options) override {
    declare_goal(options);
    declare_narrowing(options);
    options.choice({"--engine", "NAME", "The solver: cadical or z3 (cadical)"}, {"cadical", "z3"}, request_.engine);
    declare_consumer(options, request_.consumer);
    options.word({"-o,--output", "FILE", "Where the table goes, in the format of its extension"}, request_.output);
    options.word({"--schedule", "FILE", "Where the table goes as a schedule in the language"}, request_.schedule);
    options.word({"--certificate", "FOLDER",
                  "A folder for the evidence that fewer steps are too few; with --pareto, for one such folder for each "
                  "point"},
                 request_.certificate);
    declare_form(options, form_);
    declare_page(options, form_.page, false);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, registry_.world, limits_, form_);
    if (!cost_.size.empty() || !cost_.costs.empty() || !cost_.size_of.empty())
      return session.finish(least_time(session.context()));
    if (pareto_) return session.finish(driver::run(driver::FrontierRequest{request_}, session.context()));
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  // By time instead of steps: among other things, so that what is asked of steps would be asked in vain.
  Result<driver::CostSearchOutcome> least_time(driver::Context& context) {
    const driver::SearchRequest& it = request_;
    if (cost_.size.empty()) {
      return error_at({}, "--costs and --size-of: expected --size, too: what a message takes depends on its bytes",
                      Code::usage);
    }
    const bool of_steps = pareto_ || it.steps != 0 || it.chunks != 0 || it.volume != 0 || !it.queue.empty() ||
                          it.inject != "many" || !it.paths.empty() || !it.output.empty() || !it.schedule.empty() ||
                          !it.certificate.empty() || !it.consumer.empty() || it.agreement;
    if (of_steps) {
      return error_at(
          {},
          "--size looks for the least time among schedules that ship: options for shortest schedules do not go with it",
          Code::usage);
    }
    cost_.collective = it.collective;
    cost_.on = it.on;
    cost_.without = it.without;
    return driver::run(cost_, context);
  }

  void declare_goal(Options& options) {
    declare_question(options, request_.collective, request_.on, request_.without);
    options.number({"--steps", "T", "At most so many steps; if not given, the fewest"}, {1, max_step}, request_.steps);
    options.number({"--chunks", "C", "Split every message into so many parts"}, {1, max_step}, request_.chunks);
    options.number({"--volume", "V",
                    "Steps that may be longer, V in all: in a step of volume v a channel of capacity c carries v*c "
                    "packets, and what arrives leaves in a later step",
                    false, "--rounds"},
                   {1, max_step}, request_.volume);
    options.flag({"--pareto", "", "List for each number of steps the least volume"}, pareto_);
    options.word(
        {"--size", "BYTES", "Of all that ships, in rounds, what takes the least time for messages of 64KiB, say"},
        cost_.size);
    declare_size_of(options, cost_.size_of);
    options.word({"--costs", "COSTS",
                  "What a round, a hop, a byte and each message of a processor take (Ts=5us,Th=0,Tc=0.1ns,To=0)"},
                 cost_.costs);
  }

  void declare_narrowing(Options& options) {
    options.word(
        {"--queue", "none|unbounded|NUMBER", "How many packets a switch may buffer, instead of the fabric's rule"},
        request_.queue);
    options.choice(
        {"--inject", "once|many", "Whether a packet may leave its processor in one step only, or in many (many)"},
        {"once", "many"}, request_.inject);
    options.choice({"--paths", "kept|any",
                    "Trees: whether packets keep to the paths from where they start (kept if each is for one "
                    "processor, or is injected once)"},
                   {"kept", "any"}, request_.paths);
    options.flag({"--agreement", "", "Demand that all who end with the same value have added it up alike"},
                 request_.agreement);
  }

  const Registry& registry_;
  driver::SearchRequest request_;
  driver::CostSearchRequest cost_;
  driver::LimitRequest limits_{.seconds = 60};
  bool pareto_ = false;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_search_command(const Registry& registry) { return std::make_unique<Search>(registry); }

}  // namespace quadrille::cli
