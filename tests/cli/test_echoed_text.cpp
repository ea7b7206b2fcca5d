// What commands print of files: no text in a file moves the cursor, changes colours, or begins a line.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.h"
#include "model/text/printable.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli {
namespace {

const std::string table = "# quadrille-table 1\n# fabric: line:2\n# collective: broadcast\n";
const std::string one_row = "step,from,to,lane,origin,target,part\n1,0,1,0,0,*,0\n";

// In JSON and XML codes are written by their escapes, else as they are.
struct Echo {
  const char* what;
  std::string file;
  std::vector<std::string> arguments;
};

std::vector<Echo> echoes() {
  const std::string raw = "\x1b[32mholds\x1b[0m\x9b\xc2\x9b\xe2\x80\xae";
  const std::string json = R"(\u001b[32mholds\nverdict     forged\u202e)";
  return {
      {"table", table + "# schedule: a" + raw + "\n" + one_row, {"check", "f.csv"}},
      {"table replayed", table + "# schedule: a" + raw + "\n" + one_row, {"replay", "f.csv"}},
      {"fabric", "# quadrille-table 1\n# fabric: line" + raw + ":2\n", {"check", "f.csv"}},
      {"word", table + one_row + "1,x" + raw + ",1,0,0,*,0\n", {"check", "f.csv"}},
      {"json table",
       R"({"quadrille_table": 1, "schedule": ")" + json + R"(", "fabric": "line:2", "collective": )" +
           R"("broadcast", "rows": [[1, "0", "1", 0, 0, "*", 0]]})",
       {"check", "f.json"}},
      {"switch",
       R"({"processors": 1, "switches": [")" + json + R"("], "links": [[0, ")" + json + R"("]]})",
       {"bounds", "--on", "f.json", "--collective", "broadcast"}},
      {"graph",
       R"({"name": ")" + json + R"(", "processors": 2, "links": [[0, 1]]})",
       {"bounds", "--on", "f.json", "--collective", "broadcast"}},
      {"key",
       R"({")" + json + R"(": 1, "processors": 2, "links": [[0, 1]]})",
       {"bounds", "--on", "f.json", "--collective", "broadcast"}},
      {"xml",
       "<algo name=\"a&#x9b;32m&#10;verdict     forged\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"1\" "
       "ngpus=\"1\" coll=\"custom&#x9b;32m&#10;verdict     forged\" inplace=\"1\"><gpu id=\"0\" "
       "i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"/></algo>",
       {"check", "f.xml"}},
      {"xml element", "<algo" + raw + "/>", {"check", "f.xml"}},
      {"goal", "num_ranks 1\nrank 0 {\nl" + raw + ": calc 1\nl" + raw + ": calc 1\n}\n", {"check", "f.goal"}},
      {"plan",
       R"({"name": ")" + json + R"(", "collective": ")" + json + R"(", "protocol": ")" + json +
           R"(", "inplace": true, "gpus": []})",
       {"check", "f.json"}},
      {"plan's operation",
       R"({"name": "p", "collective": "", "protocol": "", "inplace": true, "gpus": [{"id": 0, "input_chunks": 1,)"
       R"("output_chunks": 1, "scratch_chunks": 0, "channels": [], "remote_buffers": [], "threadblocks": [{"id": 0,)"
       R"("ops": [{"name": ")" +
           json + R"("}]}]}]})",
       {"check", "f.json"}},
      {"other json", R"({")" + json + R"(": 1})", {"check", "f.json"}},
      {"sccl",
       R"({"msccl_type":"algorithm", "name":")" + json + R"(", "topology":{"name":")" + json +
           R"(","links":[[0,1],[1,0]],"switches":[]}, "collective":{"name":")" + json + R"("}})",
       {"check", "f.json"}},
      {"schedule", "fabric line(2)\ncollective broadcast" + raw + "\n", {"check", "f.qd"}},
      {"certificate",
       "quadrille certificate 1\nfabric line:2\ncollective broadcast\nsteps 1\ninject many\nevidence proof " + raw +
           "\n",
       {"certify", "f.txt"}},
      {"certificate's line", "quadrille certificate 1\nfabric line:2" + raw + "\n", {"certify", "f.txt"}},
  };
}

bool fit_to_show(std::string text) {
  std::erase(text, '\n');
  return unprintable_at(text) == text.size();
}

TEST_CASE("no text of a file's is printed so that it does more than show") {
  for (const Echo& echo : echoes()) {
    for (const bool as_json : {false, true}) {
      CAPTURE(echo.what);
      CAPTURE(as_json);
      driver::MemoryEnvironment environment;
      std::vector<std::string> words = echo.arguments;
      for (const std::string& word : words) {
        if (word.starts_with("f.")) environment.files[word] = echo.file;
      }
      if (as_json) words.emplace_back("--json");
      run(words, environment);
      CHECK(environment.output.find('\x1b') == std::string::npos);
      CHECK(environment.output.find("\nverdict     forged") == std::string::npos);
      CHECK(environment.errors.find("\nverdict     forged") == std::string::npos);
      CHECK(fit_to_show(environment.output));
      if (as_json) CHECK(nlohmann::json::accept(environment.output));
      CHECK(fit_to_show(environment.errors));
      CHECK_FALSE((environment.output + environment.errors).empty());
    }
  }
}

TEST_CASE("colours of our own stay, others are written out") {
  driver::MemoryEnvironment environment;
  environment.files["f.csv"] = table + "# schedule: \x1b[32ma\x1b]0;title\x07\n" + one_row;
  run(std::vector<std::string>{"check", "f.csv", "--color", "always"}, environment);
  CHECK(environment.output.find("\x1b[") != std::string::npos);
  CHECK(environment.output.find("\\x1b[32ma\\x1b]0;title\\x07") != std::string::npos);
}

}  // namespace
}  // namespace quadrille::cli
