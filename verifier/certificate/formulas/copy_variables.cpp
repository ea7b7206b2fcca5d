// The variables' numbers are part of verifier/FORMULA.md, so that a proof that another program found is about the very
// same formula: a function for each kind, in the page's order.
//
//   broadcast from 0 to 1 over the channel 0->1, T = 1: 1 is hop(0->1, 1), 2 is at(1, 1)
//
// Cost: steps x channels x chunks.
#include "verifier/certificate/formulas/copy_variables.h"

#include <utility>

namespace quadrille::certificate {
namespace {

class CopyNumbers {
 public:
  CopyNumbers(const Certificate& question, std::vector<Chunk> chunks, Writer& writer)
      : question_(question), fabric_(question.fabric), T_(question.steps), writer_(writer) {
    for (Chunk& chunk : chunks) {
      writer_.work().spend(chunk.ways.size() + chunk.places.size());
      writer_.work().take(1, sizeof(MovingChunk) + (chunk.ways.size() + 4 * chunk.places.size()) * sizeof(Series));
      MovingChunk c{std::move(chunk), {}, {}, {}, {}, {}};
      c.hop.resize(c.ways.size());
      for (auto* table : {&c.at, &c.held, &c.early, &c.inject}) table->resize(c.places.size());
      variables_.chunks.push_back(std::move(c));
    }
  }

  CopyVariables all() {
    number_hops();
    number_at();
    number_held();
    number_injections();
    if (question_.phases) variables_.start = writer_.series(2, T_);
    number_early();
    return std::move(variables_);
  }

 private:
  // A variable for each step from 1 to T for which `exists` says so: one after another, if any.
  template <class Exists>
  Series number(Exists exists) {
    std::uint32_t first = 1;
    while (first <= T_ && !exists(first) && !writer_.stopped()) count_up(first);
    std::uint32_t next = first;
    while (next <= T_ && exists(next)) count_up(next);
    return writer_.series(first, std::int64_t{next} - 1);
  }

  void count_up(std::uint32_t& step) {
    writer_.work().spend(1);
    ++step;
  }

  void number_hops() {
    for (MovingChunk& c : variables_.chunks) {
      for (std::size_t i = 0; i < c.ways.size(); ++i) {
        c.hop[i] = writer_.series(std::int64_t{c.d[c.ways[i].from]} + 1, std::int64_t{T_} - c.r[c.ways[i].to]);
      }
    }
  }

  void number_at() {
    for (MovingChunk& c : variables_.chunks) {
      each_other_place(c, [&](std::size_t v) { c.at[v] = writer_.series(c.d[v], std::int64_t{T_} - c.r[v]); });
    }
  }

  void number_held() {
    const auto limit = fabric_.rules().queue.limit;
    if (!limit || *limit == 0) return;
    for (MovingChunk& c : variables_.chunks) {
      for (std::size_t v = fabric_.processors(); v < c.places.size(); ++v) {
        c.held[v] = number([&](std::uint32_t t) { return c.at[v].has(t - 1) && c.at[v].has(t); });
      }
    }
  }

  void number_injections() {
    if (!question_.inject_once) return;
    for (MovingChunk& c : variables_.chunks) {
      for (const NodeId h : c.H) {
        c.inject[h.value] = number([&](std::uint32_t t) {
          for (std::size_t i = 0; i < c.ways.size(); ++i) {
            if (c.ways[i].from == h.value && c.hop[i].has(t)) return true;
          }
          return false;
        });
      }
    }
  }

  void number_early() {
    if (!question_.phases) return;
    for (MovingChunk& c : variables_.chunks) {
      each_other_place(
          c, [&](std::size_t v) { c.early[v] = number([&](std::uint32_t t) { return c.at[v].has(t - 1); }); });
    }
  }

  const Certificate& question_;
  const Fabric& fabric_;
  std::uint32_t T_;
  Writer& writer_;
  CopyVariables variables_;
};

}  // namespace

CopyVariables number_copies(const Certificate& question, std::vector<Chunk> chunks, Writer& writer) {
  return CopyNumbers(question, std::move(chunks), writer).all();
}

}  // namespace quadrille::certificate
