// Text to syntax tree. LANGUAGE.md has the grammar.
#pragma once

#include <cstdint>

#include "dsl/ast.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "model/text/source.h"

namespace quadrille {

// The syntax tree of one file, or its syntax errors (with what was expected, in the reader's words). Includes are not
// followed (load.h does). Spans index `source_number`. Never throws; nesting deeper than 200 and files above 16 MiB are
// refused; at `limits`, Code::timeout or Code::cancelled.
Result<ast::File> parse(const Source& source, std::uint32_t source_number = 0, const Limits& limits = {});

}  // namespace quadrille
