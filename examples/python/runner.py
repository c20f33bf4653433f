"""A runner of assay in Python: the protocol of PROTOCOL.md, and the contender
python/json. It needs nothing but Python 3.9 and its standard library."""

import base64
import gc
import json
import os
import platform
import random
import re
import sys
import time
from datetime import datetime, timedelta, timezone

CONTENDER = "python/json"
# What each mode does. A mode that only writes is read by the default one.
MODES = {"": ["encode", "decode"], "order=sorted": ["encode"]}


class Refused(Exception):
    """A command that cannot be carried out: it is answered with an error."""


# ---- The contender: what is timed ------------------------------------------


def other(value):
    """What json.dumps asks about values that are not JSON's own."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    raise TypeError(f"no JSON for a {type(value).__name__}")


def encoder(mode):
    """Returns the function that turns a value into bytes."""
    # Compact, as the documentation of json.dumps says, and UTF-8 as it is. An
    # encoder that is made once is what json.dumps makes for each call.
    encode = json.JSONEncoder(
        separators=(",", ":"), ensure_ascii=False, allow_nan=False,
        sort_keys=mode == "order=sorted", default=other,
    ).encode
    return lambda value: encode(value).encode("utf-8")


def decoder(finish):
    """Returns the function that turns bytes into a value."""
    loads = json.loads
    if finish is None:  # json.loads returns the value itself
        return loads
    return lambda data: finish(loads(data))


TIME = re.compile(r"(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$")


def read_time(text):
    """Reads a time of RFC 3339 to the microsecond: a datetime holds no more."""
    match = TIME.match(text)
    if not match:
        raise ValueError(f"no time: {text!r}")
    whole, fraction, zone = match.groups()
    zone = "+00:00" if zone == "Z" else zone
    return datetime.fromisoformat(f"{whole}.{(fraction or '0')[:6]:0<6}{zone}")


class Shape:
    """What the schema says of the values of one root message: how they are made
    from neutral ones and turned back, and what is left to do after json.loads."""

    def __init__(self, header):
        self.messages = {m["name"]: m for m in header["schema"]["messages"]}
        self.root = {"kind": "message", "ref": header["root"]}
        self.finishers = {}
        for message in self.messages.values():
            for field in message["fields"]:
                field["type"]["alone"] = field.get("one_or_many", False)

    # From neutral values.

    def own(self, kind, value):
        """Makes the contender's own value of a neutral one."""
        if value is None:
            return None
        name = kind["kind"]
        if name == "message":
            message = self.messages[kind["ref"]]
            if message.get("bare"):
                return self.own(message["fields"][0]["type"], value)
            if message.get("wraps"):
                only = message["fields"][0]
                return self.own(only["type"], value[only["text"]])
            out = {}
            for field in message["fields"]:
                if field.get("json_text"):
                    raise Refused("the schema has texts of JSON, which json.dumps cannot write as they are")
                inner = self.own(field["type"], value[field["text"]])
                left_out = field.get("omitempty") and empty(field["type"], inner) or field.get("omitzero") and inner is None
                if not left_out:
                    out[field["text"]] = inner
            return list(out.values()) if message.get("row") else out
        if name == "list":
            values = [self.own(kind["elem"], v) for v in value]
            return values[0] if kind.get("alone") and len(values) == 1 else values
        if name == "map":
            return {k: self.own(kind["elem"], v) for k, v in value.items()}
        if name == "bytes":
            return base64.b64decode(value, validate=True)
        if isinstance(value, dict):
            raise Refused("a value that JSON cannot hold: a string that is not UTF-8, or a time beyond RFC 3339")
        if name == "timestamp":
            return read_time(value)
        if name in ("float32", "float64") and isinstance(value, str):
            raise Refused(f"JSON has no {value}")
        return value

    # To neutral values.

    def neutral(self, kind, value):
        """Makes the neutral value of the contender's own, complete again."""
        name = kind["kind"]
        if name == "message" and self.messages[kind["ref"]].get("wraps"):
            only = self.messages[kind["ref"]]["fields"][0]
            if value is None and kind.get("optional"):
                return None
            return {only["text"]: self.neutral(only["type"], value)}
        if value is None:
            return None
        if name == "message":
            message = self.messages[kind["ref"]]
            if message.get("bare"):
                return self.neutral(message["fields"][0]["type"], value)
            if message.get("row"):
                return {f["text"]: self.neutral(f["type"], v) for f, v in zip(message["fields"], value)}
            return {f["text"]: self.field(f["type"], value, f["text"]) for f in message["fields"]}
        if name == "list":
            if kind.get("alone") and not isinstance(value, list):
                value = [value]
            return [self.neutral(kind["elem"], v) for v in value]
        if name == "map":
            return {k: self.neutral(kind["elem"], v) for k, v in value.items()}
        if name in ("bytes", "timestamp"):
            return other(value)
        if name in ("float32", "float64"):
            return float(value)
        return value

    def field(self, kind, message, name):
        if name in message:
            return self.neutral(kind, message[name])
        return self.neutral(kind, self.zero(kind))

    def zero(self, kind):
        """The value of a field that a message leaves out."""
        name = kind["kind"]
        if kind.get("optional") or name in ("list", "map", "bytes"):
            return None
        if name == "message":
            message = self.messages[kind["ref"]]
            return None if message.get("bare") else {}
        if name == "timestamp":
            return datetime(1, 1, 1, tzinfo=timezone.utc)
        return {"bool": False, "string": ""}.get(name, 0)

    # After json.loads.

    def finisher(self, kind):
        """Returns the function that makes bytes and times of what json.loads
        returned, or None where a value has neither. Functions are made once for
        each message, so that nothing looks at the schema while it is timed."""
        name = kind["kind"]
        if name == "bytes":
            return lambda v: v if v is None else base64.b64decode(v)
        if name == "timestamp":
            return lambda v: v if v is None else read_time(v)
        if name in ("list", "map"):
            inner = self.finisher(kind["elem"])
            if inner is None:
                return None
            if name == "list" and kind.get("alone"):
                return lambda v: v if v is None else [inner(e) for e in v] if isinstance(v, list) else inner(v)
            if name == "list":
                return lambda v: v if v is None else [inner(e) for e in v]
            return lambda v: v if v is None else {k: inner(e) for k, e in v.items()}
        if name != "message":
            return None
        message = self.messages[kind["ref"]]
        if message.get("bare") or message.get("wraps"):
            return self.finisher(message["fields"][0]["type"])
        ref = kind["ref"]
        if not self.dated(ref, set()):
            return None
        if ref not in self.finishers:
            parts = []
            row = message.get("row")
            self.finishers[ref] = finish = (finish_row if row else finish_message)(parts)
            for place, field in enumerate(message["fields"]):
                inner = self.finisher(field["type"])
                if inner is not None:
                    parts.append((place if row else field["text"], inner))
            return finish
        return self.finishers[ref]

    def dated(self, ref, seen):
        """Says whether a message has bytes or times in it, however deep."""
        if ref in seen:
            return False
        seen.add(ref)
        for field in self.messages[ref]["fields"]:
            kind = field["type"]
            while "elem" in kind:
                kind = kind["elem"]
            if kind["kind"] in ("bytes", "timestamp") or kind["kind"] == "message" and self.dated(kind["ref"], seen):
                return True
        return False


