// SingleTargets: chunks with one target each, on fabrics whose processors are leaves: one entry per packet in flight.
//
// Idea: a packet that behaves is at one place at a time. The row out of the processor where it starts makes its entry
// (chunk, node, arrival); each further row must find the entry at its own tail, with an earlier arrival, and moves it
// to its head; the row into the processor that wants it erases the entry. So a chunk has reached its target if it has
// started and is no longer in flight. A chunk that does anything else (a second copy, a second start, a hop from
// elsewhere, a stop at another processor) may be right or wrong: it becomes a suspect, and the table must be read again
// with the suspects given to Copies.
//
// Cost: some 10 ns a row; 8 bytes for each packet in flight (16 to 32 at the table's load) and two bits a chunk.
// Limit: chunk, node and step numbers must fit 64 bits together (total exchange: up to n = 32768).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verifier/checker/rows/flight_table.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

class SingleTargets final : public Tracker {
 public:
  // Rows of suspects are left out; chunks that turn out to be suspects are marked.
  SingleTargets(Pass pass, Bits& suspects);

  // Whether this tracker can serve the table: single targets, processors with at most one channel out, numbers that
  // fit.
  static bool suits(const SendTable& table, const Budget& budget);

  void step(const StepRows& batch) override;
  void finish() override;

  // Whether a step's number was too large, against what suits() was told. Then the tracker is of no use.
  bool overflown() const { return overflown_; }

  // What is only right when the table has ended without new suspects: how many demands are met (but for suspects'), and
  // whether this chunk's is.
  std::uint64_t delivered() const { return started_.count() - flights_.size(); }
  bool has_delivered(ChunkId chunk) const;

 private:
  // A channel's ends, as parts of the content of the flight table's slots.
  struct Ends {
    std::uint64_t from;
    std::uint64_t to;
  };

  void follow(const Row& row, Ends ends, FlightTable::View view, std::size_t home, std::uint32_t step);
  void land(const Row& row, std::size_t slot);
  void start(const Row& row, std::uint32_t step);
  std::size_t find_late(const Row& row, std::size_t home, std::uint32_t step);
  bool wanted(ChunkId chunk, NodeId processor) const;
  void suspect(ChunkId chunk) { suspects_.set(chunk.value); }

  Pass pass_;
  ChannelList channels_;
  std::uint32_t processors_;
  FlightTable flights_;
  std::vector<Ends> ends_;      // by channel
  std::uint64_t first_switch_;  // as a part, like Ends
  std::uint32_t step_limit_;
  std::uint64_t start_lanes_ = 0;  // out of all processors: no step of a sound table starts more packets
  std::uint64_t may_start_ = 0;    // in this step
  Bits started_;
  Bits& suspects_;
  bool some_left_out_;
  bool overflown_ = false;
};

}  // namespace quadrille::checker
