// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>

#include "topology/machine/machine.hpp"

// Which attribute of which element of NCCL 2.30's topology XML is which member, once for reading and writing.
// Source: xmlGetAttr and xmlSetAttr in NCCL's src/graph/xml.cc and topo.cc.
namespace muster::topology::nccl_schema {

template <class Owner, class Member>
struct Attribute {
  const char* name;
  Member Owner::*member;
};
template <class Owner, class Member>
Attribute(const char*, Member Owner::*) -> Attribute<Owner, Member>;

// affinity is a mask and handled apart.
inline constexpr std::tuple cpu_head{Attribute{"host_hash", &NumaDomain::host_hash},
                                     Attribute{"numaid", &NumaDomain::number}};
inline constexpr std::tuple cpu_tail{
    Attribute{"arch", &NumaDomain::architecture}, Attribute{"vendor", &NumaDomain::vendor},
    Attribute{"familyid", &NumaDomain::family}, Attribute{"modelid", &NumaDomain::model}};
inline constexpr std::tuple pci{Attribute{"busid", &PciNode::address},
                                Attribute{"class", &PciNode::device_class},
                                Attribute{"vendor", &PciNode::vendor},
                                Attribute{"device", &PciNode::device},
                                Attribute{"subsystem_vendor", &PciNode::subsystem_vendor},
                                Attribute{"subsystem_device", &PciNode::subsystem_device}};
inline constexpr std::tuple link{Attribute{"link_speed", &PciLink::speed}, Attribute{"link_width", &PciLink::width}};
inline constexpr std::tuple gpu{Attribute{"dev", &Gpu::dev},         Attribute{"sm", &Gpu::sm},
                                Attribute{"rank", &Gpu::rank},       Attribute{"gdr", &Gpu::gdr},
                                Attribute{"mlopart", &Gpu::mlopart}, Attribute{"keep", &Gpu::keep}};
inline constexpr std::tuple nvlink{Attribute{"target", &NvLink::target}, Attribute{"count", &NvLink::count},
                                   Attribute{"tclass", &NvLink::target_class}};
inline constexpr std::tuple c2c{Attribute{"bw", &C2c::bandwidth}, Attribute{"count", &C2c::count}};
inline constexpr std::tuple net{
    Attribute{"name", &Net::name},       Attribute{"dev", &Net::dev},     Attribute{"latency", &Net::latency},
    Attribute{"speed", &Net::speed},     Attribute{"port", &Net::port},   Attribute{"guid", &Net::guid},
    Attribute{"maxconn", &Net::maxconn}, Attribute{"gdr", &Net::gdr},     Attribute{"coll", &Net::coll},
    Attribute{"net", &Net::net},         Attribute{"gin", &Net::gin},     Attribute{"rma", &Net::rma},
    Attribute{"rail", &Net::rail},       Attribute{"plane", &Net::plane}, Attribute{"keep", &Net::keep}};

}  // namespace muster::topology::nccl_schema