def finish_message(parts):
    def finish(value):
        if value is not None:
            for name, inner in parts:
                if name in value:
                    value[name] = inner(value[name])
        return value

    return finish


def finish_row(parts):
    def finish(value):
        if value is not None:
            for place, inner in parts:
                value[place] = inner(value[place])
        return value

    return finish


def empty(kind, value):
    """Says whether omitempty leaves a field out, by the rules of Go's tag."""
    if kind.get("optional"):
        return value is None
    if kind.get("alone"):
        return value is None or value == []
    if kind["kind"] in ("message", "timestamp"):
        # A bare message is its list or map; any other is never empty.
        return value is None or value == [] or (kind["kind"] == "message" and value == {})
    return not value


# ---- The runner: what any contender needs ----------------------------------


class Bound:
    """The contender in one mode, bound to the loaded values."""

    def __init__(self, runner, mode):
        if mode not in MODES:
            raise Refused(f"{CONTENDER} has no mode {mode!r}")
        self.mode = mode
        self.values = runner.values
        self.encode_one = encoder(mode)
        shape = runner.shape
        self.decode_one = decoder(shape.finisher(shape.root))
        self.use(None)

    def use(self, messages):
        """Sets the messages that decode reads; None: those that encode writes."""
        self.messages = messages or [self.encode_one(v) for v in self.values]
        self.at = {"encode": 0, "decode": 0}

    def encode(self, n):
        values, one, i, total = self.values, self.encode_one, self.at["encode"], 0
        for _ in range(n):
            total += len(one(values[i]))
            i += 1
            if i == len(values):
                i = 0
        self.at["encode"] = i
        return total

    def decode(self, n):
        messages, one, i = self.messages, self.decode_one, self.at["decode"]
        for _ in range(n):
            value = one(messages[i])
            i += 1
            if i == len(messages):
                i = 0
        self.at["decode"] = i
        self.last = value
        return n

    def want(self, op, n):
        """The sum that n operations must return from where the op stands."""
        if op == "decode":
            return n
        i, sizes = self.at[op], [len(m) for m in self.messages]
        turns, rest = divmod(n, len(sizes))
        return turns * sum(sizes) + sum(sizes[(i + k) % len(sizes)] for k in range(rest))


