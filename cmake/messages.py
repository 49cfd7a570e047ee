#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""messages.py SCHEMA.proto INCLUDE_PATH OUT_H OUT_CPP: C++ classes for the messages of a schema, over runtime/schema.

Takes proto3: top-level messages and enums, scalar fields, strings, messages, `repeated` and map<string, string>."""

import pathlib
import re
import sys

SCALARS = {
    "bool": ("Bool", "bool"),
    "int32": ("Int32", "int32_t"),
    "int64": ("Int64", "int64_t"),
    "uint32": ("Uint32", "uint32_t"),
    "uint64": ("Uint64", "uint64_t"),
    "double": ("Double", "double"),
    "string": ("String", "std::string"),
    "bytes": ("String", "std::string"),
}


class Field:
    def __init__(self, label, kind, name, number):
        self.repeated, self.kind, self.name, self.number = label == "repeated", kind, name, number
        self.is_map = kind.startswith("map<")


def parse(text):
    """(package, {enum: [(name, value)]}, {message: [Field]}) in the file's order."""
    text = re.sub(r"//[^\n]*", "", text)
    package = re.search(r"package\s+([\w.]+)\s*;", text)[1]
    enums = {
        name: [(k, int(v)) for k, v in re.findall(r"(\w+)\s*=\s*(-?\d+)\s*;", body)]
        for name, body in re.findall(r"enum\s+(\w+)\s*\{([^}]*)\}", text)
    }
    messages = {}
    for name, body in re.findall(r"message\s+(\w+)\s*\{([^}]*)\}", text):
        fields = []
        for statement in filter(None, map(str.strip, body.split(";"))):
            m = re.fullmatch(r"(?:(repeated)\s+)?(map<string,\s*string>|\w+)\s+(\w+)\s*=\s*(\d+)", statement)
            if not m:
                sys.exit(f"messages.py: expects a field, but got '{statement}' in {name}")
            fields.append(Field(m[1], m[2], m[3], int(m[4])))
        messages[name] = fields
    return package, enums, messages


