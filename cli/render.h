// Every outcome as text, for people, and as JSON, for machines: one value, many renderings. JSON.md names each key.
#pragma once

#include <string>

#include "driver/bounds.h"
#include "driver/catalogue.h"
#include "driver/certify.h"
#include "driver/check.h"
#include "driver/compile.h"
#include "driver/layout.h"
#include "driver/prove.h"
#include "driver/replay.h"
#include "driver/search.h"
#include "driver/sizes.h"
#include "model/source.h"

namespace quadrille::cli {

// Each ends with a newline, or is empty. `sources` are those of the outcome's context.
std::string render_text(const driver::CheckOutcome& outcome, const Sources& sources);
std::string render_json(const driver::CheckOutcome& outcome, const Sources& sources);

std::string render_text(const driver::ReplayOutcome& outcome, const Sources& sources);
std::string render_json(const driver::ReplayOutcome& outcome, const Sources& sources);

// `all`: every obligation is listed, not only each property.
std::string render_text(const driver::ProveOutcome& outcome, const Sources& sources, bool all = false);
std::string render_json(const driver::ProveOutcome& outcome, const Sources& sources);

std::string render_text(const driver::SizesOutcome& outcome, const Sources& sources);
std::string render_json(const driver::SizesOutcome& outcome, const Sources& sources);

std::string render_text(const driver::BoundsOutcome& outcome, const Sources& sources);
std::string render_json(const driver::BoundsOutcome& outcome, const Sources& sources);

std::string render_text(const driver::SearchOutcome& outcome, const Sources& sources);
std::string render_json(const driver::SearchOutcome& outcome, const Sources& sources);

std::string render_text(const driver::FrontierOutcome& outcome, const Sources& sources);
std::string render_json(const driver::FrontierOutcome& outcome, const Sources& sources);

std::string render_text(const driver::CertifyOutcome& outcome, const Sources& sources);
std::string render_json(const driver::CertifyOutcome& outcome, const Sources& sources);

std::string render_text(const driver::ListOutcome& outcome, const Sources& sources);
std::string render_json(const driver::ListOutcome& outcome, const Sources& sources);

std::string render_text(const driver::FabricsOutcome& outcome, const Sources& sources);
std::string render_json(const driver::FabricsOutcome& outcome, const Sources& sources);

std::string render_text(const driver::ShowOutcome& outcome, const Sources& sources);
std::string render_json(const driver::ShowOutcome& outcome, const Sources& sources);

// What stands on standard output; the files themselves are the outcome.
std::string render_text(const driver::LayoutOutcome& outcome, const Sources& sources);
std::string render_json(const driver::LayoutOutcome& outcome, const Sources& sources);

// Nothing: the table is the outcome, and has been written.
std::string render_text(const driver::CompileOutcome& outcome, const Sources& sources);
std::string render_json(const driver::CompileOutcome& outcome, const Sources& sources);

// What is wrong, as {"error": […], "status": …}.
std::string render_error_json(const Diagnostics& diagnostics, const Sources& sources, int status);

}  // namespace quadrille::cli
