// What readers of machines refuse, with its place; and what they put up with.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "model/fabric_notation.h"
#include "model/topologies/graph.h"
#include "tests/machines/read_machine.h"

namespace quadrille {
namespace {

using tests::machine_of;
using tests::machine_sample;

// The first message; empty if there is none.
std::string refusal(const std::string& kind, const std::string& text) {
  const auto fabric = machine_of(kind, text);
  return fabric ? "" : fabric.diagnostics().front().message;
}

TEST_CASE("a matrix of nvidia-smi that is not whole is refused with its place") {
  const std::string head = "\tGPU0\tGPU1\tCPU Affinity\n";
  CHECK(refusal("smi", head + "GPU0\t X \tNV2\t0-3\nGPU1\tNV2\t X \t0-3\n").empty());
  CHECK(refusal("smi", "") == "file.x: no line with GPU0, GPU1, … begins a matrix; expected `nvidia-smi topo -m`");
  CHECK(refusal("smi", head + "GPU0\t X \tNV2\t0-3\n") == "file.x: the matrix has 1 lines of GPUs; expected 2");
  CHECK(refusal("smi", head + "GPU0\t X \n") ==
        "file.x:2:1: the line of GPU0 has 1 cells; expected one for each of 2 devices");
  CHECK(refusal("smi", head + "GPU0\t X \tNV0\n") ==
        "file.x:2:10: `NV0` is no way in which GPUs meet; expected X, NV#, PIX, PXB, PHB, NODE, SYS");
  CHECK(refusal("smi", head + "GPU0\t X \tNV18446744073709551617\n").find("no way in which") != std::string::npos);
  CHECK(refusal("smi", head + "GPU0\tSYS\t X \n") == "file.x:2:6: a device meets itself in `X`, and no other one");
  CHECK(refusal("smi", head + "GPU0\t X \tNV2\nGPU0\t X \tNV2\n") == "file.x:3:1: GPU0 has two lines");
  CHECK(refusal("smi", head + "GPU2\t X \tNV2\n") == "file.x:2:1: GPU2 has a line, but no column");
  CHECK(refusal("smi", "\tGPU0\tGPU0\n") == "file.x:1:7: GPU0 has two columns");
  CHECK(refusal("smi", head + "GPU0\t X \tNV2\nGPU1\tNV1\t X \n") ==
        "file.x: GPU1 meets GPU0 otherwise than GPU0 meets GPU1");
  CHECK(refusal("smi,host=maybe", head + "GPU0\t X \tNV2\nGPU1\tNV2\t X \n").find("host") != std::string::npos);
}

TEST_CASE("a number that no computer holds is refused in JSON, too") {
  CHECK(refusal("sccl", R"({"links":[[0,1],[1E999,0]]})") == "file.x: a number is too large");
}

TEST_CASE("the matrix is read with blanks for tabs, with colours, cards and a legend") {
  CHECK(refusal("smi",
                "\x1b[4m\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\nGPU0\t X \tSYS\tPIX\t0-3\t0\n"
                "GPU1\tSYS\t X \tSYS\t4-7\t1\nNIC0\tPIX\tSYS\t X \n\nLegend:\n\n  X    = Self\n")
            .empty());
  CHECK(refusal("smi", "      GPU0 GPU1  CPU Affinity\r\nGPU0   X   NV4   0-3\r\nGPU1  NV4   X    0-3\r\n").empty());
}

TEST_CASE("GPUs meet in the host at the level that the matrix says") {
  const auto fabric = machine_of("smi",
                                 "\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\t X \tPIX\tNODE\tSYS\nGPU1\tPIX\t X \tNODE\tSYS\n"
                                 "GPU2\tNODE\tNODE\t X \tSYS\nGPU3\tSYS\tSYS\tSYS\t X \n");
  REQUIRE(fabric.ok());
  CHECK(fabric->nodes() == 7);
  for (const auto& [from, to] : {std::pair("0", "pci_bridge"),
                                 {"pci_bridge", "numa_node"},
                                 {"2", "numa_node"},
                                 {"numa_node", "host"},
                                 {"host", "3"}}) {
    CHECK(fabric->channel_between(fabric->node_named(from).value(), fabric->node_named(to).value()));
  }
}

TEST_CASE("a topology file of NCCL that is not whole is refused with its place") {
  const auto system = [](const std::string& inside) {
    return "<system version=\"1\"><cpu numaid=\"0\">" + inside + "</cpu></system>";
  };
  const std::string gpu = R"(<pci busid="1" class="0x030200"><gpu dev="0" rank="0"/></pci>)";
  CHECK(refusal("nccl", system(gpu)).empty());
  CHECK(refusal("nccl", "").starts_with("file.x:1:1: this is no XML: "));
  CHECK(refusal("nccl", "<a><b></a>").starts_with("file.x:1:9: this is no XML: mismatched tag"));
  CHECK(refusal("nccl", "<graphs/>") == "file.x:1:1: <graphs> is the root; expected <system>");
  CHECK(refusal("nccl", system("")) == "file.x: no GPU is in the file");
  CHECK(refusal("nccl", system(gpu + R"(<pci busid="2" class="0x030200"><gpu dev="1" rank="0"/></pci>)"))
            .ends_with("two GPUs have rank 0"));
  CHECK(refusal("nccl", system(gpu + R"(<pci busid="1" class="0x030200"><gpu dev="1" rank="1"/></pci>)"))
            .ends_with("two GPUs have the busid 1"));
  CHECK(refusal("nccl", system(R"(<pci class="0x030200"><gpu/></pci>)")).ends_with("a GPU without a busid"));
  // What is there and is no number is not passed over; -1 is NCCL's word for nothing.
  for (const std::string bad : {R"(rank="1x")", R"(dev="one")", R"(rank="-2")"}) {
    CAPTURE(bad);
    CHECK(refusal("nccl", system(R"(<pci busid="1" class="0x030200"><gpu )" + bad + "/></pci>"))
              .ends_with(bad + ": expected a whole number"));
  }
  CHECK(refusal("nccl", system(R"(<pci busid="1" class="0x030200"><gpu rank="-1" dev="0"/></pci>)")).empty());
  CHECK(refusal(
            "nccl",
            system(R"(<pci busid="1" class="0x030200"><gpu sm="x"><nvlink tclass="0x068000" count="1"/></gpu></pci>)"))
            .ends_with(R"(sm="x": expected a whole number)"));
  for (const char* count : {"", "0", "-1", "1.5", "99999999999999999999"}) {
    CHECK(refusal("nccl",
                  system(fmt::format(
                      R"(<pci busid="1" class="0x03"><gpu><nvlink tclass="0x068000" count="{}"/></gpu></pci>)", count)))
              .ends_with("a link needs its `count`, a whole number from 1 to 1000000"));
  }
  CHECK(refusal("nccl", system(R"(<pci busid="1" class="0x03"><gpu><nvlink tclass="0x060400" count="1"/></gpu></pci>)"))
            .ends_with("`0x060400` is not the class of what a link leads to"));
}

TEST_CASE("links between two GPUs are told by both, alike") {
  const auto gpu = [](int bus, int target, int count) {
    return fmt::format(
        R"(<pci busid="{0}" class="0x03"><gpu dev="{0}"><nvlink target="{1}" tclass="0x0302" count="{2}"/>)"
        "</gpu></pci>",
        bus, target, count);
  };
  const auto system = [](const std::string& gpus) { return "<system><cpu>" + gpus + "</cpu></system>"; };
  CHECK(refusal("nccl", system(gpu(1, 2, 4) + gpu(2, 1, 4))).empty());
  CHECK(refusal("nccl", system(gpu(1, 2, 4) + gpu(2, 1, 2))).ends_with("4 lanes lead to this GPU, and 2 back from it"));
  CHECK(refusal("nccl", system(gpu(1, 2, 4) + gpu(2, 3, 4))).ends_with("4 lanes lead to this GPU, and 0 back from it"));
}

TEST_CASE("XML that would grow, or is too deep, is refused") {
  CHECK(refusal("nccl", "<!DOCTYPE system [<!ENTITY a \"b\">]><system>&a;</system>")
            .ends_with("a document type is not read"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<pci>";
  CHECK(refusal("nccl", deep).ends_with("elements are more than 64 deep"));
}

TEST_CASE("a network of ibnetdiscover that is not whole is refused with its place") {
  const std::string leaf = "Switch 4 \"S-1\" # \"leaf\"\n[1] \"H-1\"[1](9) # \"node1\" lid 0 4xEDR\n";
  const std::string node = "Ca 1 \"H-1\" # \"node1\"\n[1](9) \"S-1\"[1] # lid 0 lmc 0 \"leaf\" lid 0 4xEDR\n";
  CHECK(refusal("ib", leaf + node).empty());
  CHECK(refusal("ib", node + leaf).empty());
  CHECK(refusal("ib", "") == "file.x: no adapter (`Ca …`) is in the file");
  CHECK(refusal("ib", "[1] \"H-1\"[1]\n") == "file.x:1:1: a cable outside of a block; expected `Switch …` or `Ca …`");
  CHECK(
      refusal("ib", leaf + "\nHub 2 \"H-2\"\n[2] \"S-1\"[2]\n").starts_with("file.x:5:1: a cable outside of a block"));
  CHECK(refusal("ib", "Switch 4 S-1\n").starts_with("file.x:1:1: a block without its GUID"));
  CHECK(refusal("ib", leaf + leaf).starts_with("file.x:3:1: a second block of S-1"));
  CHECK(refusal("ib", leaf + "[1] \"H-2\"[1]\n") == "file.x:3:1: port 1 of S-1 has two cables");
  CHECK(refusal("ib", leaf + "[2] \"S-1\"[2]\n") == "file.x:3:1: a cable from a port to itself");
  for (const char* cable : {"[x] \"H-2\"[1]", "[2]", "[2] \"H-2\"", "[2] \"H-2", "[99999999999] \"H-2\"[1]"}) {
    CHECK(refusal("ib", leaf + cable + "\n") == "file.x:3:1: a cable is `[port] \"peer\"[port]`");
  }
}

TEST_CASE("each cable of a network is told by both its ends, alike") {
  const std::string leaf = "Switch 4 \"S-1\" # \"leaf\"\n[1] \"H-1\"[1](9) # \"node1\" lid 0 4xEDR\n";
  const std::string node = "Ca 1 \"H-1\" # \"node1\"\n[1](9) \"S-1\"[1] # lid 0 lmc 0 \"leaf\" lid 0 4x";
  CHECK(refusal("ib", leaf) == "file.x:2:1: H-1 has no block: the file is not whole");
  CHECK(refusal("ib", leaf + "[2] \"S-2\"[2]\n" + node + "EDR\n") ==
        "file.x:3:1: S-2 has no block: the file is not whole");
  CHECK(refusal("ib", leaf + "Ca 1 \"H-1\"\n") ==
        "file.x:2:1: the block of H-1 does not tell of this cable, at its port 1: the file is not whole");
  CHECK(refusal("ib", leaf + "[2] \"H-1\"[1]\n" + node + "EDR\n") ==
        "file.x:3:1: port 1 of H-1 leads to port 1 of S-1 in its own block");
  CHECK(refusal("ib", leaf + node + "ED\n") ==
        "file.x:4:1: the rate is `4xED` here, and `4xEDR` where port 1 of S-1 tells of this cable");
  CHECK(refusal("ib", leaf + "Ca 1 \"H-1\"\n[1](9) \"S-1\"[1]\n") ==
        "file.x:4:1: the rate is not told here, and `4xEDR` where port 1 of S-1 tells of this cable");
  CHECK(refusal("ib", leaf + node + "???\n").empty());  // an end that does not know
}

TEST_CASE("a line of a network with the next one on it is refused where that begins") {
  const std::string leaf = "Switch 4 \"leaf\"\n[1] \"node1\"[1]\n[2] \"node2\"[1]";
  const std::string nodes = "\n\nHca 1 \"node1\"\n[1] \"leaf\"[1]\n\nHca 1 \"node2\"\n[1] \"leaf\"[2]\n";
  CHECK(refusal("ib", leaf + nodes).empty());
  CHECK(refusal("ib", leaf + " w=4" + nodes).empty());
  CHECK(refusal("ib", leaf + nodes + "\nHca 2 \"node3\"\"[1] \"leaf\"[3]\n") ==
        "file.x:11:14: `\"[1] \"leaf\"[3]` follows; expected the line's end, or `# …`");
  CHECK(refusal("ib", leaf + "[3] \"node3\"[1]" + nodes) ==
        "file.x:3:15: `[3] \"node3\"[1]` follows; expected the line's end, or `# …`");
  CHECK(refusal("ib", leaf + " # \"node2\" lid 0 4xEDR[3] \"node3\"[1]" + nodes).starts_with("file.x:3:41: "));
  CHECK(
      refusal("ib", leaf + " # \"node2\" lid 0 4xEDR and more" + nodes).starts_with("file.x:3:38: `and more` follows"));
}

TEST_CASE("nodes of the same name are told apart, and odd names are made fit") {
  const auto fabric =
      machine_of("ib",
                 "Switch 4 \"S-1\" # \"leaf a\"\n[1] \"H-1\"[1]\n[2] \"S-2\"[2]\n"
                 "Switch 4 \"S-2\" # \"leaf a\"\n[1] \"H-2\"[1]\n[2] \"S-1\"[2]\n"
                 "Switch 4 \"S-3\" # \"7\"\nCa 1 \"H-1\"\n[1] \"S-1\"[1]\nCa 1 \"H-2\"\n[1] \"S-2\"[1]\n");
  REQUIRE(fabric.ok());
  for (const char* name : {"leaf.a", "leaf.a_2", "switch7"}) CHECK_MESSAGE(fabric->node_named(name), name);
}

TEST_CASE("a cable that is said to have no lanes, or a rate that nobody knows, has no known bandwidth, and a note") {
  for (const char* speed : {"0xEDR", "00xEDR", "4xABC", "xEDR", "4x", "123xEDR"}) {
    const auto fabric =
        machine_of("ib", fmt::format("Switch 4 \"S-1\" # \"leaf\"\n[1] \"H-1\"[1](9) # \"node1\" lid 0 {}\n"
                                     "Ca 1 \"H-1\"\n[1](9) \"S-1\"[1] # lid 0 lmc 0 \"leaf\" lid 0 {}\n",
                                     speed, speed));
    CAPTURE(speed);
    REQUIRE(fabric.ok());
    CHECK(fabric->link_speeds().empty());
    CHECK(dynamic_cast<const Graph&>(fabric->topology()).note.starts_with("ib:file.x says no bandwidths"));
    CHECK(parse_fabric({"again", fabric->notation()}, 0).ok());
  }
}

TEST_CASE("a topology of SCCL that is none, or no tree, is refused by its place") {
  CHECK(refusal("sccl", R"({"links":[[0,1],[2,0]]})").empty());
  CHECK(refusal("sccl", "{\"links\":[") == "file.x:1:11: this is no JSON");
  CHECK(refusal("sccl", "[]") == "file.x: this is no JSON object with `links`");
  CHECK(refusal("sccl", "{}") == "file.x: /links is no list of lists");
  CHECK(refusal("sccl", R"({"links":[[0,1],[1]]})") == "file.x: /links/1 is no list of 2 numbers");
  CHECK(refusal("sccl", R"({"links":[[0,-1],[1,0]]})") == "file.x: /links/0/1 is no whole number up to 1000000000");
  const auto with = [](const std::string& switches) {
    return R"({"links":[[0,9,9],[9,0,9],[9,9,0]],"switches":)" + switches + "}";
  };
  const std::string star =
      R"([[0],[1,2],1,"a"],[[1,2],[0],1,"b"],[[1],[0,2],1,"c"],[[0,2],[1],1,"d"],[[2],[0,1],1,"e"],[[0,1],[2],1,"f"])";
  CHECK(refusal("sccl", with("[" + star + "]")).empty());
  CHECK(refusal("sccl", with("7")) == "file.x: /switches is no list");
  CHECK(refusal("sccl", with("[[[0],[1],1,\"a\"]]"))
            .ends_with("/switches/0 is no cut: what is not in the first list must be in the second"));
  CHECK(refusal("sccl", with("[[[0],[1,2],0,\"a\"]]")) == "file.x: /switches/0 has no bandwidth");
  CHECK(refusal("sccl", with("[[[0],[1,3],1,\"a\"]]")).ends_with("names processor 3, which is not there or twice"));
  CHECK(refusal("sccl", with("[[[0],[1,2],1]]")) == "file.x: /switches/0 is not [from, to, bandwidth, name]");
  CHECK(refusal("sccl", with(R"([[[0],[1,2],9,"a"]])"))
            .ends_with("narrower than the switches on its way: this is no tree"));
  CHECK(refusal("sccl", R"({"links":[[0,9],[9,0]],"switches":[[[0],[1],1,"a"]]})").find("narrower") !=
        std::string::npos);
  const std::string crossing = R"({"links":[[0,1,1,1],[1,0,1,1],[1,1,0,1],[1,1,1,0]],"switches":[)";
  std::string cuts;
  for (const char* side : {"[0],[1,2,3]", "[1],[0,2,3]", "[2],[0,1,3]", "[3],[0,1,2]", "[0,1],[2,3]", "[1,2],[0,3]"}) {
    const std::string text = side;
    const std::size_t comma = text.find("],[") + 1;
    cuts += fmt::format("[{},1,\"\"],[{},{},1,\"\"],", text, text.substr(comma + 1), text.substr(0, comma));
  }
  cuts.pop_back();
  CHECK(refusal("sccl", crossing + cuts + "]}").starts_with("file.x: no tree has the cuts of both"));
}

TEST_CASE("a sample that is cut off is the same machine, or is refused") {
  for (const auto& [kind, name] : {std::pair("smi,host=yes", "dgx1_topo_m.txt"),
                                   {"nccl,host=yes", "ndv4-topo.xml"},
                                   {"ib", "ibnetdiscover.txt"},
                                   {"ib", "ibsim.net"},
                                   {"sccl", "sccl_tree8.json"}}) {
    const std::string whole = machine_sample(name);
    const auto fabric = machine_of(kind, whole);
    REQUIRE(fabric.ok());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto part = machine_of(kind, whole.substr(0, size));
      CHECK_MESSAGE((!part.ok() || *part == *fabric), name << " cut at byte " << size);
    }
  }
}

}  // namespace
}  // namespace quadrille
