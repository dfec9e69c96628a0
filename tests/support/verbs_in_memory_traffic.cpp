// SPDX-License-Identifier: Apache-2.0
#include "tests/support/verbs_in_memory.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace muster::tests {
namespace {

constexpr std::chrono::milliseconds slow{1};

// The locks of both ends of a connection, which may be the same.
class Locked {
 public:
  Locked(Device& near, Device& far) : near_(near.mutex, std::defer_lock), far_(far.mutex, std::defer_lock) {
    if (&near == &far)
      near_.lock();
    else
      std::lock(near_, far_);
  }

 private:
  std::unique_lock<std::mutex> near_;
  std::unique_lock<std::mutex> far_;
};

void tell(ibv_cq* queue, std::uint64_t id, ibv_wc_opcode opcode, ibv_wc_status status, unsigned flags = 0) {
  ibv_wc entry{};
  entry.wr_id = id;
  entry.opcode = opcode;
  entry.status = status;
  entry.wc_flags = flags;
  static_cast<Queue*>(queue)->ended.push_back(entry);
}

// The last word comes last and as a whole: others wait for it.
void copy(const ibv_sge& source, std::byte* to, bool flip) {
  const auto* from = std::bit_cast<const std::uint64_t*>(source.addr);
  auto* word = std::bit_cast<std::uint64_t*>(to);
  const std::size_t last = source.length / sizeof(*word) - 1;
  std::memcpy(word, from, last * sizeof(*word));
  const std::uint64_t flipped = flip ? std::uint64_t{1} << 32 : 0;
  const std::size_t middle = (last + 1) / 2;
  if (middle < last) word[middle] ^= flipped;
  std::atomic_ref(word[last]).store(middle < last ? from[last] : from[last] ^ flipped);
}

void move(const ibv_send_wr& request, Pair& partner, bool flip) {
  const bool is_mark = request.opcode == IBV_WR_SEND_WITH_IMM;
  if (is_mark || request.opcode == IBV_WR_SEND) {
    const auto [id, buffer] = partner.receives.front();
    if (!is_mark) copy(*request.sg_list, std::bit_cast<std::byte*>(buffer.addr), flip);
    partner.receives.pop_front();
    tell(partner.recv_cq, id, IBV_WC_RECV, IBV_WC_SUCCESS, is_mark ? IBV_WC_WITH_IMM : 0);
    return;
  }
  const ibv_sge there{.addr = request.wr.rdma.remote_addr, .length = request.sg_list->length, .lkey = 0};
  const bool is_read = request.opcode == IBV_WR_RDMA_READ;
  copy(is_read ? there : *request.sg_list, std::bit_cast<std::byte*>(is_read ? request.sg_list->addr : there.addr),
       flip);
}

}  // namespace

int post_send(ibv_qp* raw, ibv_send_wr* request, ibv_send_wr** /*refused*/) {
  auto& pair = *static_cast<Pair*>(raw);
  auto& device = device_of(*raw);
  if (!std::exchange(pair.is_counted, true))
    for (const auto* end : {&device, pair.far}) count(end->name);
  if (device.is_slow() || pair.far->has_fault("verbs_slow_taker")) std::this_thread::sleep_for(slow);
  if (device.has_fault("verbs_crawls")) std::this_thread::sleep_for(500 * slow);
  std::optional<Locked> locked(std::in_place, device, *pair.far);
  auto& partner = *pair.far->pairs.at(pair.partner);
  for (; request != nullptr; request = request->next) {
    const bool wants_room = request->opcode == IBV_WR_SEND || request->opcode == IBV_WR_SEND_WITH_IMM;
    while (wants_room && partner.receives.empty()) {  // as long as it takes
      locked.reset();
      std::this_thread::yield();
      locked.emplace(device, *pair.far);
    }
    ++device.operations;
    const auto is_now = [&](const char* fault) { return device.is_faulty() && device.has_fault(fault); };
    const bool is_answer = device.operations % 2 == 0;  // to and fro
    const bool is_of_first = pair.qp_num % 2 == 0;
    move(*request, partner,
         is_now("verbs_flipped_bit") || (is_answer && is_now("verbs_flipped_answer")) ||
             (is_of_first && is_now("verbs_flips_of_first_pair")));
    if (is_now("verbs_lost") && !device.failed) device.failed = std::chrono::steady_clock::now();
    const bool fails =
        is_now("verbs_retries") || is_now("verbs_lost") || pair.is_hasty || pair.partition != partner.partition;
    if ((request->send_flags & IBV_SEND_SIGNALED) != 0 && !is_now("verbs_hangs"))
      tell(raw->send_cq, request->wr_id, IBV_WC_SEND, fails ? IBV_WC_RETRY_EXC_ERR : IBV_WC_SUCCESS);
  }
  return 0;
}

int post_receive(ibv_qp* pair, ibv_recv_wr* request, ibv_recv_wr** /*refused*/) {
  const std::lock_guard lock(device_of(*pair).mutex);
  static_cast<Pair*>(pair)->receives.emplace_back(request->wr_id, *request->sg_list);
  return 0;
}

int poll(ibv_cq* raw, int most, ibv_wc* entries) {
  std::this_thread::yield();  // the other end may wait for this core
  const std::lock_guard lock(device_of(raw->context).mutex);
  auto& waiting = static_cast<Queue*>(raw)->ended;
  const auto count = std::min(waiting.size(), static_cast<std::size_t>(most));
  std::copy_n(waiting.begin(), count, entries);
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
  return static_cast<int>(count);
}

}  // namespace muster::tests
