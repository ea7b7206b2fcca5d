// A program that links Quadrille brings along a topology, a collective and an output format of its own: each is one
// small definition, and passes through notation, language, compile, check, bounds, search and proof for every size, by
// the library's calls and by the command's. The product does not know of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "compiler/compile.h"
#include "compiler/decompile/decompile.h"
#include "driver/check/check.h"
#include "driver/compile.h"
#include "driver/search/search.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/families.h"
#include "model/route.h"
#include "model/verdict.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/last_first.h"
#include "verifier/bounds.h"
#include "verifier/check.h"
#include "verifier/prove.h"
#include "verifier/search.h"

namespace {

using namespace quadrille;

// --- a topology: two cliques of `size` processors, joined by one link between processors size-1 and size ---

class Barbell final : public Topology {
 public:
  explicit Barbell(std::uint32_t size) : size_(size) {}

  std::string_view family() const override { return "barbell"; }
  std::vector<TopologyArgument> arguments() const override { return {{"size", size_, {}, true}}; }

  Result<Wiring> wiring(Span where) const override {
    if (size_ > 4096) return too_large(where, "a barbell");
    Wiring wiring{2 * size_, 2 * size_, {}, {}, {}};
    for (std::uint32_t a = 0; a < 2 * size_; ++a) {
      for (std::uint32_t b = 0; b < 2 * size_; ++b) {
        const bool bridge = std::min(a, b) == size_ - 1 && std::max(a, b) == size_;
        if (a != b && (a / size_ == b / size_ || bridge)) wiring.channels.push_back({NodeId(a), NodeId(b)});
      }
    }
    return wiring;
  }

  std::vector<CutFamily> cuts(const Fabric& fabric) const override {
    Cut cut{std::vector<bool>(2 * std::size_t{size_}), 0, "the left bell"};
    std::fill_n(cut.inside.begin(), size_, true);
    cut.out.push_back(*fabric.channel_between(NodeId(size_ - 1), NodeId(size_)));
    cut.in.push_back(*fabric.channel_between(NodeId(size_), NodeId(size_ - 1)));
    return {{1, [cut](std::uint64_t) { return cut; }, [](std::uint32_t) { return std::uint64_t{0}; }}};
  }

 private:
  std::uint32_t size_;
};

// Within a bell, one channel. To the other one: the channel to the bridge, if the source is not its end; the bridge;
// and a channel from there, if the target is not the other end.
std::optional<Crossings> barbell_crossings(const FabricForm& form) {
  using namespace terms;
  CrossingArguments arguments(form, "size");
  const auto size = arguments.number("size");
  if (!size) return std::nullopt;
  const Term left = less(source(), *size);
  const Term same_bell = equal(left, less(target(), *size));
  const Term exit = conditional(left, *size - 1, *size);
  const Term entry = conditional(left, *size, *size - 1);
  const Term first = conditional(equal(source(), exit), 0, 1);
  const Term last = conditional(equal(target(), entry), 0, 1);
  ChannelClass link;  // index 0: the source's; 1: the target's, if that is in the other bell
  link.name = "link";
  link.last = 1;
  link.from = conditional(equal(index(), 0), source(), entry);
  link.to = conditional(both(equal(index(), 0), !same_bell), exit, target());
  link.crossed = conditional(equal(index(), 0), either(same_bell, equal(first, 1)), both(!same_bell, equal(last, 1)));
  link.offset = conditional(equal(index(), 0), 0, first + 1);
  link.channel = {link.from, link.to};
  ChannelClass bridge;
  bridge.name = "bridge";
  bridge.crossed = !same_bell;
  bridge.offset = first;
  bridge.channel = {exit};
  bridge.from = exit;
  bridge.to = entry;
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = Term(2) * *size;
  result.valid = at_most(1, *size);
  result.hops = conditional(same_bell, 1, first + 1 + last);
  result.classes = {link, bridge};
  return result;
}

TopologyFamily barbell() {
  FabricParameter size{"size", FabricParameter::Kind::number, 1, 4096};
  size.meaning = "processors of each clique";
  return {"barbell",        {"dumbbell"},
          {size},           "two cliques joined by one link",
          "barbell:4",      [](FabricArguments& given) { return std::make_shared<Barbell>(given.number("size")); },
          barbell_crossings};
}

// --- a collective: everyone tells the next processor ---

class TellTheNext : public ListedCollective {
 public:
  TellTheNext()
      : ListedCollective({.name = "tell_the_next", .summary = "a message to the next", .example = "tell_the_next"}) {}

