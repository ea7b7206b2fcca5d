// A small XML file as a tree. Only machine descriptions are read so; they have some hundred elements.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "machines/machine_file.h"

namespace quadrille::machines {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;
  std::size_t begin = 0;  // its byte in the file

  // Empty if it is missing.
  std::string attribute(const std::string& key) const;
};

// The root. Text between tags is passed over. Refused: what is no well-formed XML, a document type (whose entities
// could grow without bound), elements more than 64 deep or more than a million.
Result<XmlElement> read_xml(const MachineFile& file);

}  // namespace quadrille::machines
