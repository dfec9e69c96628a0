// SPDX-License-Identifier: Apache-2.0
// What the checks of RDMA need of libibverbs, between memories of this process: rxe0 to rxe3, mlx5_ib0 and mlx5_ib1 are
// RoCE devices whose connections move data at once, also between threads. They reach the memory of gpu_in_memory.cpp by
// its file, or by its address where no MUSTER_FAULT of it forbids that. MUSTER_FAULT: verbs_unknown (no such device),
// verbs_forbidden, verbs_down, verbs_no_gid, verbs_no_partition, verbs_other_partition (instead of that of the others),
// verbs_second_partition (before it), verbs_large_packets (its port takes them), verbs_no_lock, verbs_unreachable,
// verbs_flipped_bit, verbs_flipped_answer, verbs_flips_of_first_pair (what goes by every other queue pair, from the
// first on), verbs_retries (an operation fails), verbs_lost (and the port is down a moment later), verbs_hangs,
// verbs_slow, verbs_disturbed (slow for 1.2 s), verbs_slow_taker, verbs_crawls, verbs_fourth_pair (one queue pair after
// three is one too many), verbs_delayed (answers come after half a second); on all of them, or on the device that
// MUSTER_FAULT_DEVICE names.
#include "tests/support/verbs_in_memory.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <memory>

#include "tests/support/gpu_in_memory.hpp"

namespace {

using namespace muster::tests;

constexpr std::array<std::string_view, 6> names = {"rxe0", "rxe1", "rxe2", "rxe3", "mlx5_ib0", "mlx5_ib1"};

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

}  // namespace

extern "C" {

// A name in parentheses is no macro.

ibv_device**(ibv_get_device_list)(int* count) {
  auto* list = made<List>();
  *count = 0;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (is_injected("verbs_unknown", names[at])) continue;
    names[at].copy(static_cast<char*>(list->devices[at].name), names[at].size());
    list->pointers[static_cast<std::size_t>((*count)++)] = &list->devices[at];
  }
  return list->pointers.data();
}

void ibv_free_device_list(ibv_device** list) { ended(std::bit_cast<List*>(list)); }

const char* ibv_get_device_name(ibv_device* device) { return static_cast<const char*>(device->name); }

ibv_context* ibv_open_device(ibv_device* listed) {
  const auto* name = std::ranges::find(names, std::string_view(static_cast<const char*>(listed->name)));
  if (is_injected("verbs_forbidden", *name)) {
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
  const bool is_down = device.has_fault("verbs_down") || (device.has_fault("verbs_lost") && device.is_lost());
  attributes.state = is_down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  attributes.active_mtu = device.has_fault("verbs_large_packets") ? IBV_MTU_4096 : IBV_MTU_1024;
  attributes.gid_tbl_len = 1;
  attributes.pkey_tbl_len = 2;
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

// The second place is empty, but for a device that has that of all others there.
int ibv_query_pkey(ibv_context* context, uint8_t /*port*/, int index, __be16* key) {
  const auto& device = device_of(context);
  if (device.has_fault("verbs_second_partition")) {
    *key = htons(index == 0 ? 0x8001 : 0xffff);
    return 0;
  }
  if (index > 0) return EINVAL;
  *key = htons(device.has_fault("verbs_no_partition")      ? 0x7fff
               : device.has_fault("verbs_other_partition") ? 0x8001
                                                           : 0xffff);
  return 0;
}

ibv_pd* ibv_alloc_pd(ibv_context* device) {
  auto* domain = made<ibv_pd>();
  domain->context = device;
  return domain;
}

int ibv_dealloc_pd(ibv_pd* domain) { return ended(domain); }

ibv_mr*(ibv_reg_mr)(ibv_pd* domain, void* memory, size_t /*size*/, int /*access*/) {
  const bool is_beyond = is_injected("gpu_unreachable") && is_on_gpu(memory);
  if (!is_beyond && !device_of(domain->context).has_fault("verbs_no_lock")) return made<ibv_mr>();
  errno = is_beyond ? EFAULT : ENOMEM;
  return nullptr;
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd* /*domain*/, uint64_t /*offset*/, size_t /*size*/, uint64_t memory, int file,
                          int /*access*/) {
  if (is_file_of_gpu(file) && is_on_gpu(std::bit_cast<const void*>(memory))) return made<ibv_mr>();
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
  auto& device = device_of(domain->context);
  const std::lock_guard lock(device.mutex);
  if (device.pairs.size() >= 3 && device.has_fault("verbs_fourth_pair")) {
    errno = ENOMEM;
    return nullptr;
  }
  auto* pair = made<Pair>();
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
  if ((mask & IBV_QP_PKEY_INDEX) != 0) ibv_query_pkey(raw->context, 0, attributes->pkey_index, &pair.partition);
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
