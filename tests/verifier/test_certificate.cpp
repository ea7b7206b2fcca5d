// Certificates: reading them, prices, and proofs of small formulas.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/reference/random_tables.h"
#include "verifier/certificate.h"
#include "verifier/certificate/clauses.h"
#include "verifier/certificate/proof_text.h"

namespace quadrille::tests {
namespace {

// --- reading ----------------------------------------------------------------------------------------------------

const std::string star_head =
    "quadrille certificate 1\nfabric star:4\ncollective allgather\nsteps 3\ninject many\nevidence prices\n";

// The one fault of a text, as a person sees it: "line:column: message"; all of them, if there are more.
std::string fault(const std::string& text) {
  const Source source{"certificate.txt", text};
  const Result<Certificate> certificate = read_certificate(source, 0);
  if (certificate) return "none";
  std::string faults;
  for (const Diagnostic& each : certificate.diagnostics()) {
    const Position at = position_of(text, each.span.begin);
    faults += fmt::format("{}{}:{}: {}", faults.empty() ? "" : "\n", at.line, at.column, each.message);
  }
  return faults;
}

TEST_CASE("a certificate is read, comments and all") {
  const std::string text =
      "quadrille certificate 1\n# a comment\nfabric line:3,duplex=half,ports=single\r\ncollective broadcast\nsteps 7\n"
      "inject once\nphases 2\n\nevidence prices\nprice channel 1->0 2: 5 0 1\n  price link 0->1 1:\nprice out 2 7: 4\n"
      "price in 1 1: 1\nprice port 0 1: 4611686018427387904\n";
  const auto certificate = read_certificate({"", text}, 0);
  REQUIRE(certificate);
  CHECK(certificate->fabric.notation() == "line:3,duplex=half,ports=single");
  CHECK(certificate->steps == 7);
  CHECK(certificate->inject_once);
  CHECK(certificate->phases == 2U);
  const auto& prices = std::get<std::vector<Price>>(certificate->evidence);
  REQUIRE(prices.size() == 5);
  CHECK(prices[0].resource == Price::Resource::channel);
  CHECK(prices[0].number == 1);
  CHECK(prices[0].first_step == 2);
  CHECK(prices[0].prices == std::vector<std::uint64_t>{5, 0, 1});
  CHECK(prices[1].prices.empty());
  CHECK(prices[2].resource == Price::Resource::out);
  CHECK(prices[2].number == 2);
  CHECK(prices[4].prices.front() == std::uint64_t{1} << 62);
  CHECK(claim_text(*certificate) ==
        "no schedule of broadcast:root=0 on line:3,duplex=half,ports=single has 7 steps or fewer");  // prices: of all
}

TEST_CASE("a proof and its formula are named") {
  const auto certificate =
      read_certificate({"",
                        "quadrille certificate 1\nfabric ring:4\ncollective allgather\nsteps 1\ninject many\n"
                        "formula the formula.cnf\nevidence proof sub/proof.drat"},
                       0);
  REQUIRE(certificate);
  const auto& proof = std::get<ProofFile>(certificate->evidence);
  CHECK(proof.path == "sub/proof.drat");
  CHECK(proof.formula == "the formula.cnf");
  CHECK(proof.about == ProofFile::About::copies);
}

TEST_CASE("every fault has its place and says what was expected") {
  CHECK(fault(star_head) == "none");
  CHECK(fault("") == "1:1: this is not a certificate: the first line of one is `quadrille certificate 1`");
  CHECK(fault("quadrille certificate 2\n") == "1:1: quadrille certificate 2; this program reads version 1");
  CHECK(fault("quadrille certificate 1\n") ==
        "2:1: a line `fabric NOTATION` is missing\n2:1: a line `steps T` is missing\n"
        "2:1: a line `inject many` is missing\n2:1: a line `evidence prices` or `evidence proof FILE` is missing");
  CHECK(fault(star_head + "prize 3\n") == "7:1: unknown line `prize`; did you mean `price`?");
  CHECK(fault(star_head + "steps 4\n") == "7:1: a second line `steps`");
  CHECK(fault(star_head + "phases 4\n") == "7:8: 4 is too large a number; expected the number of phases from 1 to 3");
  CHECK(fault(star_head + "phases 0\n") == "7:8: 0 is too small; expected the number of phases from 1 to 3");
  CHECK(fault(star_head + "formula x\n") == "7:9: a line `formula` belongs to `evidence proof` only");
  CHECK(fault(star_head + "price chanel 0->1.0 1: 1\n") == "7:7: unknown resource `chanel`; did you mean `channel`?");
  CHECK(fault(star_head + "price channel 0->1.9 1: 1\n") == "7:18: the fabric has no node `1.9`; did you mean `1.0`?");
  CHECK(fault(star_head + "price channel 0->1 1: 1\n") == "7:15: the fabric has no channel from 0 to 1");
  CHECK(fault(star_head + "price channel 0 1: 1\n") == "7:15: `0` is no channel; expected FROM->TO");
  CHECK(fault(star_head + "price link 0->1.0 1: 1\n") == "7:7: a link is a resource with `duplex=half` only");
  CHECK(fault(star_head + "price in 0 1: 1\n") == "7:7: `in` is a resource with `ports=single` only");
  CHECK(fault(star_head + "price port 0 1: 1\n") ==
        "7:7: `port` is a resource with `ports=single` and `duplex=half` only");
  CHECK(fault(star_head + "price channel 0->1.0 0: 1\n") ==
        "7:22: 0 is too small; expected the first step from 1 to 3");
  CHECK(fault(star_head + "price channel 0->1.0 2: 1 1 1\n") == "7:29: a price for step 4; there are 3");
  CHECK(fault(star_head + "price channel 0->1.0 2 1\n") ==
        "7:7: expected `price RESOURCE FIRST: PRICE …`, such as `price channel 0->1.0 1: 3 2 1 0`");
  CHECK(fault(star_head + "price channel 0->1.0 1: 1\nprice channel 0->1.0 2: 1\n") ==
        "8:7: a second line for channel 0->1.0");
  CHECK(fault(star_head + "price channel 0->1.0 1: 4611686018427387905\n") ==
        "7:25: 4611686018427387905 is too large a number; expected a price from 0 to 4611686018427387904");
  CHECK(fault(star_head + "price channel 0->1.0 1: 99999999999999999999\n") ==
        "7:25: 99999999999999999999 is too large a number; expected a price from 0 to 4611686018427387904");
  CHECK(fault(star_head + "price channel 0->1.0 1: -1\n") == "7:25: `-1` is not a whole number; expected a price");
}

TEST_CASE("the head is looked at closely, too") {
  const auto with = [](std::string fabric, std::string collective, std::string rest) {
    return fault(fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\n{}", fabric, collective, rest));
  };
  const std::string rest = "steps 3\ninject many\nevidence prices\n";
  CHECK(with("rign:4", "allgather", rest) == "2:8: unknown fabric `rign`; did you mean `ring`?");
  CHECK(with("ring:4", "allgahter", rest) == "3:12: unknown collective `allgahter`; did you mean `allgather`?");
  CHECK(with("graph:machine.json", "allgather", rest) ==
        "2:14: cannot read `machine.json`: a graph must stand here in full");
  CHECK(with("ring:4", "allgather", "steps -1\ninject many\nevidence prices\n") ==
        "4:7: `-1` is not a whole number; expected the number of steps");
  CHECK(with("ring:4", "allgather", "steps 3\ninject twice\nevidence prices\n") ==
        "5:8: `inject twice`; expected `inject many` or `inject once`");
  CHECK(with("ring:4", "allgather", "steps 0\nphases 1\ninject many\nevidence prices\n") ==
        "5:8: there are no phases in 0 steps");
  CHECK(with("ring:4,queue=2", "allgather", rest + "phases 1\n") ==
        "7:8: phases are for fabrics whose queues are not limited");
  CHECK(with("ring:4", "allgather", "steps 0\ninject many\nevidence price\n") ==
        "6:10: unknown evidence `price`; expected `prices`, `groups in`, `doublings` or `proof FILE`; did you mean "
        "`prices`?");
  CHECK(with("ring:4", "allgather", "steps 0\ninject many\nevidence proof\n") ==
        "6:10: the proof's file is not named; expected `evidence proof FILE`");
  CHECK(with("ring:4", "allgather", "steps 0\ninject many\nevidence proof x\nprice channel 0->1 1: 1\n") ==
        "7:7: a line `price` belongs to `evidence prices` only");
  const std::string proof = "steps 0\ninject many\nevidence proof x\n";
  CHECK(with("ring:4", "reduce", proof) ==
        "6:10: reduce combines: expected a line `about words` or `about time_reversed`, too");
  CHECK(with("ring:4", "reduce", proof + "about words\n") == "none");
  CHECK(with("ring:4", "reduce", proof + "about time_reversed\n") == "none");
  CHECK(with("ring:4", "reduce", proof + "about backwards\n") == "none");  // its name before
  CHECK(with("ring:4", "reduce", proof + "about copies\n") == "7:7: `about copies`: reduce is no copying collective");
  CHECK(with("ring:4", "reduce", proof + "about wrods\n") ==
        "7:7: `about wrods`; expected `about copies`, `about words`, `about time_reversed` or `about rounds`; did you "
        "mean `words`?");
  CHECK(with("ring:4", "reduce", proof + "abuot words\n") ==
        "6:10: reduce combines: expected a line `about words` or `about time_reversed`, too\n"
        "7:1: unknown line `abuot`; did you mean `about`?");
  CHECK(with("ring:4", "reduce", proof + "about words\nabout words\n") == "8:1: a second line `about`");
  CHECK(with("ring:4", "broadcast", proof + "about copies\n") == "none");
  CHECK(with("ring:4", "broadcast", proof + "about words\n") ==
        "7:7: `about words`: broadcast is no combining collective");
  CHECK(with("star:4", "reduce", proof + "about time_reversed\n") ==
        "7:7: `about time_reversed`: the fabric has switches that do not reduce");
  CHECK(with("star:4", "reduce", rest + "about words\n") == "7:7: a line `about` belongs to `evidence proof` only");
  CHECK(with("line:2,duplex=half", "allgather", rest + "price link 1->0 1: 1\n") ==
        "7:12: a link is named by its channel with the lower number, 0->1");
  CHECK(with("star:2,ports=single", "allgather", rest + "price out 1.0 1: 1\n") ==
        "7:11: 1.0 is a switch; expected a processor");
}

// --- prices -----------------------------------------------------------------------------------------------------

CertificateReport judged(const std::string& text) {
  const auto certificate = read_certificate({"", text}, 0);
  REQUIRE_MESSAGE(certificate, fault(text));
  return judge(*certificate, {});
}

std::string head(const std::string& fabric, const std::string& collective, std::uint32_t steps) {
  return fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\ninject many\nevidence prices\n",
                     fabric, collective, steps);
}

void check_sums(const CertificateReport& report, CertificateVerdict verdict, std::uint64_t worth, std::uint64_t paid) {
  CHECK(report.verdict == verdict);
  CHECK(report.worth == worth);
  CHECK(report.paid == paid);
}

TEST_CASE("below the distance nothing need have a price") {
  const std::string tree = "fat_tree:levels=3";
  const CertificateReport report = judged(head(tree, "broadcast", 5));
  CHECK(report.verdict == CertificateVerdict::accepted);
  CHECK(report.why == "there is no way from 0 to 4 in 5 steps");
  check_sums(judged(head(tree, "broadcast", 6)), CertificateVerdict::rejected, 0, 0);
  CHECK(judged(head(tree, "reduce:root=7", 5)).verdict == CertificateVerdict::accepted);
  check_sums(judged(head(tree, "reduce:root=7", 6)), CertificateVerdict::rejected, 0, 0);
  CHECK(judged(head("ring:1", "broadcast", 0)).verdict == CertificateVerdict::rejected);
  CHECK(judged(head("ring:2", "broadcast", 0)).verdict == CertificateVerdict::accepted);
}

TEST_CASE("allgather in a star: what processor 0 receives") {
  const std::string text = head("star:4", "allgather", 3);
  check_sums(judged(text + "price channel 1.0->0 2: 1 1\n"), CertificateVerdict::accepted, 2, 3);
  check_sums(judged(text + "price channel 1.0->0 1: 9 1 1\n"), CertificateVerdict::rejected, 11, 3);
  for (const std::string lowered : {"0 1", "1 0", "0 0"}) {
    check_sums(judged(text + "price channel 1.0->0 2: " + lowered + "\n"), CertificateVerdict::rejected,
               lowered == "0 0" ? 0 : 1, 0);
  }
  const std::string longer = head("star:4", "allgather", 4);
  check_sums(judged(longer + "price channel 1.0->0 2: 1 1\n"), CertificateVerdict::rejected, 2, 0);
  check_sums(judged(longer + "price channel 1.0->0 2: 1 1 1\n"), CertificateVerdict::rejected, 3, 3);
  check_sums(judged(head("star:4,capacity=2", "allgather", 3) + "price channel 1.0->0 2: 1 1\n"),
             CertificateVerdict::rejected, 4, 3);
}

// Sending early and receiving late is dear: 7 packets leave in 10 steps and 7 come.
std::string exchange_prices(const std::string& early, std::uint32_t step, const std::string& late) {
  std::string text;
  for (int p = 0; p < 8; ++p) {
    text += fmt::format("price channel {}->1.{} 1: {}\nprice channel 1.{}->{} {}: {}\n", p, p / 2, early, p / 2, p,
                        step, late);
  }
  return text;
}

TEST_CASE("the total exchange on 8 processors takes more than 10 steps") {
  const std::string tree = "fat_tree:levels=3,capacity=exponential";
  const std::string rising = "1 2 3 4 5 6 7";
  const std::string falling = "7 6 5 4 3 2 1";
  // A packet that crosses h levels is received 2h - 1 steps later at the earliest, and pays 5 + 2h - 1: 62 for all that
  // one processor sends, while its two channels are worth 28 each.
  check_sums(judged(head(tree, "total_exchange", 10) + exchange_prices(falling, 4, rising)),
             CertificateVerdict::accepted, 8 * 56, 8 * 62);
  check_sums(judged(head(tree, "total_exchange", 11) + exchange_prices(falling, 5, rising)),
             CertificateVerdict::rejected, 8 * 56, 8 * 55);
  CHECK(judged(head(tree, "total_exchange", 11) + exchange_prices(falling, 4, rising)).verdict ==
        CertificateVerdict::rejected);
  const std::vector<std::string> lowered{"0 6 5 4 3 2 1", "7 0 5 4 3 2 1", "7 6 0 4 3 2 1"};
  for (const std::string& prices : lowered) {
    CHECK(judged(head(tree, "total_exchange", 10) + exchange_prices(prices, 4, rising)).verdict ==
          CertificateVerdict::rejected);
  }
}

TEST_CASE("every resource of a row is paid for") {
  const std::string text = head("line:3,duplex=half,ports=single", "broadcast", 3);
  CHECK(judged(text).paid == 0U);
  const auto paid = [&](const std::string& prices) { return judged(text + prices).paid.value(); };
  CHECK(paid("price channel 0->1 1: 5 4 4\n") == 4);
  CHECK(paid("price channel 1->0 1: 5 4 4\n") == 0);
  CHECK(paid("price link 0->1 1: 5 4 3\n") == 4);  // in step 3 it would be too late
  CHECK(paid("price out 1 1: 2 2 2\n") == 2);
  CHECK(paid("price in 1 1: 2 2 2\n") == 2);
  CHECK(paid("price in 2 1: 2 2 1\n") == 1);
  CHECK(paid("price port 1 1: 2 2 2\n") == 4);
  CHECK(paid("price channel 0->1 1: 1 1 1\nprice link 0->1 1: 10 10 10\nprice out 0 1: 100 100 100\n"
             "price in 1 1: 1000 1000 1000\nprice port 0 1: 10000 10000 10000\n") == 11111);
}

TEST_CASE("a chunk for many pays for the dearest, a value for the dearest contribution") {
  const std::string prices = "price channel 0->1 1: 1 1 1\nprice channel 1->2 1: 1 1 1\n";
  check_sums(judged(head("line:3", "broadcast", 3) + prices), CertificateVerdict::rejected, 6, 2);
  check_sums(judged(head("line:3", "reduce:root=2", 3) + prices), CertificateVerdict::rejected, 6, 2);
  check_sums(judged(head("line:3", "reduce:root=2,parts=4", 3) + prices), CertificateVerdict::accepted, 6, 8);
  // Only what 0 wants from 1 and 2 costs: one value.
  check_sums(judged(head("line:3", "reduce_scatter", 3) + "price channel 1->0 1: 1 1 1\n"),
             CertificateVerdict::rejected, 3, 1);
}

TEST_CASE("each one that wants it pays for a row, and each that contributes to a value for one") {
  const std::string into = "price in 1 1: 1 1 1\nprice in 2 1: 1 1 1\n";
  check_sums(judged(head("line:3,ports=single", "broadcast", 3) + into), CertificateVerdict::rejected, 6, 2);
  check_sums(judged(head("star:3,ports=single", "broadcast:parts=4", 3) + into), CertificateVerdict::accepted, 6, 8);
  check_sums(judged(head("star:3,ports=single", "broadcast", 3) + "price in 2 1: 1 1 0\n"),
             CertificateVerdict::rejected, 2, 0);
  // A row into 1 and one into 2 of the value, whoever contributes to it.
  check_sums(judged(head("star:3,ports=single", "allreduce:parts=4", 3) + into), CertificateVerdict::accepted, 6, 8);
  const std::string out = "price out 1 1: 1 1 1\nprice out 2 1: 1 1 1\n";
  check_sums(judged(head("star:3,ports=single", "reduce:parts=4", 3) + out), CertificateVerdict::accepted, 6, 8);
  check_sums(judged(head("star:3,ports=single", "broadcast:parts=4", 3) + out), CertificateVerdict::rejected, 6, 0);
}

TEST_CASE("a row takes up a pair of processors") {
  const std::string pairs = "price pairs all 1: 1 1 1\n";
  check_sums(judged(head("line:3,duplex=half,ports=single", "allgather", 3) + pairs), CertificateVerdict::accepted, 3,
             6);
  check_sums(judged(head("ring:5,duplex=half,ports=single", "broadcast", 3) + pairs), CertificateVerdict::rejected, 6,
             4);
  for (const std::string fabric : {"line:3,ports=single", "line:3,duplex=half", "star:3,duplex=half,ports=single"}) {
    CAPTURE(fabric);
    CHECK_FALSE(read_certificate({"", head(fabric, "broadcast", 3) + pairs}, 0).ok());
  }
  CHECK_FALSE(
      read_certificate({"", head("line:3,duplex=half,ports=single", "broadcast", 3) + "price pairs 1 1: 1\n"}, 0).ok());
}

TEST_CASE("sums beyond 2^62 are refused") {
  const std::string large = "4611686018427387904";
  CHECK(judged(head("line:2", "broadcast", 1) + "price channel 0->1 1: " + large + "\n").verdict ==
        CertificateVerdict::rejected);
  check_sums(judged(head("line:2", "broadcast:parts=1", 1) + "price channel 0->1 1: " + large + "\n"),
             CertificateVerdict::rejected, std::uint64_t{1} << 62, std::uint64_t{1} << 62);
  const CertificateReport paid =
      judged(head("line:2", "broadcast:parts=2", 1) + "price channel 0->1 1: " + large + "\n");
  CHECK(paid.verdict == CertificateVerdict::rejected);
  CHECK(paid.why == "what must be paid passes 2^62");
  const CertificateReport worth =
      judged(head("line:2,capacity=2", "broadcast", 1) + "price channel 0->1 1: " + large + "\n");
  CHECK(worth.verdict == CertificateVerdict::rejected);
  CHECK(worth.why == "what all resources carry is worth more than 2^62");
}

TEST_CASE("parts are wanted alike: what they pay is counted without listing them") {
  const std::string price = "price channel 0->1 1: 1 1 1\n";
  check_sums(judged(head("line:2", "scatter:root=0,parts=67108864", 3) + price), CertificateVerdict::accepted, 3,
             67108864);
  check_sums(judged(head("line:2", "broadcast:parts=4294967295", 3) + price), CertificateVerdict::accepted, 3,
             4294967295);
  check_sums(judged(head("line:2", "reduce:root=1,parts=67108864", 3) + price), CertificateVerdict::accepted, 3,
             67108864);
  check_sums(judged(head("line:2", "scatter:root=0,parts=3", 3) + price), CertificateVerdict::rejected, 3, 3);
}

TEST_CASE("steps without prices cost no time") {
  const std::string text = head("ring:8", "allgather", 0x7fffffff);
  check_sums(judged(text), CertificateVerdict::rejected, 0, 0);
  check_sums(judged(text + "price channel 0->1 2000000000: 1\n"), CertificateVerdict::rejected, 1, 0);
}

// --- proofs -----------------------------------------------------------------------------------------------------

using Formula = std::vector<std::vector<std::int32_t>>;

// What becomes of a proof: "proved", "line N" that does not follow, "malformed N", "not proved".
std::string outcome(const Formula& formula, const std::string& proof) {
  const Limits limits;
  Work work(limits);
  certificate::Clauses clauses(work);
  for (const auto& clause : formula) clauses.add(clause);
  std::size_t at = 0;
  const ReadBytes read = [&](std::span<char> bytes) -> std::optional<std::size_t> {
    const std::size_t size = proof.copy(bytes.data(), std::min<std::size_t>(bytes.size(), 3), at);
    at += size;
    return size;
  };
  certificate::ProofText text(read, work);
  std::pmr::vector<std::int32_t> literals;
  while (!clauses.contradiction()) {
    switch (text.next(literals)) {
      case certificate::ProofText::Line::lemma:
        if (!clauses.add_lemma(literals)) return fmt::format("line {}", text.line_number());
        break;
      case certificate::ProofText::Line::deletion:
        clauses.remove(literals);
        break;
      case certificate::ProofText::Line::end:
        return "not proved";
      default:
        return fmt::format("malformed {}", text.line_number());
    }
  }
  return "proved";
}

const Formula all_of_two = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}};

