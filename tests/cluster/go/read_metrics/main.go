// SPDX-License-Identifier: Apache-2.0

// read_metrics reads files, whose paths come on stdin, by Prometheus' own readers: that of OpenMetrics, that of its text format,
// and the lint of promtool. For each it prints a line of JSON: how many series each reader found, and what is wrong.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

type found struct {
	File        string   `json:"file"`
	OpenMetrics int      `json:"openmetrics"`
	Text        int      `json:"text"`
	Wrong       []string `json:"wrong"`
}

func openMetrics(text []byte) (int, error) {
	parser := textparse.NewOpenMetricsParser(text, labels.NewSymbolTable())
	for series := 0; ; {
		entry, err := parser.Next()
		if errors.Is(err, io.EOF) {
			return series, nil
		}
		if err != nil {
			return series, err
		}
		if entry == textparse.EntrySeries {
			series++
		}
	}
}

func read(file string) found {
	result := found{File: file, Wrong: []string{}}
	text, err := os.ReadFile(file)
	note := func(reader string, err error) {
		if err != nil {
			result.Wrong = append(result.Wrong, reader+": "+err.Error())
		}
	}
	note("file", err)
	result.OpenMetrics, err = openMetrics(text)
	note("openmetrics", err)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	note("text", err)
	for _, family := range families {
		result.Text += len(family.Metric)
	}
	problems, err := promlint.New(bytes.NewReader(text)).Lint()
	note("lint", err)
	for _, problem := range problems {
		result.Wrong = append(result.Wrong, "lint: "+problem.Metric+": "+problem.Text)
	}
	return result
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := out.Encode(read(lines.Text())); err != nil {
			os.Exit(1)
		}
	}
}
