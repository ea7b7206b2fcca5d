// What programs call their actions and buffers.
#include "export/program.h"

namespace quadrille::exporting {

std::string_view to_string(Action action) {
  switch (action) {
    case Action::send:
      return "send";
    case Action::store:
      return "store";
    case Action::combine:
      return "combine";
    case Action::combine_before:
      return "combine_before";
    case Action::combine_after:
      return "combine_after";
    case Action::keep:
      return "keep";
    case Action::copy:
      return "copy";
    case Action::append:
      return "append";
    case Action::discard:
      break;
  }
  return "discard";
}

std::string_view to_string(Buffer buffer) {
  switch (buffer) {
    case Buffer::none:
      return "";
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::values:
      return "values";
    case Buffer::kept:
      return "kept";
    case Buffer::scratch:
      break;
  }
  return "scratch";
}

}  // namespace quadrille::exporting
