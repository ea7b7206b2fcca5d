// All routes of sends fail with one message.
#include "place/flights/no_route.h"

#include <fmt/format.h>

#include "model/described.h"
#include "model/text/evaluation_error.h"

namespace quadrille {

void no_route(const Fabric& fabric, NodeId from, NodeId to, Span span) {
  fail(span,
       fmt::format("there is no route from {} to {} in {}", fabric.name(from), fabric.name(to), described(fabric)),
       Code::route);
}

}  // namespace quadrille
