// Sizes checked one by one, as JSON; `"proof": false` says that this is none.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "compiler/ir.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::SizesOutcome& outcome, const Sources&) {
  Json json{{"verdict", to_string(outcome.verdict)},
            {"reason", reason_json(outcome.reason)},
            {"proof", false},
            {"schedule", outcome.schedule->name},
            {"sizes", Json::array()}};
  for (const driver::CheckedSize& size : outcome.checked) {
    json["sizes"].push_back({{"arguments", size.arguments},
                             {"verdict", to_string(size.result.verdict)},
                             {"reason", reason_json(size.result.reason)},
                             {"steps", size.result.steps},
                             {"rows", size.result.rows},
                             {"why", why_text(size.result)}});
  }
  return json_text(json);
}

}  // namespace quadrille::cli
