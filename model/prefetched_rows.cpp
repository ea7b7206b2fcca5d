// Rows made ahead: a maker thread and a reader, with a queue between them that is bounded by rows.
//
// The maker fills a batch for each step and waits while the queue would get more than `rows_ahead` rows; a step that is
// larger than that passes alone, when the queue is empty. Batches that have been read come back to be filled again, so
// memory is allocated a few times and not once a step. What the maker throws is thrown in the reader; a reader that
// leaves early makes the maker stop at its next batch. Cost: a copy of each row (16 bytes) and three locks a step.
#include "model/prefetched_rows.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace quadrille {
namespace {

// A step's rows, in memory of their own.
struct Batch {
  StepId step;
  std::vector<Row> rows;
  std::vector<MessageId> messages;
  std::vector<ReductionUse> uses;
};

// The queue between the two threads. Batches travel to the reader full and come back empty, to be filled again.
class Exchange {
 public:
  explicit Exchange(std::size_t rows_ahead) : rows_ahead_(rows_ahead) {}

  // --- the maker's side ---

  // An empty batch to fill.
  Batch spare() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Batch batch = std::move(spare_.back());
    spare_.pop_back();
    return batch;
  }

  // Hands a full batch over, once there is room. False when the reader has gone.
  bool put(Batch batch) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return gone_ || full_.empty() || rows_ + batch.rows.size() <= rows_ahead_; });
    if (gone_) return false;
    rows_ += batch.rows.size();
    full_.push_back(std::move(batch));
    news_.notify_one();
    return true;
  }

  // Nothing more will come, and why not, if that is not the end of the rows.
  void finish(Reason ended_early, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    ended_early_ = ended_early;
    failure_ = std::move(failure);
    news_.notify_one();
  }

  // --- the reader's side ---

  // Swaps the batch that has been read for the next one. False at the end; a failure of the maker is thrown here.
  bool take(Batch& batch) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return finished_ || !full_.empty(); });
    if (full_.empty()) {
      if (failure_) std::rethrow_exception(failure_);
      return false;
    }
    // One large step among small ones must not keep its memory for ever.
    if (batch.rows.capacity() <= rows_ahead_ && spare_.size() < 4) spare_.push_back(std::move(batch));
    batch = std::move(full_.front());
    full_.pop_front();
    rows_ -= batch.rows.size();
    room_.notify_one();
    return true;
  }

  Reason ended_early() const {
    const std::lock_guard lock(mutex_);
    return ended_early_;
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    room_.notify_one();
  }

 private:
  const std::size_t rows_ahead_;
  mutable std::mutex mutex_;
  std::condition_variable news_;  // for the reader
  std::condition_variable room_;  // for the maker
  std::deque<Batch> full_;
  std::vector<Batch> spare_;
  std::size_t rows_ = 0;  // in full_
  bool finished_ = false;
  Reason ended_early_ = Reason::none;
  bool gone_ = false;
  std::exception_ptr failure_;
};

// Until the reader has gone, or the rows end; why, if that is before their end.
Reason make_rows(const RowSource& source, Exchange& exchange) {
  const std::unique_ptr<RowCursor> cursor = source.open();
  while (const std::optional<StepRows> step = cursor->next()) {
    Batch batch = exchange.spare();
    batch.step = step->step;
    batch.rows.assign(step->rows.begin(), step->rows.end());
    batch.messages.assign(step->messages.begin(), step->messages.end());
    batch.uses.assign(step->uses.begin(), step->uses.end());
    if (!exchange.put(std::move(batch))) return Reason::none;
  }
  return cursor->ended_early();
}

}  // namespace

class PrefetchedRows::Cursor final : public RowCursor {
 public:
  Cursor(std::shared_ptr<const RowSource> inner, std::size_t rows_ahead)
      : inner_(std::move(inner)), exchange_(rows_ahead), maker_([this] { run(); }) {}

  ~Cursor() override {
    exchange_.leave();
    maker_.join();
  }

  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  std::optional<StepRows> next() override {
    if (!exchange_.take(batch_)) return std::nullopt;
    return StepRows{batch_.step, batch_.rows, batch_.messages, batch_.uses};
  }

  Reason ended_early() const override { return exchange_.ended_early(); }

 private:
  void run() {
    try {
      exchange_.finish(make_rows(*inner_, exchange_), nullptr);
    } catch (...) {
      exchange_.finish(Reason::internal, std::current_exception());
    }
  }

  std::shared_ptr<const RowSource> inner_;
  Exchange exchange_;
  Batch batch_;
  std::thread maker_;  // last: starts when the rest is there
};

PrefetchedRows::PrefetchedRows(std::shared_ptr<const RowSource> inner, std::size_t rows_ahead)
    : inner_(std::move(inner)), rows_ahead_(rows_ahead) {}

std::unique_ptr<RowCursor> PrefetchedRows::open() const { return std::make_unique<Cursor>(inner_, rows_ahead_); }

}  // namespace quadrille
