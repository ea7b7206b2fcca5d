// What comes of reading a file: its text, or why there is none.
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

  // What stands behind "cannot read x": ": No such file or directory"; empty where the reason is not known.
  std::string because() const { return why.empty() ? "" : ": " + why; }

  // Of a message that says so.
  Code code() const { return reason == Reason::none ? Code::file : code_of(reason); }

  std::optional<std::string> text = {};
  std::string why = {};          // there is no text: the system's reason
  Reason reason = Reason::none;  // likewise: the limit that was reached while the file was waited for
};

// Reads the file that a person names. The outside world comes in through it.
using ReadFile = std::function<FileText(const std::string& path)>;

}  // namespace quadrille
