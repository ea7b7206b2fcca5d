// The text of core forms and proofs: words, numbers, "texts" and lists in parentheses; `;` begins a comment.
//
//   const std::vector<Item> items = read_items(source, 0);      // (parameter N 2 65536) is a list of four
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/source.h"

namespace quadrille::proof_reader {

// Why something is not taken for a proof; where it stands, if that is one place. It is thrown within the reader only.
struct Refused {
  Span span;
  std::string message;
};

struct ProofItem {
  Span span;
  bool list = false;
  bool text = false;             // a word in quotation marks
  std::string word;              // of what is no list
  std::vector<ProofItem> items;  // of a list

  std::size_t size() const { return items.size(); }
};

inline constexpr std::size_t most_bytes = std::size_t{1} << 24;  // of a file
inline constexpr std::size_t most_nested = 200;                  // lists in lists

// All items of the text. Throws Refused. Linear in the text's length.
std::vector<ProofItem> read_items(const Source& source, std::uint32_t number);

// The list's item with that index; refused, if there is none, or `list` is a word.
const ProofItem& item(const ProofItem& list, std::size_t index);
// A word that is no list; a text; a whole number of 64 bits.
const std::string& word(const ProofItem& item);
const std::string& text(const ProofItem& item);
std::int64_t whole_number(const ProofItem& item);
bool is_whole_number(std::string_view word);
// The word that the list begins with.
const std::string& head(const ProofItem& list);
// That the list has so many items.
void expect_size(const ProofItem& list, std::size_t least, std::size_t most);
// The list's item that is a list with that head; refused, if there is not exactly one.
const ProofItem& field(const ProofItem& list, std::string_view name);
// The same, or null if there is none.
const ProofItem* optional_field(const ProofItem& list, std::string_view name);

}  // namespace quadrille::proof_reader
