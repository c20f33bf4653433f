package samples

import "fmt"

// clouds are the outputs of cloud platforms and their tools.
var clouds = []Sample{
	{Name: "kubernetes", Text: "a list of pods as kubectl prints it: deep, with fields that are there now and then", Records: "items[]", size: 40,
		each: pod, whole: within("items", "apiVersion", "v1", "kind", "List", "metadata", object{"resourceVersion", ""})},
	{Name: "cloudtrail", Text: "records of an audit trail whose parameters depend on the event, or are null", Records: "Records[]", size: 120,
		each: trail, whole: within("Records")},
	{Name: "otlp", Text: "spans in the JSON of OpenTelemetry, with values of several kinds", Records: "resourceSpans[]", size: 12,
		each: spans, whole: within("resourceSpans")},
	{Name: "prometheus", Text: "a write request: labels, and samples with values as numbers", Records: "timeseries[]", size: 60,
		each: series, whole: within("timeseries")},
	{Name: "packagelock", Text: "a lock file: a map of packages by path, each with other optional fields", size: 150,
		each: lockedPackage, whole: lockFile},
	{Name: "flags", Text: "feature flags: a map by name, with rules that may be empty", size: 60,
		each: flag, whole: byKey("flags", "version", 7)},
	{Name: "logs", Text: "logs with dotted keys, of which each message has its own", lines: true, size: 200,
		each: logLine},
	{Name: "iot", Text: "telemetry of devices with different sensors", lines: true, size: 200,
		each: telemetry},
	{Name: "blocks", Text: "blocks of a chain as JSON-RPC returns them, all numbers as hex", Records: "[].result", size: 25,
		each: block},
	{Name: "openapi", Text: "the schemas of an interface: messages that hold themselves, and a key with a sign", size: 40,
		each: apiSchema, whole: byKey("schemas", "openapi", "3.1.0")},
}

// byKey returns a func that merges records, each a list of a key and a value, into an object. It
// puts the object under a key, after other keys.
func byKey(key string, other ...any) func(*maker, []any) any {
	return func(_ *maker, records []any) any {
		all := object{}
		for _, r := range records {
			all = append(all, r.([]any)...)
		}
		return append(append(object{}, other...), key, all)
	}
}

func pod(m *maker, i int) any {
	app := m.word()
	name := fmt.Sprintf("%s-%s-%s", app, m.hex(9), m.hex(5))
	container := func(int) any {
		return object{
			"name", app, "image", fmt.Sprintf("registry.example.com/%s:%d.%d.%d", app, m.IntN(4), m.IntN(20), m.IntN(9)),
			"args", m.maybe(40, m.list(1+m.IntN(3), func(int) any { return "--" + m.word() + "=" + m.word() })),
			"ports", m.maybe(60, m.list(1+m.IntN(2), func(int) any {
				return object{"containerPort", 8000 + m.IntN(1000), "name", m.maybe(50, "http"), "protocol", "TCP"}
			})),
			"env", m.maybe(50, m.list(1+m.IntN(4), func(int) any {
				return object{"name", m.pick("LOG_LEVEL|REGION|MODE|TOKEN"), "value", m.maybe(60, m.word()),
					"valueFrom", m.maybe(30, object{"secretKeyRef", object{"key", "token", "name", app}})}
			})),
			"resources", m.or(60, object{"limits", object{"memory", "128Mi"}, "requests", object{"cpu", "100m", "memory", "64Mi"}}, object{}),
			"livenessProbe", m.maybe(30, object{"failureThreshold", 3, "httpGet", object{"path", "/live", "port", "http", "scheme", "HTTP"}, "periodSeconds", 10}),
			"terminationMessagePath", "/dev/termination-log", "imagePullPolicy", "IfNotPresent",
		}
	}
	running := m.IntN(10) > 0
	return object{
		"apiVersion", "v1", "kind", "Pod",
		"metadata", object{
			"creationTimestamp", m.time(), "generateName", name[:len(name)-5],
			"labels", object{"app", app, "pod-template-hash", m.hex(9), "tier", m.maybe(30, m.pick("front|back"))},
			"annotations", m.maybe(30, object{"example.com/checksum", m.hex(32)}),
			"name", name, "namespace", m.pick("default|prod|kube-system"), "resourceVersion", fmt.Sprint(100000 + i),
			"ownerReferences", m.maybe(80, []any{object{"apiVersion", "apps/v1", "blockOwnerDeletion", true, "controller", true, "kind", "ReplicaSet", "name", app, "uid", m.uuid()}}),
			"uid", m.uuid(),
		},
		"spec", object{
			"containers", m.list(1+m.IntN(2), container), "dnsPolicy", "ClusterFirst",
			"nodeName", m.maybe(90, fmt.Sprintf("node-%d", m.IntN(5))), "nodeSelector", m.maybe(10, object{"disk", "ssd"}),
			"restartPolicy", "Always", "securityContext", object{}, "serviceAccountName", "default",
			"tolerations", m.maybe(70, []any{object{"effect", "NoExecute", "key", "node.kubernetes.io/not-ready", "operator", "Exists", "tolerationSeconds", 300}}),
			"volumes", m.maybe(60, []any{object{"name", "token", "projected", object{"defaultMode", 420, "sources", []any{object{"serviceAccountToken", object{"expirationSeconds", 3607, "path", "token"}}}}}}),
		},
		"status", object{
			"conditions", m.list(2, func(i int) any {
				return object{"lastProbeTime", nil, "lastTransitionTime", m.time(), "message", m.maybe(20, m.sentence(5)), "reason", m.maybe(20, "ContainersNotReady"),
					"status", m.pick("True|False"), "type", []string{"Ready", "PodScheduled"}[i]}
			}),
			"containerStatuses", m.maybe(90, []any{object{
				"containerID", m.maybe(80, "containerd://"+m.hex(32)), "image", app, "imageID", m.or(80, app+"@sha256:"+m.hex(32), ""),
				"lastState", m.or(20, object{"terminated", object{"exitCode", m.IntN(3), "finishedAt", m.time(), "reason", "Error", "startedAt", m.time()}}, object{}),
				"name", app, "ready", running, "restartCount", m.IntN(4), "started", running,
				"state", m.or(90, object{"running", object{"startedAt", m.time()}}, object{"waiting", object{"message", m.sentence(4), "reason", "CrashLoopBackOff"}}),
			}}),
			"hostIP", m.maybe(90, "10.0.0.4"), "phase", m.pick("Running|Running|Pending|Succeeded"), "podIP", m.maybe(90, fmt.Sprintf("10.1.%d.%d", m.IntN(8), m.IntN(250))),
			"qosClass", "Burstable", "startTime", m.maybe(95, m.time()),
		},
	}
}

