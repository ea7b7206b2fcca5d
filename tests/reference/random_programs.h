// Programs from dice: every statement and most expressions of the language, nested, with names in and out of scope.
#pragma once

#include <string>

#include "tests/reference/random_tables.h"

namespace quadrille::reference {

struct RandomProgram {
  std::string text;
  std::string fabric;      // in notation
  std::string collective;  // in notation
};

// Without parameters and includes; well typed; it may have mistakes that show when it is run.
RandomProgram random_program(Dice& dice);

}  // namespace quadrille::reference
