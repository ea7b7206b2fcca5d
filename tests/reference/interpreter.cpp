#include "tests/reference/interpreter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/distances.h"
#include "tests/reference/interpreter_values.h"

namespace quadrille::reference {
namespace {

constexpr std::int64_t last_step = 2147483647;

// Every run() adds the rows of what it runs, and gives the last step in which any of them arrives, if there are any.
class Interpreter {
 public:
  Interpreter(const ast::SourceFiles& program, const Fabric& fabric, const Router& router, const Collective& collective)
      : program_(program),
        values_(program, fabric, router),
        fabric_(fabric),
        router_(router),
        collective_(collective) {}

  std::vector<InterpretedRow> run() {
    std::optional<std::int64_t> last;
    std::int64_t clock = 0;
    Names names;
    for (const ast::Item& item : program_.files[0].items) {
      if (const auto* statement = std::get_if<ast::Statement>(&item.node)) run_next(*statement, names, clock, last);
    }
    return rows_;
  }

 private:
  using Last = std::optional<std::int64_t>;

  // A relabelling in force, with the names of the place where it stands.
  struct Relabelled {
    const ast::Relabel* relabel;
    Names names;
  };

  static void note(Last& last, Last other) {
    if (other && (!last || *other > *last)) last = other;
  }

  // `clock` is the step before the first.
  void run_next(const ast::Statement& statement, Names& names, std::int64_t& clock, Last& last) {
    if (statement.then && last) clock = *last;
    if (const auto* let = std::get_if<ast::LetStatement>(&statement.node)) {
      names[let->name.text] = values_.value(*let->value, names);
      return;
    }
    note(last, std::visit([&](const auto& node) { return run(node, names, clock); }, statement.node));
  }

  Last run(const ast::Block& block, Names names, std::int64_t clock) {
    Last last;
    for (const ast::Statement& statement : block.statements) run_next(statement, names, clock, last);
    return last;
  }

  Last run(const ast::LetStatement&, const Names&, std::int64_t) { return {}; }

  Last run(const ast::Discipline& discipline, const Names& names, std::int64_t clock) {
    std::vector<InterpretedRow> outer;
    std::swap(rows_, outer);
    run(discipline.body, names, 0);
    Last last;
    for (InterpretedRow& row : served_in_turn(rows_, fabric_, discipline.name.text == "farthest_first")) {
      row.step = static_cast<std::uint32_t>(clock + row.step);
      note(last, row.step);
      outer.push_back(row);
    }
    rows_ = outer;
    return last;
  }

  Last run(const ast::At& at, const Names& names, std::int64_t clock) {
    const std::int64_t step = values_.number(*at.step, names);
    if (step < 1 || step > last_step - clock) throw Mistake{"no such step"};
    return run(at.body, names, clock + step - 1);
  }

  Last run(const ast::For& loop, const Names& names, std::int64_t clock) {
    Last last;
    values_.for_each(loop.bindings, 0, names, [&](const Names& inner) {
      if (loop.condition && !values_.truth(*loop.condition, inner)) return;
      note(last, run(loop.body, inner, loop.in_turn && last ? *last : clock));
    });
    return last;
  }

  Last run(const ast::Repeat& repeat, const Names& names, std::int64_t clock) {
    const std::int64_t times = values_.number(*repeat.times, names);
    if (times < 0) throw Mistake{"repeated less than not at all"};
    Last last;
    for (std::int64_t i = 0; i < times; ++i) note(last, run(repeat.body, names, last ? *last : clock));
    return last;
  }

  Last run(const ast::If& branch, const Names& names, std::int64_t clock) {
    if (values_.truth(*branch.condition, names)) return run(branch.then, names, clock);
    return branch.otherwise ? run(*branch.otherwise, names, clock) : Last{};
  }

  Last run(const ast::CallStatement& call, const Names& names, std::int64_t clock) {
    const auto local = names.find(call.callee.text);
    const ast::Procedure* procedure =
        local != names.end() ? std::get<const ast::Procedure*>(local->second) : values_.procedure(call.callee.text);
    if (procedure->parameters.size() != call.arguments.size()) throw Mistake{"wrong number of arguments"};
    Names inner;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      inner[procedure->parameters[i].name.text] = values_.value(call.arguments[i], names);
    return run(procedure->body, inner, clock);
  }

