# SPDX-License-Identifier: Apache-2.0
"""Jobs over RDMA between two machines: a Soft-RoCE device, rxe0, at each end of their wire."""
from guests import JobsInGuests
from muster import accused


class RdmaJobs(JobsInGuests):
    JOB = f"""
{JobsInGuests.JOB}
rdma link add rxe0 type rxe netdev wire && there rdma link add rxe0 type rxe netdev wire || exit 1
meanwhile() {{ # COMMAND: the other host runs it once the next job has sent it a megabyte; to ask it only then may take too long
  there "
    got() {{ cat /sys/class/net/wire/statistics/rx_bytes; }}
    before=\\$(got)
    (until [ \\$(got) -gt \\$((before + 1000000)) ]; do sleep 0.2; done; $*) </dev/null >/dev/null 2>&1 &"
}}
"""

    def ended(self, name):
        """The exit code of a job, what it accuses (fault code, host and device), and what it said."""
        code, document, said = self.job(name)
        return code, accused(document, "host", "nic"), said

    def facts(self, name, metric):
        return [fact for fact in self.job(name)[1]["checks"][0]["measurements"] if fact["metric"] == metric]

    def assert_healthy_over_the_wire(self, name, metric):
        """Every operation was measured both ways, counters prove that it crossed the wire, and every byte arrived."""
        code, found, said = self.ended(name)
        self.assertEqual((code, found), (0, set()), said)
        facts = [fact["labels"] for fact in self.facts(name, metric)]
        self.assertEqual(sorted((labels["host"], labels["partner"], labels["operation"]) for labels in facts),
                         [(host, partner, operation) for host, partner in (("guest1", "guest2"), ("guest2", "guest1"))
                          for operation in ("read", "send", "write")])
        self.assertEqual({(labels["nic"], labels["path"]) for labels in facts}, {("rxe0", "wire")})
        check = metric.split(".", maxsplit=1)[0]
        wrong = [fact["value"]["value"] for fact in self.facts(name, f"{check}.wrong_bytes")]
        self.assertEqual((len(wrong) >= len(facts), set(wrong)), (True, {0}), said)
        self.assertEqual([fact["value"] for fact in self.facts(name, f"{check}.counter")], ["tx_bytes of wire"] * 2, said)
