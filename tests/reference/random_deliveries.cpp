#include "tests/reference/random_deliveries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "model/fabric_notation.h"
#include "model/route.h"

namespace quadrille::reference {
namespace {

struct Own {
  std::string declaration;
  std::string notation;
};

Own own_fabric(Dice& dice, std::uint32_t n) {
  std::vector<Own> all;
  for (const char* kind : {"complete", "star", "ring", "line"})
    all.push_back({fmt::format("{}({})", kind, n), fmt::format("{}:{}", kind, n)});
  if (n % 2 == 0) all.push_back({fmt::format("torus(2, {})", n / 2), fmt::format("torus:2x{}", n / 2)});
  if (std::has_single_bit(n)) {
    const int levels = std::countr_zero(n);
    all.push_back({fmt::format("hypercube({})", levels), fmt::format("hypercube:{}", levels)});
    for (int i = 0; i < 2; ++i)
      all.push_back({fmt::format("fat_tree(levels: {}, capacity: constant)", levels),
                     fmt::format("fat_tree:levels={},capacity=constant", levels)});
  }
  // Two equal ways between any two processors: by either switch.
  std::string links;
  for (std::uint32_t p = 0; p < n; ++p) links += fmt::format("{}[{},\"s[0]\"],[{},\"s[1]\"]", p == 0 ? "" : ",", p, p);
  const Own twice{fmt::format("twice\nfabric twice:\n  processors {}\n  switches s[2]\n"
                              "  for p in processors, i in 0..1: link p -- s[i]",
                              n),
                  fmt::format(R"(graph:{{"processors":{},"switches":["s[0]","s[1]"],"links":[{}]}})", n, links)};
  for (int i = 0; i < 2; ++i) all.push_back(twice);
  return dice.pick(all);
}

class Deliveries {
 public:
  Deliveries(Dice& dice, std::uint32_t n)
      : dice_(dice), n_(n), own_(own_fabric(dice, n)), router_(parse_fabric({"own", own_.notation}, 0).value()) {}

  std::string text() {
    const std::string collective = collective_line();
    std::stable_sort(sends_.begin(), sends_.end(), [](const Send& a, const Send& b) { return a.step < b.step; });
    std::string text = fmt::format("fabric {}\ncollective {}\n", own_.declaration, collective);
    const bool one_by_one = sequential_ && dice_.one_in(3);
    for (const Send& send : sends_) {
      const std::string when = one_by_one ? std::string("then") : fmt::format("at {}:", send.step);
      text += fmt::format("{} send {} -> {} carrying {}\n", when, send.from, send.to, send.packet);
    }
    return text;
  }

 private:
  struct Send {
    std::uint32_t step;
    std::uint32_t from;
    std::string to;
    std::string packet;
  };

  std::string collective_line() {
    const std::uint32_t root = dice_.below(n_);
    const std::uint32_t parts = dice_.one_in(3) ? 2 : 1;
    const bool ordered = dice_.one_in(2);
    const char* operation = ordered ? "ordered" : "commutative";
    switch (dice_.below(10)) {
      case 0:
        for (std::uint32_t part = 0; part < parts; ++part) copy(root, "*", everyone(), part);
        return fmt::format("broadcast(root: {}, parts: {})", root, parts);
      case 1:
        for (std::uint32_t p = 0; p < n_; ++p)
          if (p != root) copy(root, fmt::to_string(p), {p}, 0);
        return fmt::format("scatter(root: {})", root);
      case 2:
        for (std::uint32_t p = 0; p < n_; ++p)
          if (p != root) copy(p, fmt::to_string(root), {root}, 0);
        return fmt::format("gather(root: {})", root);
      case 3:
        for (std::uint32_t p = 0; p < n_; ++p) copy(p, "*", everyone(), 0);
        return "allgather";
      case 4:
        for (std::uint32_t p = 0; p < n_; ++p)
          for (std::uint32_t q = 0; q < n_; ++q)
            if (p != q) copy(p, fmt::to_string(q), {q}, 0);
        return "total_exchange";
      case 5:
        for (std::uint32_t value = 0; value < parts; ++value) reduce(root, value, ordered);
        return fmt::format("reduce(root: {}, parts: {}, operation: {})", root, parts, operation);
      case 6:
        for (std::uint32_t p = 0; p < n_; ++p) reduce(p, p, ordered);
        return fmt::format("reduce_scatter(operation: {})", operation);
      case 7:
        return prefix();
      default:
        for (std::uint32_t value = 0; value < parts; ++value) allreduce(value, ordered);
        return fmt::format("allreduce(parts: {}, operation: {})", parts, operation);
    }
  }

  std::vector<std::uint32_t> everyone() const {
    std::vector<std::uint32_t> all(n_);
    for (std::uint32_t p = 0; p < n_; ++p) all[p] = p;
    return all;
  }

  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const { return *router_.distance(NodeId(a), NodeId(b)); }

  // A send that leaves in the step; the step in which it arrives.
  std::uint32_t send(std::uint32_t step, std::uint32_t a, std::uint32_t b, const std::string& packet) {
    sends_.push_back({step, a, fmt::to_string(b), packet});
    return step + distance(a, b) - 1;
  }

  // A step soon after one.
  std::uint32_t after(std::uint32_t step) { return step + 1 + (dice_.one_in(3) ? dice_.below(3) : 0); }

  // --- copying: a holder sends to someone, until all who want it have it ---------------------------------------------