func trail(m *maker, _ int) any {
	var parameters, response any
	event := m.pick("PutObject|AssumeRole|DescribeInstances|CreateUser")
	switch event {
	case "PutObject":
		parameters = object{"bucketName", m.word(), "Host", "s3.example.com", "key", m.word() + "/" + m.hex(8)}
	case "AssumeRole":
		parameters = object{"roleArn", "arn:aws:iam::123456789012:role/" + m.word(), "roleSessionName", m.word(), "durationSeconds", 3600}
		response = object{"credentials", object{"accessKeyId", "ASIA" + m.hex(12), "expiration", m.time()}, "assumedRoleUser", object{"assumedRoleId", m.hex(16)}}
	case "DescribeInstances":
		parameters = m.orNull(50, object{"maxResults", 100, "filterSet", object{}})
	default:
		parameters = object{"userName", m.word(), "path", m.maybe(30, "/staff/")}
		response = object{"user", object{"userName", m.word(), "createDate", m.time(), "userId", "AIDA" + m.hex(12)}}
	}
	return object{
		"eventVersion", "1.08",
		"userIdentity", object{"type", m.pick("IAMUser|AssumedRole|AWSService"), "principalId", m.maybe(80, "AIDA"+m.hex(12)), "accountId", m.maybe(80, "123456789012"),
			"userName", m.maybe(50, m.word()), "sessionContext", m.maybe(40, object{"attributes", object{"mfaAuthenticated", m.pick("true|false"), "creationDate", m.time()}}),
			"invokedBy", m.maybe(20, "s3.example.com")},
		"eventTime", m.time(), "eventSource", "service.example.com", "eventName", event, "awsRegion", m.pick("eu-west-1|us-east-1"),
		"sourceIPAddress", fmt.Sprintf("192.0.2.%d", m.IntN(250)), "userAgent", "sdk-go/1.5 (linux; amd64)",
		"errorCode", m.maybe(10, "AccessDenied"), "errorMessage", m.maybe(10, m.sentence(6)),
		"requestParameters", parameters, "responseElements", response,
		"additionalEventData", m.maybe(30, object{"bytesTransferredIn", m.IntN(5000), "CipherSuite", "TLS_AES_128_GCM_SHA256"}),
		"requestID", m.uuid(), "eventID", m.uuid(), "readOnly", m.IntN(2) == 0,
		"resources", m.maybe(30, []any{object{"ARN", "arn:aws:s3:::" + m.word(), "accountId", m.maybe(50, "123456789012"), "type", "AWS::S3::Object"}}),
		"eventType", "AwsApiCall", "managementEvent", true, "recipientAccountId", "123456789012", "eventCategory", "Management",
	}
}

