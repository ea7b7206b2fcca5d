// The forms in which a command prints its outcome. A form more is a type here, the option that chooses it, and a
// rendered() for each outcome (render.h): the compiler names those that are missing.
#pragma once

#include <string>
#include <variant>

#include "cli/render/paint.h"

namespace quadrille::cli {

struct AsText {
  bool all = false;  // prove: every obligation is listed; compare: what takes each algorithm's time
  Paint paint = Paint();
  bool explain = false;  // prove: why it is right, in a few lines
};
struct AsJson {};

using Form = std::variant<AsText, AsJson>;

// A page beside the form (page.h).
struct PageRequest {
  std::string file = {};     // where it goes; empty: there is none
  std::string steps = {};    // whose rows are shown one by one, however many the table has: parse_steps; empty: chosen
  std::string command = {};  // that makes the page, as it was given
  bool replay = false;       // of a table that was checked: what replaying it measures is shown, too
};

// What the options ask for.
struct FormRequest {
  bool json = false;
  bool all = false;
  bool explain = false;
  std::string color = "auto";  // paint_for
  PageRequest page = {};
};

inline Form make_form(const FormRequest& request, const driver::Environment& environment) {
  if (request.json) return AsJson{};
  return AsText{request.all, paint_for(Stream::output, request.color, environment), request.explain};
}

}  // namespace quadrille::cli
