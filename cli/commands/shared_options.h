// Options that several commands have.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/render/form.h"
#include "driver/inputs/context.h"
#include "driver/inputs/input.h"

namespace quadrille::cli {

// What is to be compiled, or opened. `required`: it has to be given.
void declare_input(Options& options, driver::TableRequest& request, bool required = true);

// All of these but the file: how a schedule is compiled.
void declare_compiling(Options& options, driver::TableRequest& request);

// --without, for links.
void declare_without(Options& options, std::vector<std::string>& links);

// --collective and --on, both needed, and --without.
void declare_question(Options& options, std::string& collective, std::string& on, std::vector<std::string>& without);

// --for, of commands that look for what is best.
void declare_consumer(Options& options, std::string& consumer);

// --size and --costs.
void declare_costs(Options& options, std::vector<std::string>& sizes, std::string& costs);
void declare_size_of(Options& options, std::string& size_of);

// --color.
void declare_color(Options& options, FormRequest& form);

// --json and --color.
void declare_form(Options& options, FormRequest& form);

// --page and, where rows can be shown, --steps.
void declare_page(Options& options, PageRequest& page, bool rows);
void declare_page_steps(Options& options, PageRequest& page);

// What is wrong with what was asked of a page; empty if nothing is.
std::string wrong_with(const PageRequest& page);

// --timeout and --memory. `seconds` in words where there is a limit by default.
void declare_limits(Options& options, driver::LimitRequest& limits);

}  // namespace quadrille::cli
