// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "benchmarks/nvml/calls.hpp"

// A libnvidia-ml.so.1 for tests alone. It keeps no state: all it says is in the folder MUSTER_NVML_GPUS, of the library
// in nvml.json and of each GPU in ADDRESS.json ("0001:00:00.0.json"), by the names of NVML's functions. What is not
// there it refuses as "Not Supported"; {"refused": 15} is an error of NVML, and a function that "hangs" never returns.
namespace muster::tests::nvml {

using benchmarks::nvml::Code;
using benchmarks::nvml::Device;
using Json = nlohmann::json;

Json library();

Json gpu_of(Device device);

// `take` gets what is said of a function, where it is no error.
template <class Take>
Code answer(const Json& from, const std::string& function, const Take& take) {
  const auto found = from.find(function);
  if (found == from.end()) return Code::not_supported;
  if (found->is_object() && found->contains("refused")) return static_cast<Code>(found->at("refused").get<int>());
  while (*found == "hangs") pause();
  take(*found);
  return Code::success;
}

inline Code text(const Json& from, const char* function, char* buffer, unsigned size) {
  return answer(from, function, [&](const Json& said) { std::strncpy(buffer, said.get<std::string>().c_str(), size); });
}

template <class Number>
Code number(const Json& from, const std::string& function, Number* into) {
  return answer(from, function, [&](const Json& said) { *into = said.get<Number>(); });
}

template <class Number>
Code numbers(const Json& from, const std::string& function, Number* first, Number* second) {
  return answer(from, function, [&](const Json& said) {
    *first = said.at(0).get<Number>();
    *second = said.at(1).get<Number>();
  });
}

}  // namespace muster::tests::nvml