TEST_CASE("lemmas follow by unit propagation, or are refused") {
  CHECK(outcome(all_of_two, "1 0\n0\n") == "proved");
  CHECK(outcome(all_of_two, "1 0") == "proved");
  CHECK(outcome(all_of_two, "0\n") == "line 1");
  CHECK(outcome(all_of_two, "") == "not proved");
  CHECK(outcome(all_of_two, "c one\n\n1 2 0\n") == "not proved");
  CHECK(outcome({{1, 2}, {1, -2}, {-1, 2}}, "1 0\n0\n") == "line 2");
  CHECK(outcome({{1, 2}, {1, -2}, {-1, 2}}, "-1 0\n") == "line 1");
  CHECK(outcome({{1}, {-1}}, "") == "proved");
  CHECK(outcome({{}}, "") == "proved");
  CHECK(outcome({{1, 2, 1}, {1, -2}, {-1, -1}}, "") == "proved");
  CHECK(outcome({{1, -1}}, "0\n") == "line 1");
}

TEST_CASE("what the proof deletes is gone, but for what must stay") {
  CHECK(outcome(all_of_two, "d 1 2 0\n1 0\n0\n") == "line 2");
  CHECK(outcome(all_of_two, "d -2 1 0\n1 0\n") == "line 2");
  CHECK(outcome(all_of_two, "d 2 1 0\nd 1 2 0\nd 5 0\nd 0\n2 0\n-1 0\n") == "line 5");
  CHECK(outcome(all_of_two, "1 2 3 0\nd 1 2 3 0\n1 0\n") == "proved");
  CHECK(outcome({{1, 2}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}}, "d 1 2 0\n1 0\n") == "proved");
  // 2 is true because of (1 2): neither the unit clause nor the reason can be deleted.
  CHECK(outcome({{-1}, {1, 2}, {-2, 3, 4}, {-2, 3, -4}, {-2, -3}}, "d -1 0\nd 1 2 0\n3 0\n") == "proved");
}

