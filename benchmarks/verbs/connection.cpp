// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ranges>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/call.hpp"

namespace muster::benchmarks::verbs {
namespace {

constexpr std::uint32_t first_packet = 0;
constexpr std::uint8_t hops = 64;
constexpr std::uint8_t receiver_not_ready_timer = 12;  // 0.64 ms (IBTA, encoding of the RNR NAK timer)
constexpr std::size_t max_inline = 220;                // as perftest
constexpr std::uint8_t retries = 7;                    // for receivers that are not ready it means: for ever

QueuePair create(ibv_pd* domain, ibv_cq* queue, std::size_t depth, std::size_t inline_bytes) {
  ibv_qp_init_attr wanted{};
  wanted.send_cq = queue;
  wanted.recv_cq = queue;
  wanted.qp_type = IBV_QPT_RC;
  wanted.cap = {.max_send_wr = static_cast<std::uint32_t>(depth),
                .max_recv_wr = static_cast<std::uint32_t>(depth),
                .max_send_sge = 1,
                .max_recv_sge = 1,
                .max_inline_data = static_cast<std::uint32_t>(inline_bytes)};
  return QueuePair(made(ibv_create_qp(domain, &wanted), "ibv_create_qp"));
}

ibv_wr_opcode opcode(RdmaOperation operation) {
  switch (operation) {
    case RdmaOperation::write:
      return IBV_WR_RDMA_WRITE;
    case RdmaOperation::read:
      return IBV_WR_RDMA_READ;
    case RdmaOperation::send:
      break;
  }
  return IBV_WR_SEND;
}

}  // namespace

std::string_view to_text(RdmaOperation operation) {
  constexpr std::array<std::string_view, 3> names = {"write", "read", "send"};
  return names.at(static_cast<std::size_t>(operation));
}

Connection::Connection(const RdmaPort& port, Memory& memory, const Shape& shape)
    : port_(port),
      memory_(memory.range()),
      shape_(shape),
      slots_(memory_.size() / shape.slot_bytes / shape.queue_pairs),
      inline_flag_(shape.inlines && shape.slot_bytes <= max_inline ? unsigned{IBV_SEND_INLINE} : 0U),
      domain_(made(ibv_alloc_pd(port.device()), "ibv_alloc_pd")),
      region_(registered(domain_.get(), memory)),
      queue_(
          made(ibv_create_cq(port.device(), static_cast<int>(2 * shape.depth * shape.queue_pairs), nullptr, nullptr, 0),
               "ibv_create_cq")),
      elements_(shape.depth),
      requests_(shape.depth),
      completed_(shape.queue_pairs) {
  while (pairs_.size() < shape.queue_pairs)
    pairs_.push_back(create(domain_.get(), queue_.get(), shape.depth, inline_flag_ != 0 ? shape.slot_bytes : 0));
}

ConnectionAddress Connection::address() const {
  ConnectionAddress address{.lid = port_.attributes().lid,
                            .gid = port_.gid().entry.gid,
                            .mtu = port_.attributes().active_mtu,
                            .memory = std::bit_cast<std::uint64_t>(memory_.data()),
                            .key = region_.handle->rkey};
  std::ranges::transform(pairs_, address.numbers.begin(), [](const QueuePair& pair) { return pair->qp_num; });
  std::ranges::copy(port_.partitions() | std::views::keys | std::views::take(max_partitions),
                    address.partitions.begin());
  return address;
}

void Connection::change(std::size_t queue_pair, const ibv_qp_attr& attributes, int mask, std::string_view to) const {
  ibv_qp_attr copy = attributes;
  require_verbs(ibv_modify_qp(pairs_[queue_pair].get(), &copy, mask | IBV_QP_STATE),
                fmt::format("ibv_modify_qp of {} to {}", port_.name(), to));
}

void Connection::connect(const ConnectionAddress& partner) {
  partner_ = partner;
  const auto partition = common_partition();
  for (std::size_t queue_pair = 0; queue_pair < pairs_.size(); ++queue_pair) connect(queue_pair, partition);
}

std::uint16_t Connection::common_partition() const {
  const auto theirs =
      std::span(partner_.partitions)
          .first(static_cast<std::size_t>(std::ranges::find(partner_.partitions, 0) - partner_.partitions.begin()));
  for (const auto& [key, index] : port_.partitions() | std::views::take(max_partitions))
    if (std::ranges::find(theirs, key) != theirs.end()) return index;
  throw Error(fmt::format("no common partition: one port is a full member by P_Key {:#06x}, the other by {:#06x}",
                          fmt::join(port_.partitions() | std::views::keys, ", "), fmt::join(theirs, ", ")));
}

void Connection::connect(std::size_t queue_pair, std::uint16_t partition_index) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.pkey_index = partition_index;
  attributes.port_num = port_.number();
  attributes.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  change(queue_pair, attributes, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");

  attributes = {};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = std::min(partner_.mtu, port_.attributes().active_mtu);
  attributes.dest_qp_num = partner_.numbers[queue_pair];
  attributes.rq_psn = first_packet;
  attributes.max_dest_rd_atomic = port_.reads_at_once();
  attributes.min_rnr_timer = receiver_not_ready_timer;
  attributes.ah_attr.dlid = partner_.lid;
  attributes.ah_attr.port_num = port_.number();
  if (port_.is_ethernet() || (port_.attributes().flags & IBV_QPF_GRH_REQUIRED) != 0) {
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.grh.dgid = partner_.gid;
    attributes.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(port_.gid().entry.gid_index);
    attributes.ah_attr.grh.hop_limit = hops;
  }
  change(
      queue_pair, attributes,
      IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
      "RTR");

  attributes = {};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = first_packet;
  attributes.max_rd_atomic = port_.reads_at_once();
  attributes.timeout = static_cast<std::uint8_t>(shape_.timeout);
  attributes.retry_cnt = retries;
  attributes.rnr_retry = retries;
  change(queue_pair, attributes,
         IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY, "RTS");
}

std::size_t Connection::offset_of(std::size_t queue_pair, std::size_t slot) const {
  return (queue_pair * slots_ + slot % slots_) * shape_.slot_bytes;
}

ibv_sge Connection::element(std::size_t queue_pair, std::size_t slot) const {
  const auto part = memory_.subspan(offset_of(queue_pair, slot), shape_.slot_bytes);
  return {.addr = std::bit_cast<std::uint64_t>(part.data()),
          .length = static_cast<std::uint32_t>(part.size()),
          .lkey = region_.handle->lkey};
}

void Connection::post(std::size_t queue_pair, RdmaOperation operation, std::size_t first_slot, std::size_t slots) {
  for (std::size_t i = 0; i < slots; ++i) {
    elements_[i] = element(queue_pair, first_slot + i);
    ibv_send_wr& request = requests_[i] = {};
    request.wr_id = queue_pair;
    request.sg_list = &elements_[i];
    request.num_sge = 1;
    request.opcode = opcode(operation);
    request.wr.rdma.remote_addr = partner_.memory + offset_of(queue_pair, first_slot + i);
    request.wr.rdma.rkey = partner_.key;
    if (i > 0) requests_[i - 1].next = &request;
  }
  requests_[slots - 1].send_flags = IBV_SEND_SIGNALED | inline_flag_;
  ibv_send_wr* refused = nullptr;
  require_verbs(ibv_post_send(pairs_[queue_pair].get(), requests_.data(), &refused), "ibv_post_send", port_.name());
}

void Connection::post_receive(std::size_t queue_pair, std::size_t slot) {
  ibv_sge buffer = element(queue_pair, slot);
  ibv_recv_wr request{};
  request.wr_id = queue_pair;
  request.sg_list = &buffer;
  request.num_sge = 1;
  ibv_recv_wr* refused = nullptr;
  require_verbs(ibv_post_recv(pairs_[queue_pair].get(), &request, &refused), "ibv_post_recv", port_.name());
}

void Connection::post_mark() {
  ibv_send_wr request{};
  request.opcode = IBV_WR_SEND_WITH_IMM;
  request.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* refused = nullptr;
  require_verbs(ibv_post_send(pairs_.front().get(), &request, &refused), "ibv_post_send", port_.name());
}

const std::vector<Connection::Completed>& Connection::completed() {
  const int count = ibv_poll_cq(queue_.get(), static_cast<int>(ended_.size()), ended_.data());
  if (count < 0) throw Error(fmt::format("ibv_poll_cq on {} failed", port_.name()));
  std::ranges::fill(completed_, Completed{});
  for (const auto& each : std::span(ended_).first(static_cast<std::size_t>(count))) {
    if (each.status != IBV_WC_SUCCESS)
      throw Error(fmt::format("port {} of {}: {}", port_.number(), port_.name(), ibv_wc_status_str(each.status)));
    auto& own = completed_.at(each.wr_id);
    ++((each.opcode & IBV_WC_RECV) != 0 ? own.messages : own.posts);
    own.mark = own.mark || (each.wc_flags & IBV_WC_WITH_IMM) != 0;
  }
  return completed_;
}

}  // namespace muster::benchmarks::verbs
