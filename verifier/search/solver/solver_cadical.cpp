// The only source that names CaDiCaL. The solver keeps what it learns from one question to the next. Its proofs are
// passed on while they are written, because those of hard formulas are too large to be kept on the way.
// (A. Biere et al., CaDiCaL; proofs in DRAT, as text.)
#include <sys/types.h>

#include <algorithm>
#include <cadical.hpp>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "verifier/search/solver/solver.h"

namespace quadrille::searching {
namespace {

// A stream that the solver writes to. It hands over what is written, piece by piece, until `take` wants no more. It
// writes no file: proofs of hard formulas grow by megabytes a second.
class ProofStream {
 public:
  explicit ProofStream(std::function<bool(std::string_view)> take)
      : take_(std::move(take)), stream_(::fopencookie(this, "w", {nullptr, &write, nullptr, nullptr}), &std::fclose) {}
  ProofStream(const ProofStream&) = delete;
  ProofStream& operator=(const ProofStream&) = delete;

  std::FILE* file() { return stream_.get(); }  // null if the system gives none
  void flush() { std::fflush(stream_.get()); }

 private:
  static ssize_t write(void* self, const char* bytes, std::size_t size) {
    auto* const it = static_cast<ProofStream*>(self);
    it->wanted_ = it->wanted_ && it->take_(std::string_view(bytes, size));
    return static_cast<ssize_t>(size);
  }

  std::function<bool(std::string_view)> take_;
  bool wanted_ = true;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
};

class Cadical final : public Solver, private CaDiCaL::Terminator {
 public:
  explicit Cadical(std::function<bool(std::string_view)> proof) {
    solver_.set("quiet", 1);
    solver_.set("lucky", 0);  // trying trivial assignments first takes long on large formulas and never asks the watch
    if (!proof) return;
    solver_.set("binary", 0);
    proof_.emplace(std::move(proof));
    if (proof_->file() == nullptr) proof_.reset();
    if (proof_) solver_.trace_proof(proof_->file(), "proof");
  }
  ~Cadical() override {
    solver_.disconnect_terminator();
    if (proof_) solver_.close_proof_trace();
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
    if (proof_) flush_proof();
    return status == satisfiable     ? Answer::satisfiable
           : status == unsatisfiable ? Answer::unsatisfiable
                                     : Answer::unknown;
  }

  bool is_true(int variable) override { return variable <= highest_ && solver_.val(variable) > 0; }

 private:
  bool terminate() override { return watch_ != nullptr && watch_->reached() != Reason::none; }

  void flush_proof() {
    solver_.flush_proof_trace();
    proof_->flush();
  }

  std::optional<ProofStream> proof_;  // declared first, so that it outlives the solver, which writes to it
  CaDiCaL::Solver solver_;
  Watch* watch_ = nullptr;
  int highest_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_cadical(std::function<bool(std::string_view)> proof) {
  return std::make_unique<Cadical>(std::move(proof));
}

}  // namespace quadrille::searching
