// Relabelled schedules, and forwarding across parts and turns: what is proved of them is what the checker finds at
// every small size.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

constexpr int largest = 4;  // side of a torus

const std::string head =
    "param n1 in 2..4\nparam n2 in 2..4\nfabric torus(n1, n2, ports: single)\ncollective multinode_broadcast\n"
    "procedure ring(size):\n"
    "  for t in 1..size-1, i in 0..size-1:\n"
    "    at t: send i -> (i + 1) mod size carrying (i + size - (t - 1)) mod size\n";
const std::string rows = "for i in 0..n1-1:\n  relabel x -> i*n2 + x: ring(n2)\n";
const std::string columns =
    "for r in 0..n2-1 in turn:\n  for j in 0..n2-1:\n    relabel x -> x*n2 + j carrying y -> y*n2 + r: ring(n1)\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE_MESSAGE(place != std::string::npos, from);
  return text.replace(place, from.size(), to);
}

// The first of these sides at which the checker refuses it; nothing if there are none.
std::string wrong_at(const std::string& text) {
  const auto schedule = compiled(text);
  for (int a = 2; a <= largest; ++a) {
    for (int b = 2; b <= largest; ++b) {
      if (!holds(schedule, {{"n1", std::to_string(a)}, {"n2", std::to_string(b)}})) return fmt::format("{} x {}", a, b);
    }
  }
  return "";
}

// The prover alone, without the checker's help.
ProofVerdict verdict_of(const std::string& text) { return prove(*compiled(text), {}).verdict; }

struct ImageChange {
  std::string from, to;
};

TEST_CASE("a product of two rings is proved, whatever right images its processors have") {
  const std::string whole = head + rows + "then " + columns;
  CHECK(verdict_of(whole + "claim steps == n - 1\n") == ProofVerdict::proved);
  for (const ImageChange& change : std::vector<ImageChange>{
           {"i*n2 + x", "i*n2 + (n2 - 1 - x)"},
           {"i*n2 + x", "i*n2 + (x + 1) mod n2"},
           {"x*n2 + j carrying", "(n1 - 1 - x)*n2 + j carrying"},
           {"in 0..n2-1 in turn", "in n2-1 downto 0 in turn"},
           {"relabel x -> i*n2 + x: ring(n2)", "relabel x -> x:\n    relabel x -> i*n2 + x: ring(n2)"},
       }) {
    if (sanitized && change.from != "in 0..n2-1 in turn") continue;  // each takes a minute
    const std::string text = replaced(whole, change.from, change.to);
    CAPTURE(text);
    const std::string wrong = wrong_at(text);
    const ProofVerdict verdict = verdict_of(text);
    CHECK((verdict == ProofVerdict::proved) == wrong.empty());
  }
}

TEST_CASE("a product of two rings with a wrong image, packet or order is refuted") {
  const std::string whole = head + rows + "then " + columns;
  std::vector<std::string> texts = {head + columns + "then " + rows};
  for (const ImageChange& change : std::vector<ImageChange>{
           {"i*n2 + x", "x*n1 + i"},
           {"i*n2 + x", "i*n2 + x + 1"},
           {"i*n2 + x", "i*n2 + x/2"},
           {"i*n2 + x", "i*n2"},
           {"x*n2 + j carrying", "x*n1 + j carrying"},
           {" carrying y -> y*n2 + r", ""},
           {"y*n2 + r", "y*n2 + j"},
           {"y*n2 + r", "y*n2 + (r + 1) mod (n2 + 1)"},
           {"y*n2 + r", "(y*n2 + r + n1/4) mod n"},
           {"in 0..n2-1 in turn", "in 1..n2-1 in turn"},
           {"in turn", ""},
       }) {
    texts.push_back(replaced(whole, change.from, change.to));
  }
  for (std::size_t i = 0; i < texts.size(); i += sanitized ? 6 : brief ? 3 : 1) {  // an order, packets, an image
    const std::string& text = texts[i];
    CAPTURE(text);
    const std::string wrong = wrong_at(text);
    CHECK(wrong != "");
    CHECK(verdict_of(text) != ProofVerdict::proved);
    CHECK(proof_of(text).verdict == ProofVerdict::refuted);
  }
}

// A line along which one part brings what the next one sends on.
std::string along_a_line(const std::string& body) {
  return "param N in 3..9\nfabric line(N)\ncollective broadcast(root: 0)\n" + body;
}

void check_line(const std::string& body, bool proved) {
  const std::string text = along_a_line(body);
  CAPTURE(text);
  const auto schedule = compiled(text);
  bool right = true;
  for (int n = 3; n <= 9; ++n) right = right && holds(schedule, {{"N", std::to_string(n)}});
  CHECK(right == proved);
  CHECK((verdict_of(text) == ProofVerdict::proved) == proved);
}

TEST_CASE("what one part or turn has brought, a later one sends on, and no earlier one") {
  check_line("send 0 -> 1\nthen for t in 1..N-2 in turn: send t -> t + 1\n", true);
  check_line("for t in 1..N-2 in turn: send t -> t + 1\nthen send 0 -> 1\n", false);
  check_line("send 0 -> 1\nthen for t in N-2 downto 1 in turn: send t -> t + 1\n", false);
  check_line("for t in N-2 downto 0 in turn: send N-2-t -> N-1-t\n", true);
  check_line("for t in 0..N-2 in turn: send N-2-t -> N-1-t\n", false);
  check_line("for t in 0..N-2: send t -> t + 1\n", false);
  check_line("for t in 0..N-2: at t + 1: send t -> t + 1\n", true);
  check_line("for t in 0..N-2: at (if t == 1 then 1 else t + 1): send t -> t + 1\n", false);
}

TEST_CASE("relabelled sends are sent in rounds, and to many, as they are to one") {
  const std::string complete = "param N in 3..9\nfabric complete(N, timing: rounds)\ncollective scatter(root: 2)\n";
  const auto verdict = [&](const std::string& body) { return verdict_of(complete + body); };
  const std::string set = "relabel x -> (x + 2) mod n: for d in 1..n-1: at d: send 0 -> d carrying 0 -> {d..d}\n";
  CHECK(verdict(set) == ProofVerdict::proved);
  CHECK(verdict("relabel x -> (x + 1) mod n: for d in 1..n-1: at d: send 0 -> d\n") == ProofVerdict::refuted);
  const std::string everyone = "param N in 3..9\nfabric complete(N, timing: rounds)\ncollective broadcast(root: 2)\n";
  CHECK(verdict_of(everyone + "relabel x -> (x + 2) mod n: send 0 -> all\n") == ProofVerdict::proved);
  CHECK(verdict_of(everyone + "relabel x -> if x == 0 then 2 else 3: send 0 -> all\n") != ProofVerdict::proved);
}

}  // namespace
}  // namespace quadrille::tests
