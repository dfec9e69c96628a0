// SPDX-License-Identifier: Apache-2.0
// What the checks of RDMA need of libibverbs, between memories of this process: rxe0 to rxe3, mlx5_ib0 and mlx5_ib1 are
// RoCE devices whose connections move data at once, also between threads. They reach the memory of gpu_in_memory.cpp by
// its file, or by its address where no MUSTER_FAULT of it forbids that. MUSTER_FAULT: verbs_unknown (no such device),
// verbs_forbidden, verbs_down, verbs_no_gid, verbs_no_partition, verbs_no_lock, verbs_unreachable, verbs_flipped_bit,
// verbs_flipped_answer, verbs_retries (an operation fails), verbs_lost (and the port is down then), verbs_hangs,
// verbs_slow, verbs_slow_taker, verbs_crawls, verbs_delayed (answers come after half a second); on all of them, or on
// the device that MUSTER_FAULT_DEVICE names.
#include <arpa/inet.h>
#include <infiniband/verbs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/gpu_in_memory.hpp"
#include "tests/support/injected.hpp"

namespace {

constexpr std::array<std::string_view, 6> names = {"rxe0", "rxe1", "rxe2", "rxe3", "mlx5_ib0", "mlx5_ib1"};
constexpr std::size_t before_faults = 100;  // operations
constexpr std::chrono::milliseconds slow{1};

struct Queue : ibv_cq {
  std::deque<ibv_wc> ended;
};

struct Device;

struct Pair : ibv_qp {
  Device* far = nullptr;
  std::uint32_t partner = 0;
  bool is_hasty = false;                                   // gives up before the answer
  std::deque<std::pair<std::uint64_t, ibv_sge>> receives;  // by what they are told of
};

struct Device : ibv_context {
  std::string_view name;
  std::vector<Pair*> pairs;  // by number
  std::size_t operations = 0;
  std::mutex mutex;  // of all that belongs to it

  bool has_fault(std::string_view fault) const { return muster::tests::is_injected(fault, name); }
  bool is_faulty() const { return operations > before_faults; }
};

struct List {
  std::array<ibv_device*, names.size() + 1> pointers;  // what is seen of it
  std::array<ibv_device, names.size()> devices;
};

template <class T>
T* made() {
  return std::make_unique<T>().release();
}

template <class T>
int ended(T* object) {
  const std::unique_ptr<T> owner(object);
  return 0;
}

Device& device_of(const ibv_qp& pair) { return *static_cast<Device*>(pair.context); }
Device& device_of(ibv_context* context) { return *static_cast<Device*>(context); }

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
  auto& entry = static_cast<Queue*>(queue)->ended.emplace_back();
  entry.wr_id = id;
  entry.opcode = opcode;
  entry.status = status;
  entry.wc_flags = flags;
}

