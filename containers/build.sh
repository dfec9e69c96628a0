#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh host|gpu FOLDER: in a stage of the Containerfile, leaves the package of muster in the folder, and of the wheels
# what runs and what they say of themselves.
set -euo pipefail
preset=$1 built=$2
cd "$(dirname "$0")/.."

apt-get update
apt-get install --yes --no-install-recommends ccache file python3
# Precompiled headers are kept too; only the contents of files count, because each build has fresh ones.
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
gpu=0
if [[ $preset == gpu ]]; then gpu=1; fi
MUSTER_GPU=$gpu ./muster list
cmake --build "build/$preset"
cpack --config "build/$preset/CPackConfig.cmake" -G DEB -B "$built/package"
mkdir "$built/lib" "$built/wheels"
mv "$built"/package/*.deb "$built"
rm -r "$built/package"
[[ $preset == gpu ]] || exit 0

toolkit=build/gpu/toolkit
cp "$toolkit"/nvidia/nccl/lib/libnccl.so.2 "$toolkit"/nvidia/cu13/lib/libcublasLt.so.13 "$built/lib"
strip --strip-unneeded "$built/lib/libnccl.so.2"
cp -r "$toolkit"/nvidia_{nccl,cublas,cuda_runtime}*.dist-info "$built/wheels"
