// Translates a search request into the search's own terms.
#pragma once

#include "driver/inputs/context.h"
#include "driver/search/search.h"

namespace quadrille::driver {

struct SearchQuestion {
  Fabric fabric;
  Collective collective;
  SearchGoal goal;
};

// The question, or the reason why it cannot be searched.
Result<SearchQuestion> read_question(const SearchRequest& request, Context& context);

// The options of the search, without known schedules. Refers to the context and the request.
SearchOptions options_for(const SearchRequest& request, const Context& context);

}  // namespace quadrille::driver
