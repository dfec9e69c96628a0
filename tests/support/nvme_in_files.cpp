// SPDX-License-Identifier: Apache-2.0
// libnvme's way to ask a drive, linked in its place: the device file is an ordinary one that holds the answer.
#include <libnvme.h>
#include <unistd.h>

#include <cerrno>

extern "C" int nvme_get_log(nvme_get_log_args* request) {
  const auto bytes = pread(request->fd, request->log, request->len, 0);
  if (bytes == request->len && request->lid == NVME_LOG_LID_SMART && request->nsid == NVME_NSID_ALL && request->rae)
    return 0;
  if (bytes > 0) return NVME_SC_INVALID_FIELD;  // an answer that is cut off
  errno = ENODEV;
  return -1;
}