TEST_CASE("a lemma may have the RAT property on its first literal only") {
  const Formula formula = {{-1, -2}, {-2, 3}};
  CHECK(outcome(formula, "1 2 0\n") == "not proved");      // with -1 -2 it resolves to a tautology
  CHECK(outcome(formula, "2 1 0\n") == "line 1");          // with -2 3 to 1 3, which does not follow
  CHECK(outcome({{1, 2}, {-1, 3}}, "1 0\n") == "line 1");  // 3 does not follow from -1
  CHECK(outcome({{1, 2, 3}}, "-4 1 0\n-4 2 0\n4 -1 -2 0\n") == "not proved");  // defines 4 as 1 and 2
  CHECK(outcome({{1, 2, 3}}, "2000000000 1 0\n-2000000000 2 0\n") == "line 2");
  CHECK(outcome({{1}}, "-1 0\n") == "line 1");
  CHECK(outcome({{1}, {-1, 2}}, "d -1 2 0\n-2 0\n") == "line 2");
}

// n + 1 pigeons in n holes: variable n·p + h + 1.
Formula pigeons(std::int32_t n) {
  Formula formula;
  for (std::int32_t p = 0; p <= n; ++p) {
    formula.emplace_back();
    for (std::int32_t h = 0; h < n; ++h) formula.back().push_back(n * p + h + 1);
    for (std::int32_t q = 0; q < p; ++q) {
      for (std::int32_t h = 0; h < n; ++h) formula.push_back({-(n * p + h + 1), -(n * q + h + 1)});
    }
  }
  return formula;
}

