// The violation that a figure shows, and the rows that it is about, in words.
#pragma once

#include <string>
#include <vector>

#include "pages/figures.h"
#include "pages/sheet.h"

namespace quadrille::pages {

// The earliest that counts against the table; null if there is none. Those of no step come last.
const Violation* shown_violation(const Report& report);

// "7", or "exchange.qd:7" where several texts were read; empty where it is not known.
std::string line_of(const RowOrigin& origin, const Sources& sources);

// "0->2 on 1.0->2.0, step 3, line 7 (h=1, k=2)".
std::string in_words(const ConcernedRow& row, const CheckedTable& table);

// "schedule on fabric".
std::string title_of(const SendTable& table);

// What is violated, and each row concerned, the first few; or that the table holds, with its steps.
void write_verdict(Sheet& sheet, const CheckedTable& table);

}  // namespace quadrille::pages
