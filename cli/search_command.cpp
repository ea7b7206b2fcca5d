#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"
#include "model/ids.h"

namespace quadrille::cli {
namespace {

class Search final : public Command {
 public:
  std::string_view name() const override { return "search"; }
  std::string_view purpose() const override { return "Find the shortest schedule, or prove that none is shorter"; }

  void declare(Options& options) override {
    declare_question(options);
    declare_narrowing(options);
    options.choice({"--engine", "NAME", "The solver: cadical or z3 (cadical)"}, {"cadical", "z3"}, request_.engine);
    options.word({"-o,--output", "FILE", "Where the table goes"}, request_.output);
    options.word({"--schedule", "FILE", "Where the table goes as a schedule in the language"}, request_.schedule);
    options.word({"--certificate", "FOLDER",
                  "A folder for the evidence that fewer steps are too few; with --pareto, for one such folder for each "
                  "point"},
                 request_.certificate);
    declare_json(options, json_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, json_);
    request_.steps = static_cast<std::uint32_t>(steps_);
    request_.rounds = static_cast<std::uint32_t>(rounds_);
    request_.chunks = static_cast<std::uint32_t>(chunks_);
    if (pareto_) return session.finish(driver::run(driver::FrontierRequest{request_}, session.context()));
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  void declare_question(Options& options) {
    options.word({"--collective", "COLLECTIVE", "What is to be done: total_exchange, or scatter:root=0", true},
                 request_.collective);
    options.word({"--on", "FABRIC", "The fabric to do it on (see fabrics)", true}, request_.on);
    options.number({"--steps", "T", "At most so many steps; if not given, the fewest"}, {1, max_step}, steps_);
    options.number({"--chunks", "C", "Split every message into so many parts"}, {1, max_step}, chunks_);
    options.number({"--rounds", "R",
                    "Steps of several rounds, so many in all: in a step of r rounds a channel of capacity c carries "
                    "r*c packets, and what arrives leaves in a later step"},
                   {1, max_step}, rounds_);
    options.flag({"--pareto", "", "List for each number of steps the fewest rounds"}, pareto_);
  }

  void declare_narrowing(Options& options) {
    options.word(
        {"--queue", "none|unbounded|NUMBER", "How many packets a switch may hold over, instead of the fabric's rule"},
        request_.queue);
    options.choice(
        {"--inject", "once|many", "Whether a packet may leave its processor in one step only, or in many (many)"},
        {"once", "many"}, request_.inject);
    options.choice({"--paths", "kept|any",
                    "Trees: whether packets keep to the paths from where they start (kept if each is for one "
                    "processor, or is injected once)"},
                   {"kept", "any"}, request_.paths);
  }

  driver::SearchRequest request_;
  driver::LimitRequest limits_{.seconds = 60};
  std::uint64_t steps_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t chunks_ = 0;
  bool pareto_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_search_command() { return std::make_unique<Search>(); }

}  // namespace quadrille::cli
