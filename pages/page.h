// The page of an outcome is one HTML file that needs nothing else; its policy forbids it the network. Scripts of
// pages/web/ draw the JSON that lies in it; PAGE.md describes that JSON.
//
// For: outcomes as one self-contained page.
// Face: this header.
// Keeps: no algorithm lives here.
// Read first: pages/PAGE.md.
#pragma once

#include <string>
#include <vector>

namespace quadrille::pages {

// JSON behind an id of the page: "rows".
struct PageBlock {
  std::string id;
  std::string json;
};

struct PageParts {
  std::string title;
  std::string kind;     // the name of the outcome's kind: "check", "search"
  std::string command;  // the whole command that made it, quoted for a shell
  std::string outcome;  // as --json prints it
  std::string text;     // as it is printed for people, without colours
  std::vector<PageBlock> blocks = {};
};

// Returns the whole file. Parts are escaped so that their texts cannot end the elements that hold them.
std::string page(const PageParts& parts);

}  // namespace quadrille::pages
