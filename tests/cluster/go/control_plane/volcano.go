// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/spf13/pflag"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	leader "k8s.io/component-base/config/options"
	"k8s.io/klog/v2"

	controllersapp "volcano.sh/volcano/cmd/controller-manager/app"
	controllersopt "volcano.sh/volcano/cmd/controller-manager/app/options"
	schedulerapp "volcano.sh/volcano/cmd/scheduler/app"
	scheduleropt "volcano.sh/volcano/cmd/scheduler/app/options"
	webhooksapp "volcano.sh/volcano/cmd/webhook-manager/app"
	webhooksopt "volcano.sh/volcano/cmd/webhook-manager/app/options"
	_ "volcano.sh/volcano/pkg/controllers/cronjob"
	"volcano.sh/volcano/pkg/controllers/framework"
	_ "volcano.sh/volcano/pkg/controllers/garbagecollector"
	_ "volcano.sh/volcano/pkg/controllers/hypernode"
	_ "volcano.sh/volcano/pkg/controllers/job"
	_ "volcano.sh/volcano/pkg/controllers/jobflow"
	_ "volcano.sh/volcano/pkg/controllers/jobtemplate"
	_ "volcano.sh/volcano/pkg/controllers/podgroup"
	_ "volcano.sh/volcano/pkg/controllers/queue"
	_ "volcano.sh/volcano/pkg/controllers/sharding"
	_ "volcano.sh/volcano/pkg/features"
	_ "volcano.sh/volcano/pkg/scheduler/actions"
	_ "volcano.sh/volcano/pkg/scheduler/plugins"
	commonutil "volcano.sh/volcano/pkg/util"
	_ "volcano.sh/volcano/pkg/webhooks/admission/cronjobs/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/hypernodes/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/jobflows/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/jobs/mutate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/jobs/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/podgroups/mutate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/podgroups/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/pods/mutate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/pods/validate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/queues/mutate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/queues/validate"
)

func must(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

// begin starts a program of Volcano's on a flag set of its own: the Kubernetes packages have put theirs, --version first, on the common one.
func begin() {
	pflag.CommandLine = pflag.NewFlagSet(os.Args[0], pflag.ExitOnError)
	klog.InitFlags(nil)
	flag.Set("stderrthreshold", "INFO")
}

func parse() func() {
	utilfeature.DefaultMutableFeatureGate.AddFlag(pflag.CommandLine)
	cliflag.InitFlags()
	klog.StartFlushDaemon(5 * time.Second)
	return klog.Flush
}

func volcanoScheduler() {
	begin()
	s := scheduleropt.NewServerOption()
	s.AddFlags(pflag.CommandLine)
	commonutil.LeaderElectionDefault(&s.LeaderElection)
	s.LeaderElection.ResourceName = commonutil.GenerateComponentName(s.SchedulerNames)
	leader.BindLeaderElectionFlags(&s.LeaderElection, pflag.CommandLine)
	s.RegisterOptions()
	defer parse()()
	must("options", s.CheckOptionOrDie())
	must("run", schedulerapp.Run(s))
}

func volcanoControllers() {
	begin()
	s := controllersopt.NewServerOption()
	var names []string
	framework.ForeachController(func(c framework.Controller) { names = append(names, c.Name()) })
	sort.Strings(names)
	s.AddFlags(pflag.CommandLine, names)
	framework.ForeachController(func(c framework.Controller) {
		if p, ok := c.(framework.FlagProvider); ok {
			p.AddFlags(pflag.CommandLine)
		}
	})
	commonutil.LeaderElectionDefault(&s.LeaderElection)
	s.LeaderElection.ResourceName = "vc-controller-manager"
	leader.BindLeaderElectionFlags(&s.LeaderElection, pflag.CommandLine)
	defer parse()()
	must("options", s.CheckOptionOrDie())
	must("run", controllersapp.Run(s))
}

func volcanoWebhooks() {
	begin()
	c := webhooksopt.NewConfig()
	c.AddFlags(pflag.CommandLine)
	defer parse()()
	must("port", c.CheckPortOrDie())
	must("certificates", c.ParseCAFiles(nil))
	must("run", webhooksapp.Run(c))
}