  Last run(const ast::Run&, const Names&, std::int64_t) {
    throw Mistake{"another schedule: random programs have none"};
  }

  Last run(const ast::Relabel& relabel, const Names& names, std::int64_t clock) {
    relabelled_.push_back({&relabel, names});
    const Last last = run(relabel.body, names, clock);
    relabelled_.pop_back();
    return last;
  }

  // Step t of T becomes T + 1 - t, and the packet from a to b the one from b to a.
  Last run(const ast::Reverse& reverse, const Names& names, std::int64_t clock) {
    std::vector<InterpretedRow> outer;
    std::swap(rows_, outer);
    const Last forwards = run(reverse.body, names, 0);
    Last last;
    for (InterpretedRow& row : rows_) {
      const ChunkName name = collective_.name(row.chunk);
      row.step = static_cast<std::uint32_t>(clock + *forwards + 1 - row.step);
      note(last, row.step);
      const auto back = fabric_.channel_between(fabric_.channel(row.channel).to, fabric_.channel(row.channel).from);
      if (!back) throw Mistake{"a link that goes one way, reversed"};
      row.channel = *back;
      row.chunk = collective_.chunk({name.target.value(), name.origin, name.part}).value();
      std::swap(row.source, row.target);
    }
    std::reverse(rows_.begin(), rows_.end());
    outer.insert(outer.end(), rows_.begin(), rows_.end());
    rows_ = outer;
    return last;
  }

  // The processor that x of the innermost block really is.
  NodeId real(std::int64_t x) {
    for (std::size_t i = relabelled_.size(); i-- > 0;) {
      Names names = relabelled_[i].names;
      names[relabelled_[i].relabel->variable.text] = x;
      x = values_.number(*relabelled_[i].relabel->image, names);
      if (x < 0 || x >= fabric_.processors()) throw Mistake{"relabelled to nowhere"};
    }
    return NodeId(static_cast<std::uint32_t>(x));
  }

  // The same for the two ends of a packet's name.
  std::uint32_t real_name(std::int64_t x) {
    for (std::size_t i = relabelled_.size(); i-- > 0;) {
      const ast::Relabel& relabel = *relabelled_[i].relabel;
      Names names = relabelled_[i].names;
      names[relabel.carried ? relabel.carried->text : relabel.variable.text] = x;
      x = values_.number(relabel.carried ? *relabel.carried_image : *relabel.image, names);
    }
    if (x < 0 || x >= fabric_.processors()) throw Mistake{"no packet of such a processor"};
    return static_cast<std::uint32_t>(x);
  }

  ChunkId packet(const ast::Send& send, const Names& names, std::int64_t source, std::optional<std::int64_t> target) {
    const ast::Carrying none;
    const ast::Carrying& carrying = send.carrying ? *send.carrying : none;
    const std::int64_t origin = carrying.origin ? values_.number(*carrying.origin, names) : source;
    if (carrying.target) target = values_.number(*carrying.target, names);
    const std::int64_t part = carrying.part ? values_.number(*carrying.part, names) : 0;
    if (part < 0 || part > 1000) throw Mistake{"no such part"};
    ChunkName name{real_name(origin), std::nullopt, static_cast<std::uint32_t>(part)};
    const bool to_all = collective_.kind() == CollectiveKind::allgather;
    if (target && !carrying.everyone) name.target = real_name(*target);
    const bool said = carrying.target != nullptr || carrying.everyone;
    if (to_all && !said) name.target.reset();
    const auto chunk = collective_.chunk(name);
    if (!chunk || (!to_all && !name.target)) throw Mistake{"no such packet"};
    return *chunk;
  }

