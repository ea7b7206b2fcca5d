#include <array>
#include <cadical.hpp>
#include <cstdio>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "verifier/search/solver.h"

namespace quadrille::searching {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

class Cadical final : public Solver, private CaDiCaL::Terminator {
 public:
  explicit Cadical(std::function<bool(std::string_view)> proof)
      : proof_(std::move(proof)), file_(nullptr, &std::fclose) {
    solver_.set("quiet", 1);
    if (!proof_) return;
    file_.reset(std::tmpfile());
    solver_.set("binary", 0);
    if (file_) solver_.trace_proof(file_.get(), "proof");
  }
  ~Cadical() override {
    solver_.disconnect_terminator();
    if (file_) solver_.close_proof_trace();
  }
  Cadical(const Cadical&) = delete;
  Cadical& operator=(const Cadical&) = delete;

  using Solver::clause;
  void clause(std::span<const int> literals) override {
    for (const int literal : literals) {
      highest_ = std::max(highest_, std::abs(literal));
      solver_.add(literal);
    }
    solver_.add(0);
  }

  using Solver::solve;
  Answer solve(const SolverLimits& limits, int assumed) override {
    watch_ = limits.watch;
    if (terminate()) return Answer::unknown;
    solver_.connect_terminator(this);
    if (limits.conflicts > 0) {
      constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
      solver_.limit("conflicts", static_cast<int>(std::min(limits.conflicts, most)));
    }
    if (assumed != 0) solver_.assume(assumed);
    constexpr int satisfiable = 10;
    constexpr int unsatisfiable = 20;
    const int status = solver_.solve();
    if (status == unsatisfiable && proof_ && assumed == 0) hand_over_proof();
    return status == satisfiable     ? Answer::satisfiable
           : status == unsatisfiable ? Answer::unsatisfiable
                                     : Answer::unknown;
  }

  bool is_true(int variable) override { return variable <= highest_ && solver_.val(variable) > 0; }

 private:
  bool terminate() override { return watch_ != nullptr && watch_->reached() != Reason::none; }

  void hand_over_proof() {
    solver_.flush_proof_trace();
    if (!file_) return;
    std::rewind(file_.get());
    std::array<char, 1 << 16> piece{};
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file_.get())) {
      if (!proof_(std::string_view(piece.data(), size))) return;
    }
  }

  std::function<bool(std::string_view)> proof_;
  File file_;
  CaDiCaL::Solver solver_;
  Watch* watch_ = nullptr;
  int highest_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_cadical(std::function<bool(std::string_view)> proof) {
  return std::make_unique<Cadical>(std::move(proof));
}

}  // namespace quadrille::searching