class Generator:
    def __init__(self, package, enums, messages):
        self.package, self.enums, self.messages = package, enums, messages

    def check(self, field):
        known = field.is_map or field.kind in SCALARS or field.kind in self.enums or field.kind in self.messages
        if not known:
            sys.exit(f"messages.py: unknown type '{field.kind}'")

    def element(self, field):
        return SCALARS[field.kind][1] if field.kind in SCALARS else field.kind

    def member(self, field):
        name = field.name + "_"
        if field.is_map:
            return f"std::map<std::string, std::string> {name}"
        if field.repeated:
            return f"std::vector<{self.element(field)}> {name}"
        if field.kind in self.messages:
            return f"schema::Part<{field.kind}> {name}"
        return f"{self.element(field)} {name}{{}}"

    def accessors(self, field):
        name, value, text = (
            field.name,
            self.element(field) if not field.is_map else "",
            field.kind in ("string", "bytes"),
        )
        if field.is_map:
            return [
                f"const std::map<std::string, std::string> &{name}() const {{ return {name}_; }}",
                f"std::map<std::string, std::string> *mutable_{name}() {{ return &{name}_; }}",
                f"void clear_{name}() {{ {name}_.clear(); }}",
            ]
        if field.repeated:
            get = f"const {value} &" if text or field.kind in self.messages else f"{value} "
            add = (
                f"{value} *add_{name}() {{ return &{name}_.emplace_back(); }}"
                if field.kind in self.messages
                else f"void add_{name}({value} v) {{ {name}_.push_back(std::move(v)); }}"
            )
            out = [
                f"int {name}_size() const {{ return static_cast<int>({name}_.size()); }}",
                f"{get}{name}(int i) const {{ return {name}_[i]; }}",
                f"const std::vector<{value}> &{name}() const {{ return {name}_; }}",
                f"std::vector<{value}> *mutable_{name}() {{ return &{name}_; }}",
                f"void clear_{name}() {{ {name}_.clear(); }}",
                add,
            ]
            if field.kind in self.messages:
                out.append(f"{value} *mutable_{name}(int i) {{ return &{name}_[i]; }}")
            return out
        if field.kind in self.messages:
            return [
                f"const {value} &{name}() const {{ return {name}_.value; }}",
                f"bool has_{name}() const {{ return {name}_.set; }}",
                f"{value} *mutable_{name}() {{ {name}_.set = true; return &{name}_.value; }}",
                f"void clear_{name}() {{ {name}_ = {{}}; }}",
            ]
        if text:
            return [
                f"const std::string &{name}() const {{ return {name}_; }}",
                f"void set_{name}(std::string v) {{ {name}_ = std::move(v); }}",
                f"std::string *mutable_{name}() {{ return &{name}_; }}",
                f"void clear_{name}() {{ {name}_.clear(); }}",
            ]
        return [
            f"{value} {name}() const {{ return {name}_; }}",
            f"void set_{name}({value} v) {{ {name}_ = v; }}",
            f"void clear_{name}() {{ {name}_ = {{}}; }}",
        ]

    def order(self):
        """Messages after those that they hold; a list of a type may come before it."""
        out = []

        def add(name):
            if name in out:
                return
            for field in self.messages[name]:
                if field.kind in self.messages and field.kind != name:
                    add(field.kind)
            out.append(name)

        for name in self.messages:
            add(name)
        return out

    def header(self):
        lines = [
            "// Generated by cmake/messages.py.",
            "#pragma once",
            "#include <cstdint>",
            "#include <map>",
            "#include <string>",
            "#include <utility>",
            "#include <vector>",
            "",
            '#include "runtime/schema/message.h"',
            "",
            f"namespace {self.package.replace('.', '::')} {{",
            "",
            "namespace schema = ::tpuc::schema;",
            "",
        ]
        for name, values in self.enums.items():
            lines.append(f"enum {name} : int32_t {{ {', '.join(f'{k} = {v}' for k, v in values)} }};")
            lines += [
                f"inline bool {name}_IsValid(int32_t v) {{ return {' || '.join(f'v == {v}' for _, v in values)}; }}",
                "",
            ]
        for name in self.order():
            lines += [f"class {name} {{", " public:", "  static const schema::Type &messageType();", ""]
            for field in self.messages[name]:
                self.check(field)
                lines += ["  " + line for line in self.accessors(field)]
            lines += ["", " private:"] + [f"  {self.member(field)};" for field in self.messages[name]] + ["};", ""]
        return "\n".join(lines + [f"}}  // namespace {self.package.replace('.', '::')}", ""])

    def row(self, name, field):
        kind = (
            "StringMap"
            if field.is_map
            else SCALARS[field.kind][0]
            if field.kind in SCALARS
            else "Enum"
            if field.kind in self.enums
            else "Message"
        )
        get = f"static_cast<{name} *>(m)->"
        part = kind == "Message" and not field.repeated
        at = f"[](void *m) -> void * {{ return &{get}{field.name}_; }}"
        if part:
            at = f"[](void *m) -> void * {{ return {get}mutable_{field.name}(); }}"
        has = (
            f"[](const void *m) {{ return static_cast<const {name} *>(m)->has_{field.name}(); }}" if part else "nullptr"
        )
        message = f"&{field.kind}::messageType" if kind == "Message" else "nullptr"
        values = f"&k{field.kind}" if kind == "Enum" else "nullptr"
        items = f"&schema::listOf<{self.element(field)}>" if kind == "Message" and field.repeated else "nullptr"
        return f'{{"{field.name}", {field.number}, schema::Kind::{kind}, {str(field.repeated).lower()}, {at}, {has}, {message}, {values}, {items}}}'

    def source(self, include):
        lines = [
            "// Generated by cmake/messages.py.",
            f'#include "{include}"',
            "",
            f"namespace {self.package.replace('.', '::')} {{",
            "",
        ]
        if self.enums:
            lines.append("namespace {\n")
            for name, values in self.enums.items():
                rows = ", ".join(f'{{"{k}", {v}}}' for k, v in values)
                lines.append(f"constexpr schema::EnumValue k{name}Values[] = {{{rows}}};")
                lines.append(f'constexpr schema::Enum k{name} = {{"{name}", k{name}Values, {len(values)}}};\n')
            lines.append("}  // namespace\n")
        for name in self.order():
            # In the order of their numbers, as the wire format has them.
            fields = sorted(self.messages[name], key=lambda field: field.number)
            rows = ",\n      ".join(self.row(name, field) for field in fields)
            lines += [
                f"const schema::Type &{name}::messageType() {{",
                f"  static const schema::Field fields[] = {{\n      {rows},\n  }};",
                f'  static const schema::Type type = {{"{name}", fields, {len(self.messages[name])}}};',
                "  return type;",
                "}",
                "",
            ]
        return "\n".join(lines + [f"}}  // namespace {self.package.replace('.', '::')}", ""])


def write(path, text):
    """A file that is as it was keeps its time: another interpreter (`python -m build` has one of its own) makes the
    build run this again, but nothing after it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(schema, include, out_h, out_cpp):
    generator = Generator(*parse(pathlib.Path(schema).read_text()))
    write(pathlib.Path(out_h), generator.header())
    write(pathlib.Path(out_cpp), generator.source(include))


if __name__ == "__main__":
    main(*sys.argv[1:])