// S. Cook's proof: new variables say that pigeons go to n - 1 holes; each is defined by RAT lemmas, then follows RUP.
std::string pigeon_proof(std::int32_t holes) {
  const auto n = static_cast<std::size_t>(holes);
  std::string text;
  std::int32_t next = (holes + 1) * holes + 1;
  std::vector<std::vector<std::int32_t>> in;  // pigeon, hole -> variable
  for (std::size_t p = 0; p <= n; ++p) {
    in.emplace_back();
    for (std::size_t h = 0; h < n; ++h) in.back().push_back(static_cast<std::int32_t>(n * p + h + 1));
  }
  for (std::size_t k = n; k > 1; --k) {
    auto fewer = in;
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t h = 0; h < k - 1; ++h) {
        // new <-> in[p][h] or (in[p][k-1] and in[k][h])
        const std::int32_t q = fewer[p][h] = next++;
        text += fmt::format("{} -{} 0\n{} -{} -{} 0\n", q, in[p][h], q, in[p][k - 1], in[k][h]);
        text += fmt::format("-{} {} {} 0\n-{} {} {} 0\n", q, in[p][h], in[p][k - 1], q, in[p][h], in[k][h]);
      }
    }
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        for (std::size_t h = 0; h < k - 1; ++h) text += fmt::format("-{} -{} 0\n", fewer[p][h], fewer[q][h]);
      }
      for (std::size_t h = 0; h < k - 1; ++h) text += fmt::format("{} ", fewer[p][h]);
      text += "0\n";
    }
    in = fewer;
  }
  return text + "0\n";
}

