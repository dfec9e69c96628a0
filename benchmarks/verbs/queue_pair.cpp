// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/queue_pair.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/call.hpp"
#include "results/quantity.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::uint32_t first_packet = 0;
constexpr std::uint8_t hops = 64;
constexpr std::uint8_t receiver_not_ready_timer = 12;  // 0.64 ms (IBTA, encoding of the RNR NAK timer)
constexpr std::uint8_t timeout = 14;                   // 4.096 us * 2^14 = 67 ms, as perftest
constexpr std::size_t most_inline = 220;               // as perftest
constexpr std::uint8_t retries = 7;                    // for receivers that are not ready it means: for ever

std::string amount(double bytes) { return results::to_text(results::Quantity{bytes, results::Unit::byte}); }

// Locked memory is what containers and shells run out of first.
MemoryRegion registered(ibv_pd* domain, std::span<std::byte> memory) {
  constexpr int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  if (auto* region = ibv_reg_mr(domain, memory.data(), memory.size(), access)) return MemoryRegion(region);
  const auto size = amount(static_cast<double>(memory.size()));
  rlimit limit{};
  if (errno != ENOMEM || getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    verbs_failed("ibv_reg_mr of " + size);
  throw Error(fmt::format(
      "{} cannot be locked, the limit of this process is {}: raise it (ulimit -l, LimitMEMLOCK= of the container "
      "runtime's service); in a pod the capability IPC_LOCK helps only where the container runs as root",
      size, amount(static_cast<double>(limit.rlim_cur))));
}

RawQueuePair create(ibv_pd* domain, ibv_cq* queue, std::size_t depth, std::size_t inline_bytes) {
  ibv_qp_init_attr wanted{};
  wanted.send_cq = queue;
  wanted.recv_cq = queue;
  wanted.qp_type = IBV_QPT_RC;
  wanted.cap = {.max_send_wr = static_cast<std::uint32_t>(depth),
                .max_recv_wr = static_cast<std::uint32_t>(depth),
                .max_send_sge = 1,
                .max_recv_sge = 1,
                .max_inline_data = static_cast<std::uint32_t>(inline_bytes)};
  return RawQueuePair(made(ibv_create_qp(domain, &wanted), "ibv_create_qp"));
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

QueuePair::QueuePair(const RdmaPort& port, std::span<std::byte> memory, std::size_t slot_bytes, std::size_t depth,
                     bool inlines)
    : port_(port),
      memory_(memory),
      slot_bytes_(slot_bytes),
      inline_flag_(inlines && slot_bytes <= most_inline ? unsigned{IBV_SEND_INLINE} : 0U),
      domain_(made(ibv_alloc_pd(port.device()), "ibv_alloc_pd")),
      region_(registered(domain_.get(), memory)),
      queue_(made(ibv_create_cq(port.device(), static_cast<int>(2 * depth), nullptr, nullptr, 0), "ibv_create_cq")),
      pair_(create(domain_.get(), queue_.get(), depth, inline_flag_ != 0 ? slot_bytes : 0)),
      elements_(depth),
      requests_(depth) {}

QueuePairAddress QueuePair::address() const {
  return {.number = pair_->qp_num,
          .lid = port_.attributes().lid,
          .gid = port_.gid().entry.gid,
          .mtu = port_.attributes().active_mtu,
          .memory = std::bit_cast<std::uint64_t>(memory_.data()),
          .key = region_->rkey};
}

void QueuePair::change(const ibv_qp_attr& attributes, int mask, std::string_view to) const {
  ibv_qp_attr copy = attributes;
  require_verbs(ibv_modify_qp(pair_.get(), &copy, mask | IBV_QP_STATE),
                fmt::format("ibv_modify_qp of {} to {}", port_.name(), to));
}

void QueuePair::connect(const QueuePairAddress& partner) {
  partner_ = partner;
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.pkey_index = port_.partition_index();
  attributes.port_num = port_.number();
  attributes.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  change(attributes, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");

  attributes = {};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = std::min(partner.mtu, port_.attributes().active_mtu);
  attributes.dest_qp_num = partner.number;
  attributes.rq_psn = first_packet;
  attributes.max_dest_rd_atomic = port_.reads_at_once();
  attributes.min_rnr_timer = receiver_not_ready_timer;
  attributes.ah_attr.dlid = partner.lid;
  attributes.ah_attr.port_num = port_.number();
  if (port_.is_ethernet()) {
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.grh.dgid = partner.gid;
    attributes.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(port_.gid().entry.gid_index);
    attributes.ah_attr.grh.hop_limit = hops;
  }
  change(
      attributes,
      IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
      "RTR");

  attributes = {};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = first_packet;
  attributes.max_rd_atomic = port_.reads_at_once();
  attributes.timeout = timeout;
  attributes.retry_cnt = retries;
  attributes.rnr_retry = retries;
  change(attributes, IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY,
         "RTS");
}

ibv_sge QueuePair::element(std::size_t slot) const {
  const auto part = memory_.subspan(slot % slots() * slot_bytes_, slot_bytes_);
  return {.addr = std::bit_cast<std::uint64_t>(part.data()),
          .length = static_cast<std::uint32_t>(part.size()),
          .lkey = region_->lkey};
}

void QueuePair::post(RdmaOperation operation, std::size_t first_slot, std::size_t slots) {
  for (std::size_t i = 0; i < slots; ++i) {
    elements_[i] = element(first_slot + i);
    ibv_send_wr& request = requests_[i] = {};
    request.sg_list = &elements_[i];
    request.num_sge = 1;
    request.opcode = opcode(operation);
    request.wr.rdma.remote_addr = partner_.memory + (first_slot + i) % this->slots() * slot_bytes_;
    request.wr.rdma.rkey = partner_.key;
    if (i > 0) requests_[i - 1].next = &request;
  }
  requests_[slots - 1].send_flags = IBV_SEND_SIGNALED | inline_flag_;
  ibv_send_wr* refused = nullptr;
  require_verbs(ibv_post_send(pair_.get(), requests_.data(), &refused),
                fmt::format("ibv_post_send on {}", port_.name()));
}

void QueuePair::post_receive(std::size_t slot) {
  ibv_sge buffer = element(slot);
  ibv_recv_wr request{};
  request.sg_list = &buffer;
  request.num_sge = 1;
  ibv_recv_wr* refused = nullptr;
  require_verbs(ibv_post_recv(pair_.get(), &request, &refused), fmt::format("ibv_post_recv on {}", port_.name()));
}

void QueuePair::post_mark() {
  ibv_send_wr request{};
  request.opcode = IBV_WR_SEND_WITH_IMM;
  request.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* refused = nullptr;
  require_verbs(ibv_post_send(pair_.get(), &request, &refused), fmt::format("ibv_post_send on {}", port_.name()));
}

QueuePair::Completed QueuePair::completed() {
  std::array<ibv_wc, 16> ended{};
  const int count = ibv_poll_cq(queue_.get(), static_cast<int>(ended.size()), ended.data());
  if (count < 0) throw Error(fmt::format("ibv_poll_cq on {} failed", port_.name()));
  Completed completed;
  for (const auto& each : std::span(ended).first(static_cast<std::size_t>(count))) {
    if (each.status != IBV_WC_SUCCESS)
      throw Error(fmt::format("port {} of {}: {}", port_.number(), port_.name(), ibv_wc_status_str(each.status)));
    ++((each.opcode & IBV_WC_RECV) != 0 ? completed.messages : completed.posts);
    completed.mark = completed.mark || (each.wc_flags & IBV_WC_WITH_IMM) != 0;
  }
  return completed;
}

}  // namespace muster::benchmarks