func attribute(m *maker) any {
	return object{"key", m.pick("http.method|http.status_code|retry|duration|peer"),
		"value", []any{object{"stringValue", m.word()}, object{"intValue", fmt.Sprint(m.IntN(600))}, object{"boolValue", true}, object{"doubleValue", m.decimals(9, 3)},
			object{"arrayValue", object{"values", []any{object{"stringValue", m.word()}, object{"stringValue", m.word()}}}}}[m.IntN(5)]}
}

func spans(m *maker, _ int) any {
	start := 1_760_000_000_000_000_000 + m.Int64N(1e15)
	return object{
		"resource", object{"attributes", m.list(2, func(int) any { return attribute(m) })},
		"scopeSpans", []any{object{
			"scope", object{"name", m.word(), "version", m.maybe(50, "1.2.0")},
			"spans", m.list(4+m.IntN(5), func(int) any {
				return object{
					"traceId", m.hex(32), "spanId", m.hex(16), "parentSpanId", m.maybe(70, m.hex(16)), "name", m.word(), "kind", 1 + m.IntN(5),
					"startTimeUnixNano", fmt.Sprint(start), "endTimeUnixNano", fmt.Sprint(start + m.Int64N(1e9)),
					"attributes", m.list(m.IntN(5), func(int) any { return attribute(m) }),
					"events", m.maybe(20, []any{object{"timeUnixNano", fmt.Sprint(start), "name", "exception", "attributes", []any{attribute(m)}}}),
					"status", m.or(30, object{"code", 2, "message", m.maybe(50, m.sentence(4))}, object{}),
				}
			}),
		}},
	}
}

func series(m *maker, _ int) any {
	labels := []any{object{"name", "__name__", "value", m.word() + "_total"}}
	for range 1 + m.IntN(4) {
		labels = append(labels, object{"name", m.word(), "value", m.word()})
	}
	at := 1_760_000_000_000 + m.Int64N(1e9)
	return object{
		"labels", labels,
		"samples", m.list(1+m.IntN(12), func(i int) any {
			return object{"value", m.decimals(1000, m.IntN(4)), "timestamp", at + 15000*int64(i)}
		}),
		"exemplars", m.maybe(10, []any{object{"labels", []any{object{"name", "trace_id", "value", m.hex(16)}}, "value", m.decimals(1, 3), "timestamp", at}}),
	}
}

func lockedPackage(m *maker, i int) any {
	name := fmt.Sprintf("%s-%s", m.word(), m.word())
	dependencies := func(percent int) any {
		all := object{}
		for range 1 + m.IntN(4) {
			all = append(all, fmt.Sprintf("%s-%s", m.word(), m.hex(3)), fmt.Sprintf("^%d.%d.0", m.IntN(9), m.IntN(20)))
		}
		return m.maybe(percent, all)
	}
	return []any{fmt.Sprintf("node_modules/%s%d", name, i), object{
		"version", fmt.Sprintf("%d.%d.%d", m.IntN(9), m.IntN(20), m.IntN(9)),
		"resolved", "https://registry.example.com/" + name + "/-/" + name + ".tgz",
		"integrity", "sha512-" + m.hex(86) + "==",
		"dev", m.maybe(40, true), "optional", m.maybe(5, true), "peer", m.maybe(5, true), "license", m.maybe(90, m.pick("MIT|ISC|Apache-2.0")),
		"dependencies", dependencies(60), "peerDependencies", dependencies(10), "bin", m.maybe(10, object{name, "bin/cli.js"}),
		"engines", m.maybe(50, object{"node", ">=" + fmt.Sprint(10+2*m.IntN(6))}),
		"funding", m.maybe(10, object{"url", "https://example.com/fund/" + name}),
	}}
}

func lockFile(m *maker, records []any) any {
	packages := object{"", object{"name", "app", "version", "1.0.0", "dependencies", object{m.word(), "^1.0.0"}}}
	for _, r := range records {
		packages = append(packages, r.([]any)...)
	}
	return object{"name", "app", "version", "1.0.0", "lockfileVersion", 3, "requires", true, "packages", packages}
}

func flag(m *maker, i int) any {
	return []any{fmt.Sprintf("%s-%d", m.word(), 1000+i), object{
		"enabled", m.IntN(2) == 0, "description", m.or(70, m.sentence(4), ""), "owner", m.orNull(60, m.word()+"@example.com"),
		"rules", m.list(m.IntN(3), func(int) any {
			return object{"attribute", m.pick("country|plan|version"), "op", m.pick("in|eq|gte"), "values", m.list(m.IntN(4), func(int) any { return m.word() }), "rollout", m.maybe(40, m.IntN(100))}
		}),
		"variants", m.or(40, object{"on", 50, "off", 50}, object{}), "tags", []any{}, "expires", nil,
	}}
}