TEST_CASE("pigeons do not fit, by extended resolution") {
  for (std::int32_t n = 2; n <= 8; ++n) {
    CAPTURE(n);
    const std::string proof = pigeon_proof(n);
    CHECK(outcome(pigeons(n), proof) == "proved");
    Formula fewer = pigeons(n);
    fewer.erase(fewer.begin());
    CHECK(outcome(fewer, proof).starts_with("line "));
  }
}

// --- the same, slow and obvious

// Whether unit propagation over the formula, with these literals false, leads to a contradiction.
bool contradicts(const Formula& formula, const std::vector<std::int32_t>& falsified) {
  std::set<std::int32_t> no(falsified.begin(), falsified.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::int32_t literal : no) {
      if (no.count(-literal) > 0) return true;
    }
    for (const auto& clause : formula) {
      std::set<std::int32_t> open;
      for (const std::int32_t literal : clause) {
        if (no.count(literal) == 0) open.insert(literal);
      }
      if (open.empty()) return true;
      if (open.size() == 1) changed = no.insert(-*open.begin()).second || changed;
    }
  }
  return false;
}

bool follows(const Formula& formula, const std::vector<std::int32_t>& lemma) {
  if (contradicts(formula, lemma)) return true;
  if (lemma.empty()) return false;
  for (const auto& clause : formula) {
    if (std::find(clause.begin(), clause.end(), -lemma.front()) == clause.end()) continue;
    std::vector<std::int32_t> both = lemma;
    for (const std::int32_t literal : clause) {
      if (literal != -lemma.front()) both.push_back(literal);
    }
    if (!contradicts(formula, both)) return false;
  }
  return true;
}