  void copy(std::uint32_t origin, const std::string& target, const std::vector<std::uint32_t>& wanted,
            std::uint32_t part) {
    const std::string packet = fmt::format("{} -> {} part {}", origin, target, part);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> holders = {{origin, 0}};  // since which step
    const auto holds = [&](std::uint32_t p) {
      return std::any_of(holders.begin(), holders.end(), [&](const auto& holder) { return holder.first == p; });
    };
    for (std::uint32_t missing : wanted) {
      while (!holds(missing)) {
        const auto [from, since] = dice_.pick(holders);
        const std::uint32_t to = dice_.one_in(3) ? dice_.below(n_) : missing;
        if (holds(to)) continue;
        const std::uint32_t step = after(since);
        const std::uint32_t more = dice_.below(n_);
        if (dice_.one_in(5) && more != to && more != from && !holds(more)) {
          sends_.push_back({step, from, fmt::format("{{{}, {}}}", to, more), packet});
          holders.emplace_back(to, step + distance(from, to) - 1);
          holders.emplace_back(more, step + distance(from, more) - 1);
        } else {
          holders.emplace_back(to, send(step, from, to, packet));
        }
      }
    }
  }

  // --- combining -----------------------------------------------------------------------------------------------------

  // From a to b, perhaps by way of a third.
  std::uint32_t contribute(std::uint32_t step, std::uint32_t a, std::uint32_t b, std::uint32_t value) {
    const std::string packet = fmt::format("{} -> {} part {}", a, b, value);
    const std::uint32_t by = dice_.below(n_);
    if (!dice_.one_in(5) || by == a || by == b) return send(step, a, b, packet);
    return send(after(send(step, a, by, packet)), by, b, packet);
  }

  // Along a random tree. Each sends after all has come that it waits for; the step in which the root has everything.
  std::uint32_t reduce(std::uint32_t root, std::uint32_t value, bool ordered) {
    struct Group {  // first … last are joined at `at`, in `since`
      std::uint32_t first, last, at, since;
    };
    std::vector<Group> groups;
    for (std::uint32_t p = 0; p < n_; ++p) groups.push_back({p, p, p, 0});
    while (groups.size() > 1) {
      const std::uint32_t i = dice_.below(groups.size());
      const std::uint32_t j = ordered ? (dice_.one_in(2) ? i + 1 : i - 1) : dice_.below(groups.size());
      if (j >= groups.size() || i == j || groups[i].at == root) continue;
      Group& from = groups[i];
      Group& to = groups[j];
      std::uint32_t arrival = 0;
      std::uint32_t step = after(from.since);
      if (step + distance(from.at, to.at) <= to.since) step = to.since;
      arrival = contribute(step, from.at, to.at, value);
      to.since = std::max(to.since, arrival);
      to.first = std::min(from.first, to.first);
      to.last = std::max(from.last, to.last);
      groups.erase(groups.begin() + i);
    }
    return groups.front().since;
  }

  void allreduce(std::uint32_t value, bool ordered) {
    switch (dice_.below(3)) {
      case 0:
        if (std::has_single_bit(n_)) return doubling(value);
        [[fallthrough]];
      case 1:
        if (!ordered) return all_at_once(value);
        [[fallthrough]];
      default: {
        const std::uint32_t root = dice_.below(n_);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> holders = {{root, reduce(root, value, ordered)}};
        std::vector<std::uint32_t> rest = everyone();
        rest.erase(rest.begin() + root);
        dice_.shuffle(rest);
        for (const std::uint32_t p : rest) {
          const auto [from, since] = dice_.pick(holders);
          // What was sent to p for the reduction has come before the root had it all.
          holders.emplace_back(p, contribute(std::max(after(since), holders.front().second + 1), from, p, value));
        }
      }
    }
  }

  void doubling(std::uint32_t value) {
    sequential_ = false;
    std::uint32_t step = after(0);
    for (std::uint32_t bit = 1; bit < n_; bit *= 2) {
      std::uint32_t arrived = step;
      for (std::uint32_t p = 0; p < n_; ++p) {
        arrived = std::max(arrived, send(step, p, p ^ bit, fmt::format("{} -> {} part {}", p, p ^ bit, value)));
      }
      step = after(arrived);
    }
  }

  void all_at_once(std::uint32_t value) {
    sequential_ = false;
    for (std::uint32_t p = 0; p < n_; ++p) {
      for (std::uint32_t q = 0; q < n_; ++q) {
        if (p != q) send(1, p, q, fmt::format("{} -> {} part {}", p, q, value));
      }
    }
  }

  std::string prefix() {
    if (dice_.one_in(2)) {
      sequential_ = false;
      std::uint32_t step = after(0);
      for (std::uint32_t by = 1; by < n_; by *= 2) {
        std::uint32_t arrived = step;
        for (std::uint32_t p = 0; p + by < n_; ++p) {
          arrived = std::max(arrived, send(step, p, p + by, fmt::format("{} -> {} part 0", p, p + by)));
        }
        step = after(arrived);
      }
    } else {
      std::uint32_t arrived = 0;
      for (std::uint32_t p = 0; p + 1 < n_; ++p) arrived = contribute(after(arrived), p, p + 1, 0);
    }
    return "prefix";
  }

  Dice& dice_;
  std::uint32_t n_;
  Own own_;
  Router router_;
  std::vector<Send> sends_;
  bool sequential_ = true;  // it may also be sent one after another
};

}  // namespace

std::string random_delivery(Dice& dice, std::uint32_t processors) { return Deliveries(dice, processors).text(); }

}  // namespace quadrille::reference
