// The commands, each with its arguments. A command says what is wrong on standard error and returns an ExitStatus.
#pragma once

#include <string>
#include <vector>

#include "driver/environment.h"
#include "driver/input.h"
#include "model/table_io.h"

namespace quadrille::cli {

struct CompileArguments {
  driver::TableRequest request;
  std::string output;  // a path; empty: standard output
  TableFormat format = TableFormat::csv;
};
// Writes a schedule's send table.
int compile_command(const CompileArguments& arguments, driver::Environment& environment);

struct ReportArguments {
  driver::TableRequest request;
  bool json = false;
  std::size_t listed = 3;  // check: how many violations of each property are described
  bool no_claims = false;  // check: the schedule's claims are not judged
};
// Judges every property of a table.
int check_command(const ReportArguments& arguments, driver::Environment& environment);
// Moves the packets of a table through a simulated fabric, and shows what happens there.
int replay_command(const ReportArguments& arguments, driver::Environment& environment);

struct ProveArguments {
  std::string file;
  std::vector<std::string> defines;
  double timeout = 60;  // seconds for each obligation
  std::string smt2;     // a folder for what the solver is asked; empty: not written
  std::string sizes;    // "1..8": check these sizes one by one instead
  bool json = false;
  bool all = false;  // list every obligation
};
// Proves a schedule for every size.
int prove_command(const ProveArguments& arguments, driver::Environment& environment);

struct FmtArguments {
  std::vector<std::string> files;  // `-`: standard input to standard output
  bool check = false;              // name those that differ, write nothing
};
// Gives schedule files their canonical layout.
int fmt_command(const FmtArguments& arguments, driver::Environment& environment);

struct BoundsArguments {
  std::string collective;  // its notation
  std::string on;          // a fabric's notation
  bool json = false;
};
// Every lower bound on the steps of any schedule for the collective on the fabric, largest first.
int bounds_command(const BoundsArguments& arguments, driver::Environment& environment);

struct SearchArguments {
  std::string collective;  // its notation
  std::string on;          // a fabric's notation
  std::string queue;       // "none", "unbounded" or a number: instead of the fabric's rule; empty: the fabric's
  std::string inject = "many";
  std::string paths;  // "kept" or "any"; empty: kept on trees if nothing is for many, or is injected once
  std::string engine = "cadical";
  std::uint32_t steps = 0;   // at most so many (with rounds: phases); 0: the fewest
  std::uint32_t rounds = 0;  // in all; 0: a round a step
  std::uint32_t chunks = 0;  // parts of each message; 0: the collective's own
  double timeout = 60;       // seconds
  double memory = 8;         // GiB
  std::string output;        // a file for the table; empty: not written
  std::string schedule;      // a file for the table as a schedule; empty: not written
  std::string certificate;   // a folder; empty: not written
  bool pareto = false;       // for each number of steps the fewest rounds
  bool json = false;
};
// Finds a schedule of few steps, or proves that there is none with fewer.
int search_command(const SearchArguments& arguments, driver::Environment& environment);

struct CertifyArguments {
  std::string file;
  bool json = false;
};
// Judges a certificate: evidence that there is no schedule of so many steps.
int certify_command(const CertifyArguments& arguments, driver::Environment& environment);

// The schedules that ship, and the kinds of fabric.
int list_command(driver::Environment& environment);
int fabrics_command(driver::Environment& environment);

}  // namespace quadrille::cli