bool has_solution(const Formula& formula, int variables) {
  for (unsigned values = 0; values < 1U << variables; ++values) {
    const auto holds = [&](std::int32_t literal) {
      return ((values >> (std::abs(literal) - 1) & 1U) != 0) == (literal > 0);
    };
    const auto good = [&](const auto& clause) { return std::any_of(clause.begin(), clause.end(), holds); };
    if (std::all_of(formula.begin(), formula.end(), good)) return true;
  }
  return false;
}

std::vector<std::int32_t> random_clause(reference::Dice& dice, std::uint32_t variables) {
  std::vector<std::int32_t> clause(dice.one_in(40) ? 0 : dice.from_to(1, 3));
  for (std::int32_t& literal : clause) {
    literal = static_cast<std::int32_t>(dice.from_to(1, variables));
    if (dice.one_in(2)) literal = -literal;
  }
  return clause;
}

TEST_CASE("lemmas follow just where they do by the definition, and solvable formulas stay so") {
  constexpr std::uint32_t variables = 5;
  int accepted = 0;
  int refused = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 4000; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const bool deletes = dice.one_in(2);
    Formula formula(dice.from_to(3, 16));
    for (auto& clause : formula) clause = random_clause(dice, variables);
    const Limits limits;
    Work work(limits);
    certificate::Clauses clauses(work);
    for (const auto& clause : formula) clauses.add(clause);
    const bool solvable = has_solution(formula, variables);
    Formula now = formula;
    for (int line = 0; line < 30 && !clauses.contradiction(); ++line) {
      if (deletes && dice.one_in(2)) {
        clauses.remove(dice.pick(now));
        continue;
      }
      const auto lemma = random_clause(dice, variables);
      const bool good = clauses.add_lemma(lemma);
      if (!deletes) REQUIRE(good == follows(now, lemma));
      if (good) now.push_back(lemma);
      ++(good ? accepted : refused);
    }
    if (!deletes) REQUIRE(clauses.contradiction() == contradicts(now, {}));
    if (solvable) REQUIRE(!clauses.contradiction());
  }
  CHECK(accepted > 5000);
  CHECK(refused > 5000);
}

