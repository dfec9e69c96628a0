# SPDX-License-Identifier: Apache-2.0
"""Values of the chart allreduce that its schema refuses, and some that it takes."""
import shared_values

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own:
# those of the charts, and its own. "[]" is an element of an array, "*" a field that a pattern names.
WRONG = shared_values.wrong(
    "global", "fullnameOverride", "image", "imagePullSecrets", "registryPrefix", "gpusPerNode", "gpuResource", "rdma",
    "resources", "shmSize", "tier", "profile", "profileContent", "deadline", "priorityClassName", "nodeSelector", "affinity",
    "tolerations", "podAnnotations", "runtimeClassName", "security", "results") | {
    "nameBy": "date",
    "launcher": "slurm",
    "numNodes": 0,
    "ranksPerNode": 0,
    "launcherResources.cpu": -1,
    "launcherResources.memory": "0Gi",
    "operation": "all_reduce",
    "sizes.min": 0,
    "sizes.max": "64 M",
    "sizes.factor": 1,
    "checkArguments": "--in-place",
    "checkArguments.[]": "",
    "topologyFile": "ndv5 topo.xml",
    "topologyContent": 1,
    "nccl.*": ["INFO"],
    "mpi.*": {"value": 1},
    "interface": "more-than-15-characters",
    "sshPort": 22,
    "wait": 0,
    "pendingTimeout": 0,
    "dependsOn": "yes",
    "ttlSecondsAfterFinished": 0,
    "queue": "",
    "spread": "always",
    "azureml.enabled": "true",
    "azureml.system": 1,
    "azureml.memoryReservePercent": 51,
}
# A field that a pattern of the schema takes, and one that it does not.
FIELDS = {
    "nccl": ("NCCL_DEBUG", "NCCL_debug"),
    "mpi": ("UCX_TLS", "PATH"),
    "nodeSelector": shared_values.NODE_LABEL,
    "podAnnotations": shared_values.ANNOTATION,
}
RIGHT = shared_values.RIGHT + [
    {"rdma": {"resource": "", "count": 0}}, {"rdma": {"resource": "rdma/shared_ib", "count": 1}},
    {"resources": {"cpu": 1.5, "memory": "16Gi"}}, {"resources": {"cpu": "500m"}}, {"resources": {"cpu": "2"}}, {"shmSize": ""},
    {"sizes": {"min": 8, "max": "64M", "factor": 2}}, {"sizes": {"min": "4K", "max": "1GiB", "factor": "16"}},
    {"checkArguments": ["--split", "node"]}, {"interface": "eth0.100"}, {"interface": "10.0.0.0/8"},
    {"nccl": {"NCCL_IB_HCA": "^mlx5_2,mlx5_3", "NCCL_DEBUG": "INFO", "NCCL_BUFFSIZE": 4194304, "NCCL_P2P_DISABLE": False}},
    {"mpi": {"OMPI_MCA_coll_hcoll_enable": 0, "UCX_NET_DEVICES": "mlx5_0:1"}},
    {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}},
]
# Beside each choice of the schema, and the fields without a default.
WITH_CHOICES = {"numNodes": 1}
NO_DEFAULT = {"": {"global"}, "rdma.": {"count"}}
