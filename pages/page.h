// The page of an outcome: one HTML file that needs nothing else, and whose policy forbids it the network. Scripts of
// pages/web/ paint what lies in it as JSON; PAGE.md says what that is.
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
  std::string kind;     // what the outcome is of, by name: "check", "search"
  std::string command;  // that made it, without --page; empty where it is not known
  std::string outcome;  // as --json prints it
  std::string text;     // as it is printed for people, without colours
  std::vector<PageBlock> blocks = {};
};

// The whole file. Whatever the parts say, they cannot end their elements.
std::string page(const PageParts& parts);

}  // namespace quadrille::pages
