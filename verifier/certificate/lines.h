// The lines of a certificate, by their first word.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/work.h"
#include "verifier/certificate/pieces.h"

namespace quadrille::certificate {

class Lines {
 public:
  // Keeps references.
  Lines(Pieces& text, Work& work) : text_(text), work_(work) {}

  // Reads the first line, and then sorts the others, which may stand in any order. False if the first says that this is
  // something else, or another version: nothing more is read then.
  bool sort();

  // What follows the word in its line; nothing if there is none.
  std::optional<TextPiece> line(const std::string& key) const;
  // The same; that there is none is a fault, which tells the form of the line.
  std::optional<TextPiece> needed(const std::string& key, std::string_view form);
  // What follows the word in lines `price` or `group`, of which there may be many.
  const std::vector<TextPiece>& all(std::string_view key) const { return key == "price" ? prices_ : groups_; }

 private:
  bool read_title();
  void sort_line(TextPiece line);

  Pieces& text_;
  Work& work_;
  std::size_t next_ = 0;
  std::map<std::string, TextPiece, std::less<>> lines_;
  std::vector<TextPiece> prices_;
  std::vector<TextPiece> groups_;
};

}  // namespace quadrille::certificate
