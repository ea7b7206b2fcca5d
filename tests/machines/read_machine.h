// Fabrics from texts that describe machines.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "machines/machines.h"
#include "model/fabric_notation.h"

namespace quadrille::tests {

inline std::string machine_sample(const std::string& name) {
  std::ifstream stream(QUADRILLE_SOURCE_FOLDER "/tests/machines/samples/" + name);
  REQUIRE_MESSAGE(stream, name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The fabric of that kind ("smi", "nccl,host=yes" …) whose file has this text.
inline Result<Fabric> machine_of(const std::string& kind, const std::string& text) {
  const std::size_t comma = std::min(kind.find(','), kind.size());
  const ReadFile read = [&](const std::string&) { return FileText(text); };
  return parse_fabric({"--on", kind.substr(0, comma) + ":file.x" + kind.substr(comma)}, 0, read,
                      with_machines(standard_families()));
}

}  // namespace quadrille::tests
