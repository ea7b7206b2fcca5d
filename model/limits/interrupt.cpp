// The self-pipe: a signal handler may call almost nothing (no locks, no memory). So it writes one byte into a pipe,
// and a thread that waits at the other end requests the stop. The same thread ends on another byte, written by the
// destructor. The system's timer sends the second SIGTERM, so that it comes even if nothing of the process moves.
#include "model/limits/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>

namespace quadrille {
namespace {

constexpr char interrupted = 'i';
constexpr char done = 'd';

constexpr std::array signals{SIGINT, SIGTERM};
std::array<struct sigaction, signals.size()> former_actions{};

// For the handler.
std::atomic<int> write_end = -1;
static_assert(std::atomic<int>::is_always_lock_free);
timer_t second_signal{};
struct itimerspec until_second {};

void write_byte(int descriptor, char byte) {
  while (::write(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

void restore_handlers() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &former_actions[i], nullptr);
}

extern "C" void announce_interrupt(int signal_number) {
  const int error = errno;
  // First back to what was before, so that a second signal ends the process even if the work does not stop.
  restore_handlers();
  if (signal_number == SIGTERM) ::timer_settime(second_signal, 0, &until_second, nullptr);
  write_byte(write_end, interrupted);
  errno = error;
}

// The next byte, or `done` where there is none.
char read_byte(int descriptor) {
  char byte = done;
  while (::read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
  return byte;
}

// Makes the timer that sends SIGTERM this long after it is started.
bool make_timer(std::chrono::milliseconds grace) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(grace);
  until_second.it_value = {seconds.count(), std::chrono::nanoseconds(grace - seconds).count()};
  struct sigevent event {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGTERM;
  return ::timer_create(CLOCK_MONOTONIC, &event, &second_signal) == 0;
}

void handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = announce_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int number : signals) ::sigaddset(&action.sa_mask, number);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], nullptr, &former_actions[i]);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (former_actions[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

}  // namespace

Interrupts::Interrupts(std::chrono::milliseconds grace) {
  if (!make_timer(grace)) return;  // then signals end the process, as ever
  if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
    ::timer_delete(second_signal);
    return;
  }
  write_end = ends_[1];
  listener_ = std::thread([source = source_, descriptor = ends_[0]]() mutable {
    if (read_byte(descriptor) == interrupted) source.request_stop();
  });
  handle_interrupts();
}

Interrupts::~Interrupts() {
  if (!listener_.joinable()) return;
  restore_handlers();
  ::timer_delete(second_signal);
  write_byte(ends_[1], done);
  listener_.join();
  ::close(ends_[0]);
  ::close(ends_[1]);
}

}  // namespace quadrille
