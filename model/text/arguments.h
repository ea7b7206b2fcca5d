// The arguments of a schedule.
#pragma once

#include <map>
#include <string>

namespace quadrille {

// The values of its parameters, by name, as a person gives them: "4", "exponential", "1,1,2,4".
using Arguments = std::map<std::string, std::string>;

}  // namespace quadrille
