// The result of reading a file: its text, or the reason why there is none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "model/text/diagnostic.h"

namespace quadrille {

struct FileText {
  FileText(std::string whole) : text(std::move(whole)) {}
  FileText(std::optional<std::string> whole) : text(std::move(whole)) {}
  FileText(std::nullopt_t) {}
  FileText(std::nullopt_t, std::string because_of, Reason limit = Reason::none)
      : why(std::move(because_of)), reason(limit) {}

  // The text after "cannot read x": ": No such file or directory"; empty if the reason is not known.
  std::string because() const { return why.empty() ? "" : ": " + why; }

  // The code of such a message.
  Code code() const { return reason == Reason::none ? Code::file : code_of(reason); }

  std::optional<std::string> text = {};
  std::string why = {};          // no text: the system's reason
  Reason reason = Reason::none;  // no text: the limit that was reached while waiting for the file
};

// Reads a file that a person names. Library code reads the outside world only through it.
using ReadFile = std::function<FileText(const std::string& path)>;

}  // namespace quadrille
