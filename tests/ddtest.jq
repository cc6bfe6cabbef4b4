# SPDX-License-Identifier: MIT
# ddtest.jq - of each document of ddtest --json a line: true where it has every key, and each
# of its own type (with '?' it may be null), its status, and what it tells.

def is($type): type as $got | $type == $got or ($type | endswith("?")) and
	($got == "null" or $got == ($type | rtrimstr("?")));

def shape($want): type == "object" and keys == ($want | keys) and
	(. as $object | all($want | to_entries[]; .value as $type | $object[.key] | is($type)));

def run: shape({test: "string", mode: "string", cache: "string", engine: "string",
		block_bytes: "number", bytes: "number", ops: "number", elapsed_ns: "number",
		bytes_per_s: "number?", upper_bound: "boolean", lat_ns: "object?",
		flushes: "number?", foreign_sectors: "number?", incomplete: "boolean",
		note: "string?"})
	and (.test | IN("stream-read", "seek-read", "stream-write", "latency-write"))
	and (.mode | IN("direct", "dsync", "buffered"))
	and (.cache | IN("on", "off", "as-is"))
	and (.lat_ns == null) == (.test | startswith("stream-"))
	and (.lat_ns == null or (.lat_ns | (.min <= .p50 and .p50 <= .p99 and .p99 <= .max)
		and shape({min: "number", mean: "number", p50: "number", p90: "number",
			p99: "number", p999: "number", max: "number"})));

def result: shape({target: "string?", status: "number", verdicts: "array", errors: "array",
		path: "string?", kind: "string?", disk: "string?", model: "string?",
		serial: "string?", bus: "string?", file_system: "string?", in_use_by: "string?",
		size_bytes: "number?", logical_block_bytes: "number?",
		physical_block_bytes: "number?", rotation_rpm: "number?", cache: "object",
		data: "string?", runs: "array", notes: "array", incomplete: "boolean",
		restored: "boolean?"})
	and (.status | IN(0, 1, 2, 3, 4, 5))
	and (.kind | IN("block", "directory", "file", null))
	and (.data | IN("read-only", "kept", "pattern", "scratch", null))
	and (.cache | shape({drive: "string?", buffer_bytes: "number?"}))
	and all(.verdicts[]; shape({id: "string", level: "string", text: "string"})
		and (.level | IN("info", "warn", "fault")))
	and all(.errors[]; shape({text: "string", errno: "number?"}))
	and (.status < 2 or (.errors | length > 0))
	and all(.notes[]; is("string"))
	and all(.runs[]; run);

def whole: shape({tool: "string", version: "string", applet: "string", schema: "number",
	started_unix_s: "number", host: "object", status: "number", results: "array"})
and .tool == "pitbox" and .applet == "ddtest"
and (.host | shape({product: "string?", serial: "string?", uuid: "string?",
	kernel: "string?", arch: "string?"}))
and all(.results[]; result);

"\(whole) \(.status?) \([.results[]? | (.target // "") + ": " + .errors[].text, .notes[], .verdicts[].text] | join(" ") | gsub("[\n\t]"; " "))"
