// What two sides send, compared, as JSON; JSON.md names each key.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

Json missing_json(const std::vector<driver::MissingSend>& missing) {
  Json list = Json::array();
  for (const driver::MissingSend& it : missing) {
    Json step;
    if (it.step) step = *it.step;
    list.push_back({{"from", it.from}, {"to", it.to}, {"content", it.content}, {"step", step}});
  }
  return list;
}

Json flag_json(const std::optional<bool>& same) { return same ? Json(*same) : Json(); }

}  // namespace

std::string rendered(AsJson, const driver::DiffOutcome& outcome, const Sources&) {
  return json_text({{"left", printable(outcome.left)},
                    {"right", printable(outcome.right)},
                    {"same", outcome.same()},
                    {"sends",
                     {{"same", outcome.same_sends()},
                      {"left", outcome.left_sends},
                      {"right", outcome.right_sends},
                      {"common", outcome.common},
                      {"left_only", missing_json(outcome.left_only)},
                      {"right_only", missing_json(outcome.right_only)}}},
                    {"same_order", flag_json(outcome.order)},
                    {"same_steps", flag_json(outcome.steps)},
                    {"same_sums", outcome.sums},
                    {"different_results", outcome.other_sums}});
}

}  // namespace quadrille::cli
