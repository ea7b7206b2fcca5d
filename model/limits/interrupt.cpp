// The self-pipe: a signal handler may call almost nothing (no locks, no memory). So it writes one byte into a pipe,
// and a thread that waits at the other end requests the stop. The same thread ends on another byte, written by the
// destructor.
#include "model/limits/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace quadrille {
namespace {

constexpr char interrupted = 'i';
constexpr char done = 'd';

std::atomic<int> write_end = -1;  // for the handler
static_assert(std::atomic<int>::is_always_lock_free);
struct sigaction former_action {};

void write_byte(int descriptor, char byte) {
  while (::write(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

extern "C" void announce_interrupt(int signal_number) {
  const int error = errno;
  // First back to what was before, so that a second Ctrl-C ends the process even if the work does not stop.
  ::sigaction(signal_number, &former_action, nullptr);
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

void handle_interrupt() {
  struct sigaction action {};
  action.sa_handler = announce_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, nullptr, &former_action);
  if (former_action.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

Interrupts::Interrupts() {
  if (::pipe2(ends_.data(), O_CLOEXEC) != 0) return;  // then Ctrl-C ends the process, as ever
  write_end = ends_[1];
  listener_ = std::thread([source = source_, descriptor = ends_[0]]() mutable {
    if (read_byte(descriptor) == interrupted) source.request_stop();
  });
  handle_interrupt();
}

Interrupts::~Interrupts() {
  if (!listener_.joinable()) return;
  if (former_action.sa_handler != SIG_IGN) ::sigaction(SIGINT, &former_action, nullptr);
  write_byte(ends_[1], done);
  listener_.join();
  ::close(ends_[0]);
  ::close(ends_[1]);
}

}  // namespace quadrille