class Runner:
    def __init__(self):
        self.header = None
        self.mark = None

    # Commands.

    def describe(self, _):
        bindings = [
            {"contender": CONTENDER, "workload": "*", "root": "*", "mode": mode, "ops": ops}
            for mode, ops in MODES.items()
        ]
        arch = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}
        return "described", {
            "protocol": 1, "go": "", "goos": {"win32": "windows"}.get(sys.platform, sys.platform), "goarch": arch.get(platform.machine(), platform.machine()),
            "modules": [{"path": "python", "version": platform.python_version()}],
            "bindings": bindings, "thread_cpu": True,
        }

    def load(self, c):
        self.header = None
        if not c.get("data"):
            raise Refused("the values must come from a file: name it in data")
        with open(c["data"], encoding="utf-8") as f:
            header = json.loads(f.readline())
            self.shape = Shape(header)
            self.values = [self.shape.own(self.shape.root, json.loads(line)) for line in f]
        if not self.values or len(self.values) != header["inputs"]:
            raise Refused(f"the file has {len(self.values)} values and announces {header['inputs']}")
        self.bound = {}
        self.mark = c.get("mark")
        self.marked = None
        self.note("")
        self.header = header
        # What is loaded stays: the collector need not look at it again.
        gc.collect()
        gc.freeze()
        return "loaded", {"root": header["root"], "inputs": len(self.values)}

    def verify(self, c):
        if c.get("from") or c.get("messages"):
            raise Refused("this runner shows what it reads by export")
        bound, failed = None, None
        for op in self.ops(c):
            try:
                bound = self.bind(c, op)
                failed = self.check(bound, op)
            except Refused:
                raise
            except Exception as e:  # what the contender does wrong is a result
                failed = f"{type(e).__name__}: {e}"
            if failed:
                return "verified", {"ok": False, "op": op, "reason": f"{op}: {failed}"}
        return "verified", {"ok": True}

    def check(self, bound, op):
        """Returns what is wrong with an op over all inputs, or None."""
        bound.use(None)
        shape, n = self.shape, len(self.values)
        if op == "encode":
            if bound.encode(n) != sum(len(m) for m in bound.messages):
                return "the sum is not the number of bytes"
            return None
        for i in range(n):
            bound.decode(1)
            if shape.neutral(shape.root, bound.last) != shape.neutral(shape.root, self.values[i]):
                return f"input {i} came back as another value"
        return None

    def calibrate(self, c):
        out = []
        for case in c["cases"]:
            bound = self.case(case)
            n, best, spent = 1, None, 0
            for _ in range(7):
                while True:  # until a try is about a batch long
                    ns = self.batch(bound, case["op"], n)[1]
                    spent += ns
                    best = ns / n if best is None else min(best, ns / n)
                    if ns >= c["batch_ns"] / 2 or spent > 20 * c["batch_ns"]:
                        break
                    n = min(n * 4, max(n + 1, int(c["batch_ns"] / max(best, 1))))
                if spent > 20 * c["batch_ns"]:
                    break
            n = max(int(-(-c["batch_ns"] // max(best, 1))), c["min_ops"], 1)
            if c.get("max_ns") and n * best > c["max_ns"]:
                n = max(1, int(c["max_ns"] / best))
            out.append({"n": n, "ns": best})
        return "calibrated", out

    def rounds(self, c):
        cases = [(case, self.case(case)) for case in c["cases"]]
        series = [
            {"contender": CONTENDER, "mode": case["mode"], "n": case["n"], "round": [], "wall": [], "cpu": []}
            for case, _ in cases
        ]
        order, shuffle, gcs = list(range(len(cases))), random.Random(c.get("seed", 0)), 0
        began = time.perf_counter_ns()
        for round in range(-c["warmup"], c["rounds"]):
            if round > 0 and c.get("limit_ns") and time.perf_counter_ns() - began >= c["limit_ns"]:
                break
            if round % 2:
                order.reverse()
            else:
                shuffle.shuffle(order)
            for i in order:
                case, bound = cases[i]
                number = round if round >= 0 else round + c["warmup"]
                if number % (case.get("every") or 1):
                    continue
                self.note(case["op"], case["mode"])
                if case["n"] > 1:
                    getattr(bound, case["op"])(max(1, case["n"] // 10))
                wall, cpu = self.batch(bound, case["op"], case["n"])
                if round >= 0:
                    series[i]["round"].append(round)
                    series[i]["wall"].append(wall)
                    series[i]["cpu"].append(cpu)
        return "measured", {"series": series, "gcs": gcs}

    def write(self, c):
        self.ops(c)
        messages = self.bind(c, "encode").messages
        if sum(len(m) for m in messages) > c["bytes"]:
            raise Refused(f"the messages have more than {c['bytes']} bytes together")
        return "written", {"messages": [base64.b64encode(m).decode("ascii") for m in messages]}

    def export(self, c):
        self.ops(c)
        bound = self.bind(c, "decode")
        messages = [base64.b64decode(m) for m in c.get("messages") or []]
        if messages and len(messages) != len(self.values):
            raise Refused(f"{len(messages)} messages for {len(self.values)} inputs")
        bound.use(messages)
        with open(c["file"], "w", encoding="utf-8") as f:
            f.write(json.dumps(self.header) + "\n")
            for _ in bound.messages:
                try:
                    bound.decode(1)
                except Exception as e:
                    raise Refused(f"{CONTENDER} decode: {type(e).__name__}: {e}")
                f.write(json.dumps(self.shape.neutral(self.shape.root, bound.last)) + "\n")
        bound.use(None)
        return "exported", {"inputs": len(self.values)}

    # Helpers.

    def ops(self, c):
        """The ops of the command's mode; the command must be about us."""
        if self.header is None:
            raise Refused("nothing is loaded: send load first")
        if c["contender"] != CONTENDER or c.get("mode", "") not in MODES:
            raise Refused(f"no contender {c['contender']!r} in mode {c.get('mode', '')!r}")
        return MODES[c.get("mode", "")]

    def bind(self, c, op):
        mode = c.get("mode", "")
        self.note(op, mode)
        if mode not in self.bound:
            self.bound[mode] = Bound(self, mode)
        return self.bound[mode]

    def case(self, case):
        if case["op"] not in self.ops(case):
            raise Refused(f"{CONTENDER} offers no {case['op']} in mode {case['mode']!r}")
        if case.get("role"):
            raise Refused(f"no role {case['role']!r} here")
        return self.bind(case, case["op"])

    def batch(self, bound, op, n):
        """Times one batch: its wall time and CPU time in nanoseconds."""
        run, want = getattr(bound, op), bound.want(op, n)
        gc.disable()
        cpu = time.thread_time_ns()
        wall = time.perf_counter_ns()
        total = run(n)
        wall = time.perf_counter_ns() - wall
        cpu = time.thread_time_ns() - cpu
        gc.enable()
        if total != want:
            raise Refused(f"{CONTENDER} {op}: {n} operations returned the sum {total}, want {want}")
        return wall, cpu

    def note(self, op, mode=""):
        """Writes the mark file: what is worked on, 256 bytes."""
        text = f"{CONTENDER}\t{mode}\t{op}\n" if op else ""
        if self.mark and text != self.marked:
            with open(self.mark, "r+b" if os.path.exists(self.mark) else "wb", buffering=0) as f:
                f.write(text.encode("utf-8").ljust(256))
            self.marked = text

    def serve(self, lines, out):
        commands = {name: getattr(self, name) for name in (
            "describe", "load", "verify", "calibrate", "rounds", "write", "export")}
        for line in lines:
            try:
                command = json.loads(line)
                name = command["cmd"]
                if name == "exit":
                    answer = {}
                elif name not in commands:
                    answer = {"error": f"{name}: this runner does not do that"}
                else:
                    field, value = commands[name](command.get(name, {}))
                    answer = {field: value}
            except Refused as e:
                answer = {"error": f"{name}: {e}"}
            except (ValueError, KeyError, TypeError, OSError, RecursionError, ArithmeticError) as e:
                answer = {"error": f"not a command: {type(e).__name__}: {e}"}
            out.write(json.dumps(answer) + "\n")
            out.flush()
            if answer == {}:
                return


if __name__ == "__main__":
    # Standard output is for answers: what else is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    Runner().serve(iter(sys.stdin.buffer.readline, b""), answers)
