// An algorithm of a comparison, and what is known of it while its choices of arguments are tried.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/search/any_rounds.h"
#include "driver/search/compare.h"
#include "driver/search/measure_choice.h"

namespace quadrille::driver {

// What a choice has to beat, as far as it was known when the choice was begun.
struct Standards {
  std::vector<double> least;                     // by size, of all algorithms; empty: no choice is passed over
  std::vector<std::optional<double>> own_least;  // by size, of its own algorithm
  std::vector<std::uint64_t> own_chunks;         // of the choices that take that

  bool is_of_no_use(const AnyRounds& bound, std::uint64_t chunks, const std::vector<std::uint64_t>& sizes) const;
};

class AlgorithmAtWork {
 public:
  // `usual`: its first choice.
  AlgorithmAtWork(std::shared_ptr<const ir::Schedule> schedule, Arguments usual, std::size_t sizes)
      : schedule_(std::move(schedule)), usual_(std::move(usual)), least_(sizes) {}

  const std::shared_ptr<const ir::Schedule>& schedule() const { return schedule_; }
  const Arguments& usual() const { return usual_; }
  // The choices that are still to be tried, and one more if it waits for those with messages in pieces.
  std::size_t open = 0;
  bool waits = false;
  std::string file = {};  // as Compared has it

  void add(MeasuredChoice measured);
  const std::vector<MeasuredChoice>& measured() const { return measured_; }

  bool known() const { return !measured_.empty(); }
  // Its best choice at a size; null if nothing is known of it.
  const MeasuredChoice* best(std::size_t size) const { return known() ? &measured_[best_at(size)] : nullptr; }
  bool has(const std::string& name) const;

  // By size, the least times of the choice of this name, which has the values of all parameters; empty if it is not
  // measured.
  std::vector<double> times(const std::string& name) const;

  // Sets what its own choices so far say.
  void set(Standards& standards) const;

  // Its row; none if nothing is known of it.
  std::optional<Compared> row() const;

 private:
  std::size_t best_at(std::size_t size) const;

  std::shared_ptr<const ir::Schedule> schedule_;
  Arguments usual_;
  std::vector<MeasuredChoice> measured_;
  std::vector<std::optional<double>> least_;
};

}  // namespace quadrille::driver