  std::vector<CustomChunk> chunks(const CollectiveDescription& it, std::uint32_t n) const override {
    std::vector<CustomChunk> all;
    for (std::uint32_t p = 0; p < n; ++p) {
      const std::uint32_t next = (p + 1) % n;
      for (std::uint32_t part = 0; part < it.parts; ++part) all.push_back({{p, next, part}, {p}, {next}});
    }
    return all;
  }

  std::optional<CollectiveTerms> terms() const override {
    const Term next = (terms::source() + 1) % terms::processors();
    const PacketRule to_the_next{terms::equal(terms::target(), next), "the packet goes to the next processor",
                                 "it goes to {}", terms::target()};
    return CollectiveTerms{.rules = {to_the_next},
                           .demands = terms::conditional(terms::equal(terms::processors(), 1), 0, terms::processors())};
  }
};

// --- an output format, for Graphviz: an arrow for each hop, with its step and packet ---

Written write_dot(const SendTable& table, const Sink& sink) {
  bool taken = sink("digraph {\n");
  const auto cursor = table.rows->open();
  for (auto step = cursor->next(); step && taken; step = cursor->next()) {
    for (const Row& row : step->rows) {
      const Channel& channel = table.fabric.channel(row.channel);
      taken = sink(fmt::format("  \"{}\" -> \"{}\" [label=\"{}: {}\"]\n", table.fabric.name(channel.from),
                               table.fabric.name(channel.to), step->step.value, table.collective.label(row.chunk)));
    }
  }
  return {taken && sink("}\n"), cursor->ended_early()};
}

Format dot() { return {.name = "dot", .summary = "for Graphviz", .extensions = {"dot", "gv"}, .write = write_dot}; }

// --- all of them, for this program ---

Families extended() {
  Families families = standard_families();
  families.topologies.push_back(barbell());
  static const auto tell_the_next = std::make_shared<TellTheNext>();
  families.collectives.push_back(tell_the_next);
  return families;
}

Fabric fabric(const std::string& text, const Families& families) {
  return parse_fabric({"--on", text}, 0, {}, families).value();
}

Collective collective(const std::string& text, std::uint32_t n, const Families& families) {
  return parse_collective({"", text}, 0, n, families).value();
}

Result<std::shared_ptr<const ir::Schedule>> compiled(const std::string& text, const Families& families) {
  Sources sources;
  const auto program = load(
      {"own.qd", text}, [](const std::string&) { return std::optional<std::string>(); }, sources);
  REQUIRE(program.ok());
  return compile(*program, "own", {.families = &families});
}

}  // namespace

TEST_CASE("the notation knows linked families, by name and alias, and tells what is wrong") {
  const Families families = extended();
  CHECK(fabric("barbell:3,ports=single", families).notation() == "barbell:3,ports=single");
  CHECK(fabric("dumbbell:size=3", families) == fabric("barbell:3", families));
  CHECK(fabric("barbell:3", families).processors() == 6);
  CHECK(parse_fabric({"", "barbell:0"}, 0, {}, families).diagnostics().front().message ==
        "size is 0; expected 1 to 4096");
  CHECK(parse_fabric({"", "barbel:3"}, 0, {}, families).diagnostics().front().message ==
        "unknown fabric `barbel`; did you mean `barbell`?");
  CHECK_FALSE(parse_fabric({"", "barbell:3"}, 0).ok());  // the product's own list is as it was

  const Collective told = collective("tell_the_next:parts=2", 6, families);
  CHECK(told.notation() == "tell_the_next:parts=2");
  CHECK(told.demands() == 12);
  CHECK(told.unicast());
  CHECK(told.listed());
  CHECK_FALSE(parse_collective({"", "tell_the_next"}, 0, 6).ok());
}

TEST_CASE("routes, distances and all shortest routes come by themselves") {
  const Fabric bells = fabric("barbell:3", extended());
  const Router router(bells);
  CHECK(router.distance(NodeId(0), NodeId(5)) == 3U);
  CHECK(router.shortest_routes(NodeId(0), NodeId(5), 10).size() == 1);
}

