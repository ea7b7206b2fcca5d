// Proves that no processor has more than b chunks that it has received and must still send on: `max_buffer <= b`.
//
// Suppose that each arrival has left within g*b steps, and that arrivals are at least g steps apart. Then at most b
// of them are there at a time: those that are there after step t came in steps t - g*b + 1 … t. With single
// half-duplex ports g is 2, because a processor that receives in every step never sends; otherwise g is 1.
//
// Example: in an all-gather around a half-duplex ring of an even number of processors, a chunk that comes in step 2*r
// + 1 leaves in step 2*r + 4, and one that comes in 2*r + 2 leaves in 2*r + 3. 3 <= 2*2, so buffers of two messages
// are enough.
//
// Cost: an obligation for each pair of families, and one for each pair of their samples.
// Source: Single-Port Multinode Broadcasting, §3.2 (which does not show that buffers of two messages are enough).
#include <fmt/format.h>

#include "verifier/prover/obligations/samples.h"

namespace quadrille::prover {
namespace {

class BufferBound {
 public:
  BufferBound(const Writing& writing, const Number& most, Formula when, const std::string& claim)
      : writing_(writing),
        algebra_(writing.algebra),
        gap_(writing.problem.machine.half_duplex && writing.problem.machine.single_port ? 2 : 1),
        most_(most),
        when_(when),
        claim_(claim) {}

  void write() const {
    refuse();
    const auto& families = writing_.problem.families;
    for (const Family& f : families) {
      for (const Family& g : families) write_stay(f, g);
    }
    for (std::size_t f = 0; f < families.size(); ++f) {
      for (std::size_t g = f; g < families.size(); ++g) {
        for (const SamplePair& pair : two_sends(writing_, families[f], families[g], {}, Each::send)) write_gap(pair);
      }
    }
  }

 private:
  void refuse() const {
    const Problem& problem = writing_.problem;
    if (problem.machine.rounds || problem.machine.levels || problem.collective.reduction)
      throw Unsupported{"the buffers of this fabric and collective", problem.schedule->fabric.span};
    for (const Family& family : problem.families) {
      if (!family.to_neighbours || family.multicast || !family.chunks.empty() ||
          family.clock->kind != Clock::Kind::whole)
        throw Unsupported{"buffers where not every send is of one packet, to a neighbour, outside sequences",
                          family.span};
    }
  }

  Obligation step(std::string name, const Sample& a, const Sample& b) const {
    Obligation result = proof_step(ProvedProperty::claims, std::move(name), "", a.family->span, claim_);
    result.scope = joined(a.scope(), b.scope());
    result.given = algebra_.conjunction({when_, a.given, b.given});
    result.second = b.family->span;
    return result;
  }

  // Writes about the chunks that arrive by f, and are sent on by g.
  void write_stay(const Family& f, const Family& g) const {
    const Sample in = sample(writing_, f, Each::delivery, "");
    const Sample out = sample(writing_, g, Each::delivery, "'");
    std::vector<Formula> same = {algebra_.equal(in.target, out.source), algebra_.equal(in.origin, out.origin),
                                 algebra_.equal(in.part, out.part), algebra_.less(in.start, out.start)};
    if (in.addressee && out.addressee) same.push_back(algebra_.equal(*in.addressee, *out.addressee));
    Obligation stay = step("buffer: stays", in, out);
    stay.meaning = fmt::format("what comes to a processor is sent on for the last time within {} steps",
                               to_string(Number(gap_) * most_));
    stay.given = algebra_.conjunction({stay.given, algebra_.conjunction(same)});
    stay.must = algebra_.at_most(out.start - in.start, Number(gap_) * most_);
    writing_.add(std::move(stay));
  }

  void write_gap(const SamplePair& pair) const {
    Obligation apart = step("buffer: receptions", pair.a, pair.b);
    apart.meaning = fmt::format("what comes to a processor comes {} or more steps apart", gap_);
    const Formula close = algebra_.conjunction({algebra_.equal(pair.a.target, pair.b.target),
                                                algebra_.less(pair.a.start - pair.b.start, Number(gap_)),
                                                algebra_.less(pair.b.start - pair.a.start, Number(gap_))});
    apart.must = algebra_.negation(close);
    writing_.add(std::move(apart));
  }

  const Writing& writing_;
  Algebra& algebra_;
  int gap_;
  Number most_;
  Formula when_;
  std::string claim_;
};

}  // namespace

void write_buffer_bound(const Writing& writing, const Number& most, Formula when, const std::string& claim) {
  BufferBound(writing, most, when, claim).write();
}

}  // namespace quadrille::prover
