// The rows of a table as JSON, a row on a line.
#pragma once

#include <string>

#include "driver/look/listed_rows.h"
#include "model/text/source.h"

namespace quadrille::cli {

// A list, as it stands behind a key of an object that json_text() prints.
std::string rows_text(const driver::ListedRows& listed, const SendTable& table, const Sources& sources);

// Puts that list behind the key of an outermost object's text, where `null` stands.
void put_rows(std::string& object, const std::string& key, const std::string& rows);

}  // namespace quadrille::cli
