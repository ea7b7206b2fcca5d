// What is wrong with the input, as JSON, so that a reader of --json always gets an object.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered_errors(AsJson, const Diagnostics& diagnostics, const Sources& sources, int status) {
  return json_text({{"error", diagnostics_json(diagnostics, sources)}, {"status", status}});
}

}  // namespace quadrille::cli
