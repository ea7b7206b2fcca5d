// Rules of what is delivered: `own`, every sender begins with what it sends (combining: sends what it holds, to the
// packet's target); `wanted`, every delivery meets a demand;
// `once`, no two are the same; `counted`, there are as many as demands.
//
// Why they suffice: a delivery is a packet and a target. Each is a demand (`wanted`), no two are the same one (`once`);
// so if there are as many as demands, each demand is met. What is counted is every value of the variables, as no
// condition leaves any out (a leaf).
//
// Example: a scatter among N, "for (d 1 (+ N -1))", from 0 to d: N - 1 deliveries, and N - 1 demands.
//
// Cost: a leaf for each case of pairs.h, and two for each variable.
#include <fmt/format.h>

#include "verifier/proof_reader/pairs.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

void never_the_same(const CoreMessage& a, const CoreChunks& of_a, const CoreMessage& b, const CoreChunks& of_b,
                    const std::string& name, Leaves& leaves) {
  const bool same = &of_a == &of_b;
  for (const Pair& pair : pairs({scope_of(a, of_a), given_of(a, of_a)}, {scope_of(b, of_b), given_of(b, of_b)}, same)) {
    const auto there = [&](const CoreExpression& x) { return substituted(x, pair.second); };
    std::vector<CoreExpression> parts = {equal(a.target, there(b.target)), equal(of_a.origin, there(of_b.origin)),
                                         equal(of_a.part, there(of_b.part))};
    if (of_a.addressee && of_b.addressee) parts.push_back(equal(*of_a.addressee, there(*of_b.addressee)));
    leaves.push_back({pair.words.empty() ? name : fmt::format("{}, {}", name, pair.words), pair.scope, pair.given,
                      negated(all_of(std::move(parts)))});
  }
}

// How many packets the message delivers, by the list (message m1 (chunks …) …); `leaves` receives what shows it.
CoreExpression deliveries(const ProofSubject& subject, const CoreMessage& message, const ProofItem& list,
                          Leaves& leaves) {
  if (head(list) != "message" || word(item(list, 1)) != message.name)
    throw Refused{list.span, fmt::format("(message {} …) is expected here", message.name)};
  expect_size(list, 2 + message.chunks.size(), 2 + message.chunks.size());
  CoreExpression total = 0;
  for (std::size_t i = 0; i < message.chunks.size(); ++i) {
    const CoreChunks& chunks = message.chunks[i];
    const std::string name = fmt::format("chunks {} of {}", i + 1, message.name);
    leaves.push_back(
        {name + ", no condition leaves any out", scope_of(message, chunks), truth(true), given_of(message, chunks)});
    const ProofItem& sums = list.items[2 + i];
    if (head(sums) != "chunks") throw Refused{sums.span, "`chunks` is expected here"};
    const CoreExpression number = number_of(subject, scope_of(message, chunks), sums, {}, truth(true), name, leaves);
    total = i == 0 ? number : total + number;
  }
  return total;
}

}  // namespace

void own(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const CoreMessage& message = message_named(subject.core, application.subjects[0]);
  const CoreMachine& machine = subject.machine;
  for (const CoreChunks& each : message.chunks) {
    leaves.push_back({"the sender is the packet's origin", scope_of(message, each), given_of(message, each),
                      equal(each.origin, message.source)});
    if (machine.reduction)
      leaves.push_back({"it goes to the packet's target", scope_of(message, each), given_of(message, each),
                        equal(*each.addressee, message.target)});
  }
  if (machine.reduction && !machine.rounds)
    leaves.push_back({"it goes to a neighbour", message.variables, message.given,
                      equal(machine.hops({message.source, message.target}), 1)});
}

void wanted(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const CoreMessage& message = message_named(subject.core, application.subjects[0]);
  for (const CoreChunks& each : message.chunks)
    leaves.push_back(
        {"it goes to a processor that wants it", scope_of(message, each), given_of(message, each),
         each.addressee ? equal(message.target, *each.addressee) : negated(equal(message.target, each.origin))});
}

void once(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const CoreMessage& a = message_named(subject.core, application.subjects[0]);
  const CoreMessage& b = message_named(subject.core, application.subjects[1]);
  for (std::size_t i = 0; i < a.chunks.size(); ++i) {
    for (std::size_t j = a.name == b.name ? i : 0; j < b.chunks.size(); ++j) {
      const std::string name = fmt::format("chunks {} and {} are different", i + 1, j + 1);
      never_the_same(a, a.chunks[i], b, b.chunks[j], name, leaves);
    }
  }
}

void counted(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const auto& messages = subject.core.messages;
  expect_size(application.item, 1 + messages.size(), 1 + messages.size());
  CoreExpression total = 0;
  for (std::size_t i = 0; i < messages.size(); ++i)
    total = total + deliveries(subject, messages[i], application.item.items[1 + i], leaves);
  const CoreMachine& machine = subject.machine;
  const CoreExpression demands = machine.parts * machine.of_collective(machine.terms.demands, {0, 0});
  leaves.push_back({"as many as demanded", {}, truth(true), equal(total, demands)});
}

}  // namespace quadrille::proof_reader