TEST_CASE("a schedule names them, is compiled and checked; and one that forgets a message is told of it") {
  const Families families = extended();
  const std::string head = "fabric barbell(size: 3)\ncollective tell_the_next\n";
  const auto good = compiled(head + "at 1: for k in processors: send k -> (k + 1) mod n\n", families);
  REQUIRE(good.ok());
  const auto table = elaborate(*good, {});
  REQUIRE(table.ok());
  CHECK(table->fabric.notation() == "barbell:3");
  CHECK(table->collective.notation() == "tell_the_next");
  CHECK(check(*table).verdict == Verdict::holds);  // 5 -> 0 takes three hops, 2 -> 3 the bridge the other way

  const auto bad = compiled(head + "at 1: for k in processors: if k != 4: send k -> (k + 1) mod n\n", families);
  REQUIRE(bad.ok());
  CHECK(check(*elaborate(*bad, {})).verdict == Verdict::violated);
  CHECK_FALSE(compiled(head, standard_families()).ok());
}

TEST_CASE("bounds use the topology's cut, and the search finds the optimum") {
  const Families families = extended();
  const Fabric bells = fabric("barbell:3", families);
  const Collective exchange = collective("total_exchange", 6, families);
  const auto cut = lower_bounds(bells, exchange);
  CHECK(std::any_of(cut.begin(), cut.end(),
                    [](const Bound& bound) { return bound.kind == BoundKind::cut && bound.steps == 9U; }));

  const Collective told = collective("tell_the_next", 6, families);
  const SearchResult found = search(bells, told, {}, {});
  CHECK(found.verdict == SearchVerdict::optimal);
  REQUIRE(found.table.has_value());
  CHECK(check(*found.table).verdict == Verdict::holds);
  CHECK(check(*found.table).steps == 3);  // from 5 to 0
  const auto text = decompile(*found.table, families);
  REQUIRE(text.ok());
  const auto again = compiled(*text, families);
  REQUIRE(again.ok());
  CHECK(check(*elaborate(*again, {})).verdict == Verdict::holds);
}

TEST_CASE("the crossings of a linked topology are its routes") {
  const Families families = extended();
  const auto crossings = crossings_of({"barbell", {{"", 1}}}, families);
  REQUIRE(crossings.has_value());
  for (std::uint32_t size = 1; size <= 5; ++size) {
    const Fabric bells = fabric("barbell:" + std::to_string(size), families);
    const Router router(bells);
    for (std::uint32_t s = 0; s < bells.processors(); ++s) {
      for (std::uint32_t t = 0; t < bells.processors(); ++t) {
        if (s == t) continue;
        std::vector<ChannelId> channels;
        REQUIRE(router.append_route(NodeId(s), NodeId(t), channels));
        const auto told = route(*crossings, {{size}, s, t, 0});
        REQUIRE(told.size() == channels.size());
        CHECK(evaluate(crossings->hops, {{size}, s, t, 0}) == static_cast<std::int64_t>(told.size()));
        for (std::size_t i = 0; i < told.size(); ++i) {
          CHECK(told[i].offset == static_cast<std::int64_t>(i));
          CHECK(told[i].from == bells.channel(channels[i]).from.value);
          CHECK(told[i].to == bells.channel(channels[i]).to.value);
        }
      }
    }
  }
}

TEST_CASE("a schedule on linked families is proved for every size, and wrong ones are refuted") {
  const Families families = extended();
  const std::string head = "param m in 1..1000000\nfabric barbell(m)\ncollective tell_the_next\n";
  const auto proof = [&](const std::string& text) {
    const auto schedule = compiled(head + text, families);
    REQUIRE(schedule.ok());
    ProveOptions options;
    options.holds_at = [&](const std::map<std::string, std::string>& size) {
      const auto table = elaborate(*schedule, size);
      return std::optional(table.ok() && check(*table).verdict == Verdict::holds);
    };
    return prove(**schedule, options);
  };
  const Proof right = proof("at 1: for k in processors: send k -> (k + 1) mod n\nclaim steps == 3 when m >= 2\n");
  CHECK(right.verdict == ProofVerdict::proved);
  CHECK(right.machine == "barbell of 2*m processors");

  const auto refuted = [&](const std::string& text, ProvedProperty property) {
    const Proof wrong = proof(text);
    return wrong.verdict == ProofVerdict::refuted &&
           std::any_of(wrong.obligations.begin(), wrong.obligations.end(), [&](const ProvedObligation& each) {
             return each.property == property && each.verdict == ProofVerdict::refuted &&
                    each.counterexample->confirmed.value_or(false);
           });
  };
  CHECK(refuted("at 1: for k in processors: send k -> (k + 2) mod n\n", ProvedProperty::well_formed));
  CHECK(refuted("at 1: for k in 1..n-1: send k -> (k + 1) mod n\n", ProvedProperty::complete));
  CHECK(refuted("at 1: for k in processors: send k -> (k + 1) mod n\nclaim steps == 2\n", ProvedProperty::claims));

  // All packets of the scatter at once: they meet on the bridge.
  const auto scatter = compiled(
      "param m in 3..1000000\nfabric barbell(m)\ncollective scatter\n"
      "for d in 1..n-1: at n - d: send 0 -> d\nclaim steps == n - 1\n",
      families);
  CHECK(prove(**scatter, {}).verdict == ProofVerdict::proved);
  const auto together = compiled(
      "param m in 3..1000000\nfabric barbell(m)\ncollective scatter\nfor d in 1..n-1: at 1: send 0 -> d\n", families);
  const Proof meet = prove(**together, {});
  CHECK(meet.verdict == ProofVerdict::refuted);
}

