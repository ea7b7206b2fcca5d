// A set of files in a folder that others may use, too: it is whole, or recognised as unfinished.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/files/environment.h"
#include "model/text/diagnostic.h"

namespace quadrille::driver {

// The manifest names the files of a whole set, and is the last that is written. While a set is written, a file with
// another name stands in its place, which names the files of the earlier set and of the new one: so the next run knows
// what an ended one has left. Files that neither names are never removed.
class FileSet {
 public:
  // Keeps a reference to the environment.
  FileSet(std::string folder, Environment& environment) : folder_(std::move(folder)), environment_(environment) {}

  // Requires that the folder exists, and names without line ends. Returns nothing, or an error, such as that a manifest
  // is there that is none of ours.
  std::optional<std::string> begin(std::vector<std::string> names);
  // Removes files of the earlier set that are not in this one, and writes the manifest. Requires that all files of this
  // set are in their places. Returns nothing, or an error.
  std::optional<std::string> finish();

  std::string path(const std::string& name) const;

 private:
  std::optional<std::string> read_earlier(const std::string& name);

  std::string folder_;
  Environment& environment_;
  std::vector<std::string> names_ = {};
  std::set<std::string> earlier_ = {};
};

struct FileOfSet {
  std::string name;
  std::function<bool(const Sink& sink)> write;  // writes its text; false if its rows ended early
};

// Writes a whole set of files into a folder, which it makes. Returns nothing, or what failed.
std::optional<Diagnostic> write_set(const std::string& folder, const std::vector<FileOfSet>& files,
                                    Environment& environment);

}  // namespace quadrille::driver
