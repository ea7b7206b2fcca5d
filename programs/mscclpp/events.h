// The events of an execution plan and what orders them, for every order that the executor may take.
//
// An action is an operation of one turn of its pipeline and of one launch. Its events:
//   * an operation of all threads (copy, re, upkt, …) is one event: which thread does which byte is not known, so
//   nothing
//     but `nop` and `barrier` orders it with others of its block. (Two such on the same range of the same unit are done
//     by the same threads, byte by byte: races between them are passed over, and no edge is added.)
//   * an operation of one thread for each channel, semaphore or transfer (signal, wait, pws, …) is an event for each;
//   those of
//     one position follow one another in a block;
//   * a transfer by a port has a push, in its block, and the transfer itself, later: behind the pushes before it on its
//     channel, and on that only; pwsf has an end in its block, behind the transfer;
//   * `nop` is one event behind all before it in its block and before all after it; `barrier` is one for all its
//   blocks;
//   * a launch of a rank has a start and an end; the end of one comes before the start of the next.
// Edges are strong (what is written before is seen after) or weak (it is over before). Weak are: packets written →
// packets read (each carries its own flag, and orders nothing else); a relaxed signal, or a relaxed wait, and its
// partner. A pair is ordered if a path leads from one to the other: of strong edges, if the first writes; of any, if it
// reads. Start writes, and end reads and writes, the input and the output of its rank: a remote access needs a path
// behind the start (weak will do: a trusted boundary of kernels) and to the end.
//
// The n-th signal of an end meets the n-th wait at the other, over all launches, if at both the events are of one block
// and in one order; else what that end orders is unknown. An acquire is behind all releases without which its count is
// not met.
//
// Scratch is counted in halves of chunks of packets: packets in chunk i lie where plain chunks 2i and 2i + 1 do. Chunks
// are divided into parts as tbg_info and the windows of pipelines demand; parts of different numbers of one range
// touch.