TEST_CASE("without crossings or terms of its own, a linked family is no more than unknown to the prover") {
  Families families = extended();
  families.topologies.back().crossings = {};
  const auto no_routes = compiled(
      "param m in 1..9\nfabric barbell(m)\ncollective scatter\nfor d in 1..n-1: at n - d: send 0 -> d\n", families);
  const Proof on_barbell = prove(**no_routes, {});
  CHECK(on_barbell.verdict == ProofVerdict::unknown);
  CHECK(on_barbell.reason == Reason::unsupported);
  CHECK(on_barbell.why == "the routes of barbell for every size");

  class Silent final : public TellTheNext {
    std::optional<CollectiveTerms> terms() const override { return std::nullopt; }
  };
  static const auto silent = std::make_shared<Silent>();
  families.collectives.back() = silent;
  const auto no_terms = compiled(
      "param m in 1..9\nfabric complete(m)\ncollective tell_the_next\nat 1: for k in processors: send k -> (k + 1) mod "
      "n\n",
      families);
  const Proof of_silent = prove(**no_terms, {});
  CHECK(of_silent.verdict == ProofVerdict::unknown);
  CHECK(of_silent.reason == Reason::unsupported);
  CHECK(of_silent.why == "the collective tell_the_next");
}

// --- by the driver, and by the command ---

namespace {

const driver::World& own_world() {
  static const driver::World world = [] {
    driver::World own{extended(), standard_formats()};
    own.formats.push_back(dot());
    return own;
  }();
  return world;
}

const std::string own_schedule =
    "fabric barbell(size: 3)\ncollective tell_the_next\nat 1: for k in processors: send k -> (k + 1) mod n\n";

int run_command(const std::vector<std::string>& arguments, driver::MemoryEnvironment& environment) {
  cli::Registry registry;
  registry.world = own_world();
  return cli::run(arguments, environment, registry);
}

}  // namespace

TEST_CASE("the driver compiles to the linked format, reads a table with the linked families back, and checks it") {
  driver::MemoryEnvironment environment;
  environment.files = {{"own.qd", own_schedule}};
  driver::Context context{environment};
  context.world = &own_world();
  REQUIRE(run(driver::CompileRequest{{"own.qd"}, "own.dot", ""}, context).ok());
  CHECK(environment.files["own.dot"].starts_with("digraph {\n  \"0\" -> \"1\" [label=\"1: 0->1\"]\n"));
  CHECK(environment.files["own.dot"].ends_with("}\n"));

  for (const std::string file : {"own.csv", "own.json", "own.bin"}) {
    CAPTURE(file);
    REQUIRE(run(driver::CompileRequest{{"own.qd"}, file, ""}, context).ok());
    const auto checked = run(driver::CheckRequest{{file}}, context);
    REQUIRE(checked.ok());
    CHECK(checked->report.verdict == Verdict::holds);
    CHECK(checked->table.fabric.notation() == "barbell:3");
    driver::Context plain{environment};
    CHECK_FALSE(run(driver::CheckRequest{{file}}, plain).ok());  // the product's own lists are as they were
  }
}

