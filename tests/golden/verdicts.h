// The verdicts of a page of rows, each a claim of a paper, come from the commands that it shows:
//
//     ### §2, (2)
//     > If the number of nodes is even then at most n actions … can occur at each step.
//
//     **holds** A bound of `bounds`.
//     ```console
//     $ quadrille … | grep "at least 6"
//     …
//     ```
//
// A row begins with a line `### …` and ends where the next heading begins. The last of its commands decides: it ends
// with 0 if the claim holds, with 1 if it is false, with 3 if that is not known. So a command that ends with `grep`
// says what its output must have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/case_file.h"

namespace quadrille::golden {

// The text with the verdict of every row as its commands decide; `statuses` is parallel to `file.commands`. A row
// without a verdict, or without commands, stays as it is. Throws std::runtime_error if a status decides nothing.
std::string with_verdicts(std::string_view text, const CaseFile& file, const std::vector<int>& statuses);

}  // namespace quadrille::golden