TEST_CASE("many deletions are cleared away, and nothing is lost by that") {
  Formula formula = all_of_two;
  std::string proof;
  for (int i = 0; i < 30'000; ++i) {
    std::string clause = "1 2 ";
    for (int j = 0; j < 60; ++j) clause += fmt::format("{} ", 3 + i % 50 + j);
    proof += clause + "0\nd " + clause + "0\n";
  }
  CHECK(outcome(formula, proof + "2 0\n") == "proved");
  CHECK(outcome({{1, 2}, {1, -2}, {-1, 2}}, proof + "1 0\n0\n") == "line 60002");
}

TEST_CASE("a proof's text is read strictly") {
  CHECK(outcome(all_of_two, "1\n") == "malformed 1");
  CHECK(outcome(all_of_two, "1 2 0 0\n") == "malformed 1");
  CHECK(outcome(all_of_two, "1 2 0\n1 x 0\n") == "malformed 2");
  CHECK(outcome(all_of_two, "a\x03\x00") == "malformed 1");
  CHECK(outcome(all_of_two, "d1 2 0\n") == "malformed 1");
  CHECK(outcome(all_of_two, "-0\n") == "malformed 1");
  CHECK(outcome(all_of_two, "9999999999 0\n") == "malformed 1");
  CHECK(outcome(all_of_two, " d\t1 2 3 0 \r\n1 0\r\n") == "proved");
}

}  // namespace
}  // namespace quadrille::tests