  Last run(const ast::Send& send, const Names& names, std::int64_t clock) {
    const std::uint32_t source = values_.processor(*send.source, names);
    const Value to = values_.value(*send.target, names);
    const bool several = std::holds_alternative<Set>(to);
    std::vector<NodeId> targets;
    if (several) {
      for (const std::int64_t x : std::get<Set>(to)) {
        if (x < 0 || x >= fabric_.processors()) throw Mistake{"no such processor"};
        if (real(x) != real(source)) targets.push_back(real(x));
      }
    } else {
      targets.push_back(real(values_.processor(*send.target, names)));
      if (targets[0] == real(source)) throw Mistake{"sends to itself"};
    }
    const auto target = several ? std::nullopt : std::optional(std::get<std::int64_t>(to));
    const ChunkId chunk = packet(send, names, source, target);
    const std::uint64_t number = sends_++;
    Last last;
    std::set<ChannelId> taken;
    for (const NodeId node : targets) {
      std::int64_t step = clock;
      const std::vector<ChannelId> channels = way(send, names, real(source), node, several);
      need_waits_on_the_way(send, names, real(source), channels);
      for (const ChannelId channel : channels) {
        step += 1 + waited(send, names, real(source), channel);
        if (!taken.insert(channel).second && several) continue;
        if (step > last_step) throw Mistake{"too late"};
        rows_.push_back(
            {static_cast<std::uint32_t>(step), channel, chunk, number, real(source), several ? real(source) : node});
        note(last, step);
      }
    }
    return last;
  }

  std::vector<ChannelId> way(const ast::Send& send, const Names& names, NodeId source, NodeId target, bool several) {
    std::vector<ChannelId> channels;
    if (send.along.empty()) {
      if (router_.leaves_choice(source, target)) {
        const auto spread = shortest_path(source, target, several ? 0 : target.value);
        if (!spread) throw Mistake{"no way"};
        return *spread;
      }
      if (!router_.append_route(source, target, channels)) throw Mistake{"no way"};
      return channels;
    }
    NodeId at = source;
    const auto go = [&](NodeId next) {
      const auto channel = fabric_.channel_between(at, next);
      if (!channel) throw Mistake{"no channel"};
      channels.push_back(*channel);
      at = next;
    };
    for (const ast::Expression& hop : send.along) go(real(values_.processor(hop, names)));
    go(target);
    return channels;
  }

  // On a graph: of the channels that bring it nearer, at each node, that of index `number` modulo how many there are.
  std::optional<std::vector<ChannelId>> shortest_path(NodeId source, NodeId target, std::uint32_t number) {
    const auto hops = distances(fabric_, target, Direction::to);
    if (hops[source.value] == unreachable) return std::nullopt;
    std::vector<ChannelId> channels;
    for (NodeId at = source; at != target; at = fabric_.channel(channels.back()).to) {
      std::map<NodeId, ChannelId> nearer;
      for (const ChannelId id : fabric_.channels_from(at)) {
        const NodeId head = fabric_.channel(id).to;
        if (hops[head.value] < hops[at.value]) nearer.emplace(head, id);
      }
      channels.push_back(std::next(nearer.begin(), static_cast<std::ptrdiff_t>(number % nearer.size()))->second);
    }
    return channels;
  }

  // The steps for which the packet is kept before it enters the channel.
  std::int64_t waited(const ast::Send& send, const Names& names, NodeId source, ChannelId channel) {
    std::int64_t steps = 0;
    for (const ast::Wait& wait : send.waits) {
      const std::int64_t more = values_.number(*wait.steps, names);
      if (more < 0) throw Mistake{"waits less than not at all"};
      const NodeId at = real(values_.processor(*wait.at, names));
      if (at != source && fabric_.channel(channel).from == at) steps += more;
    }
    return steps;
  }

  void need_waits_on_the_way(const ast::Send& send, const Names& names, NodeId source,
                             const std::vector<ChannelId>& channels) {
    for (const ast::Wait& wait : send.waits) {
      const NodeId at = real(values_.processor(*wait.at, names));
      const auto leaves_it = [&](ChannelId channel) { return fabric_.channel(channel).from == at && at != source; };
      if (std::none_of(channels.begin(), channels.end(), leaves_it)) throw Mistake{"waits where it does not come"};
    }
  }

  const ast::SourceFiles& program_;
  Values values_;
  const Fabric& fabric_;
  const Router& router_;
  const Collective& collective_;
  std::vector<InterpretedRow> rows_;
  std::vector<Relabelled> relabelled_;
  std::uint64_t sends_ = 0;
};

}  // namespace

std::vector<InterpretedRow> interpreted(const ast::SourceFiles& program, const Fabric& fabric, const Router& router,
                                        const Collective& collective) {
  return Interpreter(program, fabric, router, collective).run();
}

}  // namespace quadrille::reference
