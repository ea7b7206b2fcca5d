// Turns a solution into messages: each is followed back from where something arrives by it to where it begins.
//
//   end(1->2), follow(1->2, 0->1), start(0->1): a message from 0 to 2, by 1
//
// Cost: for each end, the length of its path.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "verifier/search/rounds/formula.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {

std::vector<DrawnMessage> RoundFormula::messages(const std::function<bool(int)>& is_true) const {
  std::vector<DrawnMessage> drawn;
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      bool brings = false;
      for (std::size_t k = 0; k < origins_.size() && ends(i) && !brings; ++k) {
        brings = carries(k, i) && is_true(got(r, k, i));
      }
      if (brings && !draw(r, i, drawn, is_true)) return {};
    }
  }
  return drawn;
}

// Follows a message back from its end, and adds its path to the message that begins with the same strand, or a new
// one.
bool RoundFormula::draw(std::uint32_t r, std::size_t end_strand, std::vector<DrawnMessage>& drawn,
                        const std::function<bool(int)>& is_true) const {
  std::vector<std::uint32_t> way;
  auto at = static_cast<std::uint32_t>(end_strand);
  while (true) {
    way.push_back(at);
    const Strand& it = network_.strands[at];
    if (it.starts && is_true(start(r, at))) break;
    std::size_t j = 0;
    while (j < it.after.size() && !is_true(follow(r, at, j))) ++j;
    if (j == it.after.size() || way.size() > network_.strands.size()) return false;
    at = it.after[j];
  }
  const auto same = [&](const DrawnMessage& it) { return it.round == r && it.first_strand == at; };
  auto message = std::ranges::find_if(drawn, same);
  if (message == drawn.end()) {
    drawn.push_back({r, at, network_.strands[at].from, {}, {}, {}});
    message = drawn.end() - 1;
    for (std::size_t k = 0; k < origins_.size() && (volume_ || once_); ++k) {
      if (carries(k, at) && is_true(carry(r, k, at))) note_values(k, *message);
    }
  }
  message->receivers.push_back(network_.strands[end_strand].to);
  for (const std::uint32_t i : way) {
    const Strand& it = network_.strands[i];
    if (it.channel) message->ways.emplace_back(*it.channel, it.lane);
  }
  return true;
}

// Notes what the message may carry. If messages join, an origin is a target, and stands for all values that are
// wanted there.
void RoundFormula::note_values(std::size_t k, DrawnMessage& message) const {
  if (volume_) message.values.insert(origins_[k].value);
  for (std::uint32_t value = 0; !volume_ && value < collective_.values(); ++value) {
    if (collective_.wanted_contributions(value, NodeId(origins_[k].starts.front()))) message.values.insert(value);
  }
}

std::optional<SendTable> RoundFormula::table(const SearchProblem& /*problem*/,
                                             const std::function<bool(int)>& is_true) const {
  return drawn_table(is_true);
}

std::optional<SendTable> RoundFormula::drawn_table(const std::function<bool(int)>& is_true) const {
  if (network_.reversed) return time_reversed_table(fabric_, collective_, "search", messages(is_true));
  return round_table(fabric_, collective_, "search", messages(is_true));
}

std::vector<StepRow> RoundFormula::rows(const std::function<bool(int)>& is_true) const {
  const auto table = drawn_table(is_true);
  return table ? all_rows(*table) : std::vector<StepRow>{};
}

// Names the variables of a formula of rounds in words, for people who read it as DIMACS CNF.
//
//   a message begins with 0->1; what starts at 0 has come to 2
//
// Cost: a text for each variable.

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
