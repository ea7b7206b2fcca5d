// Names the variables of a formula of rounds in words, for people who read it as DIMACS CNF.
//
//   a message begins with 0->1; what starts at 0 has come to 2
//
// Cost: a text for each variable.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verifier/search/rounds/formula.h"

namespace quadrille::searching {

void RoundFormula::name_variables(const NameVariables& say) const {
  const auto strand = [&](std::size_t i) {
    const Strand& it = network_.strands[i];
    std::string text =
        it.channel ? fabric_.name(*it.channel) : fmt::format("{}=>{}", fabric_.name(it.from), fabric_.name(it.to));
    if (it.lane.value > 0) text += fmt::format(" lane {}", it.lane.value);
    if (it.sender != Strand::nobody) text += fmt::format(" of {}", it.sender);
    return it.only == Strand::anything ? text : fmt::format("strand {} ({} for {})", i, text, it.only);
  };
  const auto origin = [&](std::size_t k) {
    const Origin& it = origins_[k];
    if (network_.reversed) return fmt::format("what is wanted at {}, time-reversed,", it.starts.front());
    if (!volume_) return fmt::format("what starts at {}", fmt::join(it.starts, ", "));
    if (collective_.combining()) return fmt::format("{}'s contribution to {}", it.starts.front(), it.value);
    return fmt::format("chunk {}", it.value);
  };
  for (std::uint32_t v = 1; v <= volume_.value_or(0); ++v) {
    say(volume(v), 1, T_, fmt::format("the volume is {} or more", v));
  }
  for (std::uint32_t r = 1; r <= T_; ++r) {
    const auto name = [&](int variable, const std::string& meaning) { say(variable, r, r, meaning); };
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      const Strand& it = network_.strands[i];
      if (it.starts) name(start(r, i), "a message begins with " + strand(i));
      if (it.ends) name(end(r, i), "a message ends with " + strand(i));
      for (std::size_t j = 0; j < it.after.size(); ++j) {
        name(follow(r, i, j), fmt::format("{} follows {}", strand(i), strand(it.after[j])));
      }
      for (std::uint32_t h = 2; h <= network_.depth; ++h)
        name(deep(r, i, h), fmt::format("{} is {} deep", strand(i), h));
      if (numbers_.uses) name(used(r, i), strand(i) + " is used");
    }
    for (std::size_t k = 0; k < origins_.size(); ++k) {
      const std::string what = origin(k);
      for (std::size_t i = 0; i < network_.strands.size(); ++i) {
        if (!carries(k, i)) continue;
        name(carry(r, k, i), fmt::format("{} carries {}", strand(i), what));
        if (ends(i)) name(got(r, k, i), fmt::format("{} arrives by {}", what, strand(i)));
      }
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
        if (!starts(k, NodeId(v)))
          name(has(r, k, NodeId(v)), fmt::format("{} has come to {}", what, fabric_.name(NodeId(v))));
      }
    }
    for (std::size_t x = 0; x < numbers_.part.size(); ++x) {
      for (std::size_t i = 0; i < network_.strands.size(); ++i) {
        name(variable(r, numbers_.part[x][i]), fmt::format("{} carries something of value {}", strand(i), x));
      }
    }
    for (std::uint32_t l = 1; l <= volume_.value_or(0); ++l)
      name(length(r, l), fmt::format("its length is {} or more", l));
  }
}

}  // namespace quadrille::searching