// The last word comes last and as a whole: others wait for it.
void copy(const ibv_sge& source, std::byte* to, bool flip) {
  const auto* from = std::bit_cast<const std::uint64_t*>(source.addr);
  std::vector<std::uint64_t> message(from, from + source.length / sizeof(*from));
  if (flip) message[message.size() / 2] ^= std::uint64_t{1} << 32;
  const std::size_t before = source.length - sizeof(message.back());
  std::memcpy(to, message.data(), before);
  std::atomic_ref(*std::bit_cast<std::uint64_t*>(to + before)).store(message.back());
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

int post_send(ibv_qp* raw, ibv_send_wr* request, ibv_send_wr** /*refused*/) {
  auto& pair = *static_cast<Pair*>(raw);
  auto& device = device_of(*raw);
  if (device.has_fault("verbs_slow") || pair.far->has_fault("verbs_slow_taker")) std::this_thread::sleep_for(slow);
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
    move(*request, partner, is_now("verbs_flipped_bit") || (is_answer && is_now("verbs_flipped_answer")));
    const bool fails = is_now("verbs_retries") || is_now("verbs_lost") || pair.is_hasty;
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

}  // namespace

extern "C" {

// A name in parentheses is no macro.

ibv_device**(ibv_get_device_list)(int* count) {
  auto* list = made<List>();
  *count = 0;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (muster::tests::is_injected("verbs_unknown", names[at])) continue;
    names[at].copy(static_cast<char*>(list->devices[at].name), names[at].size());
    list->pointers[static_cast<std::size_t>((*count)++)] = &list->devices[at];
  }
  return list->pointers.data();
}

void ibv_free_device_list(ibv_device** list) { ended(std::bit_cast<List*>(list)); }

const char* ibv_get_device_name(ibv_device* device) { return static_cast<const char*>(device->name); }

ibv_context* ibv_open_device(ibv_device* listed) {
  const auto* name = std::ranges::find(names, std::string_view(static_cast<const char*>(listed->name)));
  if (muster::tests::is_injected("verbs_forbidden", *name)) {
    errno = EACCES;
    return nullptr;
  }
  auto* device = made<Device>();
  device->name = *name;
  device->ops.post_send = post_send;
  device->ops.post_recv = post_receive;
  device->ops.poll_cq = poll;
  return device;
}

int ibv_close_device(ibv_context* device) { return ended(static_cast<Device*>(device)); }

int ibv_query_device(ibv_context* /*device*/, ibv_device_attr* attributes) {
  attributes->max_qp_rd_atom = 1;
  return 0;
}

int(ibv_query_port)(ibv_context* context, uint8_t /*port*/, _compat_ibv_port_attr* raw) {
  auto& attributes = *std::bit_cast<ibv_port_attr*>(raw);
  auto& device = device_of(context);
  const std::lock_guard lock(device.mutex);
  const bool is_down = device.has_fault("verbs_down") || (device.has_fault("verbs_lost") && device.is_faulty());
  attributes.state = is_down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  attributes.active_mtu = IBV_MTU_1024;
  attributes.gid_tbl_len = 1;
  attributes.pkey_tbl_len = 1;
  attributes.link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

// A GID is where the device is.
int _ibv_query_gid_ex(ibv_context* context, uint32_t /*port*/, uint32_t /*index*/, ibv_gid_entry* entry,
                      uint32_t /*flags*/, size_t /*size*/) {
  entry->gid_type = IBV_GID_TYPE_ROCE_V2;
  entry->gid.global = {.subnet_prefix = 0xfe, .interface_id = std::bit_cast<std::uint64_t>(&device_of(context))};
  return device_of(context).has_fault("verbs_no_gid") ? ENODATA : 0;
}

int ibv_query_pkey(ibv_context* context, uint8_t /*port*/, int /*index*/, __be16* key) {
  *key = htons(device_of(context).has_fault("verbs_no_partition") ? 0x7fff : 0xffff);
  return 0;
}

ibv_pd* ibv_alloc_pd(ibv_context* device) {
  auto* domain = made<ibv_pd>();
  domain->context = device;
  return domain;
}

int ibv_dealloc_pd(ibv_pd* domain) { return ended(domain); }

ibv_mr*(ibv_reg_mr)(ibv_pd* domain, void* memory, size_t /*size*/, int /*access*/) {
  const bool is_beyond = muster::tests::is_injected("gpu_unreachable") && muster::tests::is_on_gpu(memory);
  if (!is_beyond && !device_of(domain->context).has_fault("verbs_no_lock")) return made<ibv_mr>();
  errno = is_beyond ? EFAULT : ENOMEM;
  return nullptr;
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd* /*domain*/, uint64_t /*offset*/, size_t /*size*/, uint64_t memory, int file,
                          int /*access*/) {
  if (muster::tests::is_file_of_gpu(file) && muster::tests::is_on_gpu(std::bit_cast<const void*>(memory)))
    return made<ibv_mr>();
  errno = EBADF;
  return nullptr;
}

int ibv_dereg_mr(ibv_mr* region) { return ended(region); }

ibv_cq* ibv_create_cq(ibv_context* device, int /*entries*/, void* /*context*/, ibv_comp_channel* /*channel*/,
                      int /*vector*/) {
  auto* queue = made<Queue>();
  queue->context = device;
  return queue;
}

int ibv_destroy_cq(ibv_cq* queue) { return ended(static_cast<Queue*>(queue)); }

ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* wanted) {
  auto* pair = made<Pair>();
  auto& device = device_of(domain->context);
  const std::lock_guard lock(device.mutex);
  pair->context = domain->context;
  pair->send_cq = wanted->send_cq;
  pair->recv_cq = wanted->recv_cq;
  pair->qp_num = static_cast<std::uint32_t>(device.pairs.size());
  device.pairs.push_back(pair);
  return pair;
}

int ibv_destroy_qp(ibv_qp* pair) { return ended(static_cast<Pair*>(pair)); }

int ibv_modify_qp(ibv_qp* raw, ibv_qp_attr* attributes, int mask) {
  auto& pair = *static_cast<Pair*>(raw);
  if ((mask & IBV_QP_TIMEOUT) != 0)  // 4.096 us * 2^17
    pair.is_hasty = device_of(*raw).has_fault("verbs_delayed") && attributes->timeout < 17;
  if ((mask & IBV_QP_DEST_QPN) == 0) return 0;
  pair.far = std::bit_cast<Device*>(attributes->ah_attr.grh.dgid.global.interface_id);
  pair.partner = attributes->dest_qp_num;
  return device_of(*raw).has_fault("verbs_unreachable") ? ETIMEDOUT : 0;
}

const char* ibv_port_state_str(ibv_port_state state) { return state == IBV_PORT_DOWN ? "PORT_DOWN" : "PORT_ACTIVE"; }

const char* ibv_wc_status_str(ibv_wc_status status) {
  return status == IBV_WC_SUCCESS ? "success" : "transport retry counter exceeded";
}

}  // extern "C"