func logLine(m *maker, _ int) any {
	line := object{"@timestamp", m.time(), "log.level", m.pick("info|warn|error"), "message", m.sentence(4), "service.name", m.word(), "host.name", m.word()}
	switch m.IntN(4) {
	case 0:
		line = append(line, "http.request.method", m.pick("GET|POST"), "http.response.status_code", 200+m.IntN(300), "url.path", "/"+m.word(), "event.duration", m.IntN(1e9))
	case 1:
		line = append(line, "error.type", "*errors.errorString", "error.message", m.sentence(5), "error.stack_trace", m.maybe(50, "main.go:12\n\tmain.main()"))
	case 2:
		line = append(line, "db.statement", "SELECT * FROM "+m.word(), "db.rows", m.IntN(500))
	}
	return append(line, "trace.id", m.maybe(60, m.hex(32)))
}

func telemetry(m *maker, i int) any {
	return object{
		"device", fmt.Sprintf("d-%04d", i%20), "ts", 1_760_000_000_000 + int64(i)*1000, "seq", i,
		"temp", m.maybe(80, m.decimals(40, 1)), "humidity", m.maybe(60, m.decimals(100, 1)), "pressure", m.maybe(30, 950+m.decimals(100, 2)),
		"battery", m.maybe(90, m.decimals(4, 2)), "gps", m.maybe(25, object{"lat", 40 + m.decimals(20, 5), "lon", m.decimals(20, 5), "alt", m.maybe(50, m.IntN(900)), "hdop", m.maybe(50, m.decimals(3, 1))}),
		"alarms", m.maybe(10, []any{m.pick("low-battery|door|shock")}), "fw", m.maybe(5, "2.1.0"),
	}
}

func block(m *maker, i int) any {
	hex := func(n int) string { return "0x" + m.hex(n) }
	return object{
		"jsonrpc", "2.0", "id", i,
		"result", object{
			"baseFeePerGas", hex(9), "difficulty", "0x0", "extraData", hex(m.IntN(20)), "gasLimit", "0x1c9c380", "gasUsed", hex(6), "hash", hex(64),
			"logsBloom", hex(128), "miner", hex(40), "nonce", "0x0000000000000000", "number", fmt.Sprintf("0x%x", 18_000_000+i), "parentHash", hex(64),
			"timestamp", fmt.Sprintf("0x%x", 1_760_000_000+12*i), "uncles", []any{}, "withdrawals", m.maybe(50, m.list(2, func(int) any {
				return object{"address", hex(40), "amount", hex(7), "index", hex(7), "validatorIndex", hex(5)}
			})),
			"transactions", m.list(2+m.IntN(5), func(n int) any {
				kind := m.IntN(3)
				t := object{"blockNumber", fmt.Sprintf("0x%x", 18_000_000+i), "from", hex(40), "gas", hex(5), "gasPrice", hex(9), "hash", hex(64), "input", m.or(50, "0x", hex(8+64*m.IntN(3))),
					"nonce", hex(2), "to", m.orNull(90, hex(40)), "transactionIndex", fmt.Sprintf("0x%x", n), "type", fmt.Sprintf("0x%x", kind), "value", hex(12), "r", hex(64), "s", hex(64), "v", "0x1"}
				if kind > 0 {
					t = append(t, "accessList", m.list(m.IntN(2), func(int) any {
						return object{"address", hex(40), "storageKeys", m.list(m.IntN(3), func(int) any { return hex(64) })}
					}), "chainId", "0x1")
				}
				if kind > 1 {
					t = append(t, "maxFeePerGas", hex(9), "maxPriorityFeePerGas", hex(8))
				}
				return t
			}),
		},
	}
}

func apiSchema(m *maker, i int) any {
	var property func(depth int) any
	property = func(depth int) any {
		switch n := m.IntN(6); {
		case n == 0:
			return object{"$ref", "#/schemas/" + m.word()}
		case n == 1 && depth < 3:
			return object{"type", "array", "items", property(depth + 1)}
		case n == 2 && depth < 3:
			return object{"type", "object", "properties", object{m.word() + "Id", property(depth + 1), m.word() + "Name", property(depth + 1)}, "required", m.maybe(50, []any{m.word()})}
		default:
			return object{"type", m.pick("string|integer|boolean"), "format", m.maybe(30, "int64"), "description", m.maybe(40, m.sentence(5)), "nullable", m.maybe(20, true), "enum", m.maybe(10, []any{"a", "b"})}
		}
	}
	return []any{fmt.Sprintf("%s%d", m.word(), 100+i), object{"type", "object", "properties", object{"id", property(2), m.word() + "At", property(0), m.word() + "Of", property(1)}, "required", m.maybe(60, []any{"id"})}}
}
