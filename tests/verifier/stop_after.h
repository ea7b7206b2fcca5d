// Limits that are reached after so many reports of progress: they end work at a place that does not depend on time.
#pragma once

#include <memory>
#include <stop_token>

#include "model/limits/limits.h"

namespace quadrille::tests {

// Someone requests a stop with report number `reports` + 1; with 0 it has been requested already.
inline Limits stop_after(int reports) {
  const auto source = std::make_shared<std::stop_source>();
  Limits limits;
  limits.stop = source->get_token();
  if (reports == 0) source->request_stop();
  limits.progress = [source, left = reports](const Progress&) mutable {
    if (--left < 0) source->request_stop();
  };
  return limits;
}

}  // namespace quadrille::tests
