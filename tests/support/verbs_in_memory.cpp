// SPDX-License-Identifier: Apache-2.0
// What the checks of RDMA need of libibverbs, between memories of this process: rxe0 is a RoCE device whose connections
// move data at once. MUSTER_FAULT: verbs_unknown (no such device), verbs_forbidden (may not be opened), verbs_down,
// verbs_no_gid, verbs_no_partition, verbs_no_lock, verbs_flipped_bit, verbs_retries (an operation fails), verbs_hangs.
#include <arpa/inet.h>
#include <infiniband/verbs.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view name = "rxe0";
constexpr std::size_t before_faults = 100;  // operations

bool has_fault(std::string_view fault) {
  const char* value = std::getenv("MUSTER_FAULT");
  return value != nullptr && fault == value;
}

struct Queue : ibv_cq {
  std::deque<ibv_wc> ended;
};

struct Pair : ibv_qp {
  std::uint32_t partner = 0;
  std::deque<ibv_sge> receives;
};

struct Device : ibv_context {
  std::vector<Pair*> pairs;  // by number
  std::size_t operations = 0;
};

struct List {
  std::array<ibv_device*, 2> pointers;  // what is seen of it
  ibv_device device;
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

void tell(ibv_cq* queue, ibv_wc_status status) {
  ibv_wc entry{};
  entry.status = status;
  static_cast<Queue*>(queue)->ended.push_back(entry);
}

void move(const ibv_send_wr& request, Pair& partner, bool flip) {
  auto* here = std::bit_cast<std::byte*>(request.sg_list->addr);
  const auto size = request.sg_list->length;
  if (request.opcode == IBV_WR_SEND) {
    auto* there = std::bit_cast<std::byte*>(partner.receives.front().addr);
    partner.receives.pop_front();
    std::memcpy(there, here, size);
    tell(partner.recv_cq, IBV_WC_SUCCESS);
    if (flip) there[size / 2] ^= std::byte{1};
    return;
  }
  auto* there = std::bit_cast<std::byte*>(request.wr.rdma.remote_addr);
  auto* target = request.opcode == IBV_WR_RDMA_READ ? here : there;
  std::memcpy(target, target == here ? there : here, size);
  if (flip) target[size / 2] ^= std::byte{1};
}

int post_send(ibv_qp* raw, ibv_send_wr* request, ibv_send_wr** refused) {
  auto& device = device_of(*raw);
  auto& partner = *device.pairs.at(static_cast<Pair*>(raw)->partner);
  for (; request != nullptr; request = request->next) {
    if (request->opcode == IBV_WR_SEND && partner.receives.empty()) {
      *refused = request;
      return ENOMEM;
    }
    const bool faulty = ++device.operations > before_faults;
    move(*request, partner, faulty && has_fault("verbs_flipped_bit"));
    if ((request->send_flags & IBV_SEND_SIGNALED) != 0 && !(faulty && has_fault("verbs_hangs")))
      tell(raw->send_cq, faulty && has_fault("verbs_retries") ? IBV_WC_RETRY_EXC_ERR : IBV_WC_SUCCESS);
  }
  return 0;
}

int post_receive(ibv_qp* pair, ibv_recv_wr* request, ibv_recv_wr** /*refused*/) {
  static_cast<Pair*>(pair)->receives.push_back(*request->sg_list);
  return 0;
}

int poll(ibv_cq* raw, int most, ibv_wc* entries) {
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
  name.copy(static_cast<char*>(list->device.name), name.size());
  *count = has_fault("verbs_unknown") ? 0 : 1;
  list->pointers = {&list->device, nullptr};
  return list->pointers.data();
}

void ibv_free_device_list(ibv_device** list) { ended(std::bit_cast<List*>(list)); }

const char* ibv_get_device_name(ibv_device* device) { return static_cast<const char*>(device->name); }

ibv_context* ibv_open_device(ibv_device* /*device*/) {
  if (has_fault("verbs_forbidden")) {
    errno = EACCES;
    return nullptr;
  }
  auto* device = made<Device>();
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

int(ibv_query_port)(ibv_context* /*device*/, uint8_t /*port*/, _compat_ibv_port_attr* raw) {
  auto& attributes = *std::bit_cast<ibv_port_attr*>(raw);
  attributes.state = has_fault("verbs_down") ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  attributes.active_mtu = IBV_MTU_1024;
  attributes.gid_tbl_len = 1;
  attributes.pkey_tbl_len = 1;
  attributes.link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

int _ibv_query_gid_ex(ibv_context* /*device*/, uint32_t /*port*/, uint32_t /*index*/, ibv_gid_entry* entry,
                      uint32_t /*flags*/, size_t /*size*/) {
  entry->gid_type = IBV_GID_TYPE_ROCE_V2;
  entry->gid.raw[0] = 0xfe;
  return has_fault("verbs_no_gid") ? ENODATA : 0;
}

int ibv_query_pkey(ibv_context* /*device*/, uint8_t /*port*/, int /*index*/, __be16* key) {
  *key = htons(has_fault("verbs_no_partition") ? 0x7fff : 0xffff);
  return 0;
}

ibv_pd* ibv_alloc_pd(ibv_context* device) {
  auto* domain = made<ibv_pd>();
  domain->context = device;
  return domain;
}

int ibv_dealloc_pd(ibv_pd* domain) { return ended(domain); }

ibv_mr*(ibv_reg_mr)(ibv_pd* /*domain*/, void* /*memory*/, size_t /*size*/, int /*access*/) {
  if (!has_fault("verbs_no_lock")) return made<ibv_mr>();
  errno = ENOMEM;
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
  auto& device = *static_cast<Device*>(domain->context);
  pair->context = domain->context;
  pair->send_cq = wanted->send_cq;
  pair->recv_cq = wanted->recv_cq;
  pair->qp_num = static_cast<std::uint32_t>(device.pairs.size());
  device.pairs.push_back(pair);
  return pair;
}

int ibv_destroy_qp(ibv_qp* pair) { return ended(static_cast<Pair*>(pair)); }

int ibv_modify_qp(ibv_qp* pair, ibv_qp_attr* attributes, int mask) {
  if ((mask & IBV_QP_DEST_QPN) != 0) static_cast<Pair*>(pair)->partner = attributes->dest_qp_num;
  return 0;
}

const char* ibv_port_state_str(ibv_port_state state) { return state == IBV_PORT_DOWN ? "PORT_DOWN" : "PORT_ACTIVE"; }

const char* ibv_wc_status_str(ibv_wc_status status) {
  return status == IBV_WC_SUCCESS ? "success" : "transport retry counter exceeded";
}

}  // extern "C"