TEST_CASE("the driver searches on the linked topology for the linked collective, and the certificate is judged") {
  driver::MemoryEnvironment environment;
  driver::Context context{environment};
  context.world = &own_world();
  driver::SearchRequest request;
  request.collective = "tell_the_next";
  request.on = "dumbbell:3";
  request.output = "found.gv";
  request.certificate = "short";
  const auto found = run(request, context);
  REQUIRE(found.ok());
  CHECK(found->result.verdict == SearchVerdict::optimal);
  CHECK(found->result.steps == 3);
  CHECK(environment.files["found.gv"].starts_with("digraph {\n"));
  CHECK(run_command({"certify", "short/certificate.txt"}, environment) == exit_done);
}

TEST_CASE("the command knows the linked families and the linked format") {
  driver::MemoryEnvironment environment;
  environment.files = {{"own.qd", own_schedule}};
  CHECK(run_command({"check", "own.qd"}, environment) == exit_done);
  CHECK(run_command({"compile", "own.qd", "--format", "dot"}, environment) == exit_done);
  CHECK(environment.output.ends_with("}\n"));
  CHECK(run_command({"fabrics"}, environment) == exit_done);
  CHECK(environment.output.find("barbell:4\n    two cliques joined by one link\n") != std::string::npos);
  CHECK(run_command({"compile", "--help"}, environment) == exit_done);
  CHECK(environment.output.find("csv, json, binary or dot") != std::string::npos);
  CHECK(run_command({"search", "--collective", "tell_the_next", "--on", "barbell:3"}, environment) == exit_done);
  CHECK(run_command({"bounds", "--collective", "tell_the_next", "--on", "barbell:3"}, environment) == exit_done);
  environment.files["any.qd"] =
      "param m in 1..1000000\nfabric barbell(m)\ncollective tell_the_next\n"
      "at 1: for k in processors: send k -> (k + 1) mod n\nclaim steps == 3 when m >= 2\n";
  CHECK(run_command({"prove", "any.qd"}, environment) == exit_done);
  CHECK(cli::run(std::vector<std::string>{"compile", "own.qd", "--format", "dot"}, environment) == exit_bad_input);
  CHECK(cli::run(std::vector<std::string>{"check", "own.qd"}, environment) == exit_bad_input);
}

TEST_CASE("what a linked family throws is an answer that is not known, in JSON as well") {
  cli::Registry registry;
  const auto throws = [&](const std::string& name, const std::function<void()>& raise) {
    TopologyFamily family{name, {}, {}, "throws", name, [raise](FabricArguments&) -> std::shared_ptr<const Topology> {
                            raise();
                            return nullptr;
                          }};
    registry.world.families.topologies.push_back(std::move(family));
  };
  throws("large", [] { throw std::bad_alloc(); });
  throws("wrong", [] { throw std::logic_error("no such thing"); });
  driver::MemoryEnvironment environment;
  const auto told = [&](std::vector<std::string> arguments) {
    environment.output.clear();
    environment.errors.clear();
    CHECK(cli::run(arguments, environment, registry) == exit_unknown);
    return environment.output + environment.errors;
  };
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"bounds", "--collective", "broadcast", "--on"},
        {"check", "broadcast_binomial", "--on"},
        {"search", "--collective", "broadcast", "--on"}}) {
    std::vector<std::string> large = command;
    large.push_back("large");
    std::vector<std::string> wrong = command;
    wrong.push_back("wrong");
    CHECK(told(large).find("the machine has no memory left") != std::string::npos);
    CHECK(told(wrong).find("error: no such thing (this is a bug of quadrille)\n") != std::string::npos);
    large.push_back("--json");
    wrong.push_back("--json");
    CHECK(told(large).find("\"code\": \"limit\"") != std::string::npos);
    CHECK(told(wrong).find("\"code\": \"internal\"") != std::string::npos);
  }
}

TEST_CASE("the command routes messages by a linked policy") {
  cli::Registry registry;
  registry.world.policies.push_back(std::make_shared<const reference::LastFirst>());
  const std::vector<std::string> command{"replay",      "--pattern", "bit_reversal", "--on",
                                         "hypercube:4", "--policy",  "last_first"};
  driver::MemoryEnvironment environment;
  CHECK(cli::run(command, environment, registry) == exit_done);
  CHECK(environment.output.find("policy      last_first, seed 1\n") != std::string::npos);
  CHECK(environment.output.find("delivered   16 of 16\n") != std::string::npos);
  CHECK(cli::run(command, environment) == exit_bad_input);
}
