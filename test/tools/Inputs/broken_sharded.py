#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken_sharded.py TPUC OUT: programs for several devices that are broken in as many ways as there are lines below.
Each is refused with its exit code and a message that says where and what."""

import os
import pathlib
import sys

from refused import F, body, check, report

tpuc, out = sys.argv[1], pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
os.chdir(out)
E = "tensor<8x8xf32>"
XY = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'


def argument(sharding, mesh=XY, type=E):
    """A program whose argument has the sharding."""
    ops = f"%0 = stablehlo.add %x, %x : {type}"
    return mesh + body(ops, f"%x: {type} {{sdy.sharding = #sdy.sharding<{sharding}>}}", type)


def gspmd(*texts, type=E, attributes="mhlo.num_partitions = 4 : i32"):
    """A program whose arguments have GSPMD's shardings."""
    names = [f"%a{i}: {type} {{mhlo.sharding = {text!r}}}".replace("'", '"') for i, text in enumerate(texts)]
    return module(body(f"%0 = stablehlo.add %a0, %a0 : {type}", ", ".join(names), type), attributes)


def module(text, attributes="mhlo.num_partitions = 4 : i32"):
    return f"module attributes {{{attributes}}} {{\n{text}}}\n"


def manual(local, inside='[{"x"}, {}]', outside='[{"x"}, {}]', axes='"x"', ops="", value="%a", type=E):
    """A manual computation of an argument."""
    return XY + body(
        f"%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, {inside}>] out_shardings=[<@mesh, {outside}>]"
        f" manual_axes={{{axes}}} (%a: tensor<{local}xf32>) {{\n    {ops}\n"
        f"    sdy.return {value} : tensor<{local}xf32>\n  }} : ({type}) -> {type}",
        f"%x: {type}",
        type,
    )


CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
SUM = """({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32> })"""


def collective(op, attributes, region="", result=F, count=4, args=f"%x: {F}", channel=CHANNEL):
    """A collective of one device's program."""
    ops = f'%0 = "stablehlo.{op}"(%x) {region} {{{attributes}, {channel}}} : ({args[4:]}) -> {result}'
    return module(body(ops, args, result), f"mhlo.num_partitions = {count} : i32")


def groups(text, shape):
    return f"replica_groups = dense<{text}> : tensor<{shape}xi64>, use_global_device_ids"


def pairs(text, count):
    return f"source_target_pairs = dense<{text}> : tensor<{count}x2xi64>"


def gather(text, shape, result="tensor<8xf32>", **more):
    return collective("all_gather", "all_gather_dim = 0 : i64, " + groups(text, shape), result=result, **more)


def scatter(attributes, result):
    return collective("reduce_scatter", "scatter_dimension = 0 : i64, " + attributes, SUM, result)


def exchange(split, concat, count, result, group="[[0, 1, 2, 3]]", shape="1x4"):
    attributes = f"split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = {count} : i64"
    return collective("all_to_all", f"{attributes}, replica_groups = dense<{group}> : tensor<{shape}xi64>", "", result)


# Programs: name, text, exit code, what the message has to say.
PROGRAMS = [
    # Meshes.
    (
        "an axis of no devices",
        argument("@mesh, [{}, {}]", 'sdy.mesh @mesh = <["x"=0]>\n'),
        3,
        ":1:.*at least one device",
    ),
    ("an axis of fewer", argument("@mesh, [{}, {}]", 'sdy.mesh @mesh = <["x"=-2]>\n'), 3, ":1:.*at least one device"),
    ("an axis twice in a mesh", argument("@mesh, [{}, {}]", 'sdy.mesh @mesh = <["x"=2, "x"=2]>\n'), 3, ":1:.*x twice"),
    (
        "too few device ids",
        argument("@mesh, [{}, {}]", 'sdy.mesh @mesh = <["x"=4], device_ids=[0, 1, 2]>\n'),
        3,
        ":1:.*4 device ids.*3",
    ),
    (
        "a device twice in a mesh",
        argument('@mesh, [{"x"}, {}]', 'sdy.mesh @mesh = <["x"=4], device_ids=[0, 1, 1, 2]>\n'),
        3,
        ":1:.*each device from 0 to . once",
    ),
    (
        "a device of no mesh",
        argument('@mesh, [{"x"}, {}]', 'sdy.mesh @mesh = <["x"=4], device_ids=[0, 1, 2, 9]>\n'),
        3,
        ":1:.*each device from 0 to . once",
    ),
    (
        "a negative device",
        argument('@mesh, [{"x"}, {}]', 'sdy.mesh @mesh = <["x"=2], device_ids=[0, -1]>\n'),
        3,
        ":1:.*each device from 0 to . once",
    ),
    ("meshes of other sizes", argument('@mesh, [{"x"}, {}]', XY + 'sdy.mesh @small = <["x"=2]>\n'), 3, "8 devices.*2"),
    ("a mesh twice", argument("@mesh, [{}, {}]", XY + XY), 3, ":2:.*redefinition"),
    (
        "a million million devices",
        argument('@mesh, [{"x"}, {}]', 'sdy.mesh @mesh = <["x"=1099511627776]>\n'),
        3,
        ":1:.*1048576 devices at most.*1099511627776",
    ),
    (
        "more devices than numbers",
        argument('@mesh, [{"x"}, {}]', 'sdy.mesh @mesh = <["x"=4294967296, "y"=4294967296]>\n'),
        3,
        ":1:.*fewer than 2.63 devices",
    ),
    (
        "a mesh that is not the program's",
        module(argument('@mesh, [{"x"}, {}]'), "mhlo.num_partitions = 3 : i32"),
        3,
        ":2:.*3 devices.*8",
    ),
    (
        "a mesh of one device fewer",
        module(argument('@mesh, [{"x"}, {}]'), "mhlo.num_partitions = 16 : i32"),
        3,
        ":2:.*16 devices.*8",
    ),
    (
        "replicas of an annotated program",
        module(argument('@mesh, [{"x"}, {}]'), "mhlo.num_replicas = 2 : i32"),
        3,
        ":1:.*one replica.*2",
    ),
    # Shardings.
    ("an unknown mesh", argument("@other, [{}, {}]"), 3, ":2:.*@other"),
    ("an unknown axis", argument('@mesh, [{"z"}, {}]'), 3, ':2:.*"z"'),
    ("an axis twice", argument('@mesh, [{"x"}, {"x"}]'), 3, ':2:.*"x" twice'),
    ("an axis twice in a dim", argument('@mesh, [{"x", "x"}, {}]'), 3, ':2:.*"x" twice'),
    ("an axis that is replicated too", argument('@mesh, [{"x"}, {}], replicated={"x"}'), 3, ':2:.*"x" twice'),
    ("an axis that is unreduced too", argument('@mesh, [{"x"}, {}], unreduced={"x"}'), 3, ':2:.*"x" twice'),
    ("a sharding of wrong rank", argument('@mesh, [{"x"}]'), 3, ":2:.*2 dimensions.*1"),
    ("a sharding of a number", argument('@mesh, [{"x"}]', type="tensor<f32>"), 3, ":2:.*0 dimensions.*1"),
    ("a part that does not divide", argument('@mesh, [{"x":(1)3}, {}]'), 3, r":2:.*\(1\)3"),
    ("a part before the beginning", argument('@mesh, [{"x":(0)2}, {}]'), 3, ":2:"),
    ("a part of nothing", argument('@mesh, [{"x":(2)1}, {}]'), 3, ":2:"),
    ("a part past the end", argument('@mesh, [{"x":(4)2}, {}]'), 3, ":2:"),
    ("parts that overlap", argument('@mesh, [{"x":(1)4}, {"x":(2)2}]'), 3, ":2:"),
    ("a priority below zero", argument('@mesh, [{"x"}p-1, {}]'), 3, ":2:"),
    (
        "a result's sharding of wrong rank",
        XY
        + body(f"%0 = stablehlo.add %x, %x : {F}", result=F).replace(
            "-> " + F, f"-> ({F} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}})"
        ),
        3,
        ":2:.*result 0.*1 dimensions.*2",
    ),
    (
        "shardings of too many results",
        XY
        + body(
            f"%0 = stablehlo.abs %x {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}]>, <@mesh, [{{}}]>]>}} : "
            f"{F}"
        ),
        3,
        ":3:.*1 results.*2",
    ),
    ("a sharding as text", XY + body(f"%0 = stablehlo.abs %x : {F}", f'%x: {F} {{sdy.sharding = "x"}}'), 3, ":2:"),
    (
        "a constraint of wrong rank",
        XY + body(f'%0 = sdy.sharding_constraint %x <@mesh, [{{"x"}}, {{}}]> : {F}'),
        3,
        ":3:.*1 dimensions.*2",
    ),
    ("a reshard of no mesh", body(f'%0 = sdy.reshard %x <@mesh, [{{"x"}}]> : {F}'), 3, ":2:.*@mesh"),
    (
        "a group of two shapes",
        XY
        + body(
            f"sdy.sharding_group %x group_id=0 : {F}\n  sdy.sharding_group %y group_id=0 : {E}\n"
            f"  %0 = stablehlo.abs %x : {F}",
            f"%x: {F}, %y: {E}",
        ),
        3,
        ":[34]:",
    ),
    (
        "a rule of two operands for one",
        XY
        + body(
            f"%0 = stablehlo.abs %x {{sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {{i=4}}>}} : {F}",
            f'%x: {F} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}',
        ),
        3,
        ":3:",
    ),
    # Manual computations.
    ("a wrong local type", manual("8x8"), 3, ":3:.*tensor<2x8xf32>.*tensor<8x8xf32>"),
    ("a manual axis of no mesh", manual("2x8", axes='"x", "z"'), 3, ':3:.*"z"'),
    ("a size that manual axes do not divide", manual("2x8", type="tensor<6x8xf32>"), 3, ":3:.*6"),
    ("free axes before manual ones", manual("2x8", inside='[{"y", "x"}, {}]'), 3, ":3:.*manual axes before"),
    (
        "an axis that is manual already",
        manual("2x8", ops='%1 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<2x8xf32>', value="%1"),
        3,
        ':4:.*"x".*note',
    ),
    ("results of another type", manual("2x8", outside='[{}, {"x"}]'), 3, ":3:.*tensor<8x2xf32>.*tensor<2x8xf32>"),
    (
        "a collective over free axes",
        manual(
            "2x8",
            ops='%1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, '
            + groups("[[0, 1], [2, 3], [4, 5], [6, 9]]", "4x2")
            + f", {CHANNEL}}} : (tensor<2x8xf32>) -> tensor<4x8xf32>",
        ),
        3,
        "9",
    ),
    # GSPMD's text.
    ("a sharding of nonsense", gspmd("{devices=[4,1]"), 3, ":2:.*devices=.4,1."),
    ("too few devices for the tiles", gspmd("{devices=[2,2]0,1,2}"), 3, ":2:.*0,1,2"),
    ("a device twice", gspmd("{devices=[2,2]0,1,2,2}"), 3, ":2:.*0,1,2,2"),
    ("a device out of range", gspmd("{devices=[2,2]0,1,2,4}"), 3, ":2:.*0,1,2,4"),
    ("tiles of wrong rank", gspmd("{devices=[2,2,1]<=[4]}"), 3, ":2:"),
    ("tiles of no devices", gspmd("{devices=[0,4]<=[4]}"), 3, ":2:"),
    ("an order that is none", gspmd("{devices=[2,2]<=[2,2]T(1,1)}"), 3, ":2:"),
    ("shardings of other devices", gspmd("{devices=[4,1]<=[4]}", "{devices=[8,1]<=[8]}"), 3, ":2:"),
    ("a sharding of more devices than there are", gspmd("{devices=[8,1]<=[8]}"), 3, ":2:"),
    (
        "both kinds of shardings",
        XY
        + body(
            f"%0 = stablehlo.add %x, %y : {E}",
            f'%x: {E} {{mhlo.sharding = "{{devices=[8,1]<=[8]}}"}}, '
            f'%y: {E} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}',
            E,
        ),
        3,
        "sdy or of GSPMD",
    ),
    (
        "parts of another size",
        module(
            body(
                f'%0 = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{{devices=[4,1]<=[4]}}"}} : ({E}) -> '
                f"{E}\n"
                f'  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{mhlo.sharding = "{{manual}}"}}'
                f" : ({E}) -> tensor<4x8xf32>",
                f"%x: {E}",
                "tensor<4x8xf32>",
                "%1",
            )
        ),
        3,
        ":4:.*tensor<2x8xf32>.*tensor<4x8xf32>",
    ),
    # Collectives of one device's program.
    ("a group of no device", collective("all_reduce", groups("[[0, 7]]", "1x2"), SUM), 3, ":3:.*got 7"),
    ("a group that has one twice", collective("all_reduce", groups("[[0, 0], [1, 2]]", "2x2"), SUM), 3, ":3:"),
    ("a device in two groups", collective("all_reduce", groups("[[0, 1], [1, 2]]", "2x2"), SUM), 3, ":3:"),
    ("groups that miss one", collective("all_reduce", groups("[[0, 1, 2]]", "1x3"), SUM), 3, ":3:.*COLLECTIVE-001"),
    ("a negative device in a group", collective("all_reduce", groups("[[0, 1, 2, -3]]", "1x4"), SUM), 3, ":3:"),
    ("groups of other sizes", gather("[[0, 1, 2], [3, -1, -1]]", "2x3"), 3, ":3:"),
    ("groups of wrong rank", collective("all_reduce", groups("[0, 1, 2, 3]", "4"), SUM), 3, ":3:"),
    ("a gather of another size", gather("[[0, 1, 2, 3]]", "1x4", "tensor<12xf32>"), 3, ":3:"),
    ("a gather along no dim", gather("[[0, 1, 2, 3]]", "1x4").replace("dim = 0", "dim = 3"), 3, ":3:"),
    ("a scatter that does not divide", scatter(groups("[[0, 1, 2], [3, 4, 5]]", "2x3"), "tensor<1xf32>"), 3, ":3:"),
    ("a scatter of another size", scatter(groups("[[0, 1, 2, 3]]", "1x4"), "tensor<2xf32>"), 3, ":3:"),
    ("a split that does not divide", exchange(0, 0, 3, F, "[[0, 1, 2]]", "1x3"), 3, ":3:"),
    ("a split of another count", exchange(0, 0, 2, F), 3, ":3:"),
    ("a split below zero", exchange(0, 0, -4, F), 3, ":3:"),
    ("a split along no dim", exchange(1, 0, 4, F), 3, ":3:"),
    ("a target with two sources", collective("collective_permute", pairs("[[0, 1], [2, 1]]", 2)), 3, ":3:"),
    ("a source with two targets", collective("collective_permute", pairs("[[0, 1], [0, 2]]", 2)), 3, ":3:"),
    ("a pair of no device", collective("collective_permute", pairs("[[0, 7]]", 1)), 3, ":3:.*COLLECTIVE-001"),
    ("a negative pair", collective("collective_permute", pairs("[[-1, 0]]", 1)), 3, ":3:"),
    ("a broadcast to two groups", collective("collective_broadcast", groups("[[0, 1], [1, 2]]", "2x2")), 3, ":3:"),
    (
        "a channel below one",
        collective("all_reduce", groups("[[0, 1, 2, 3]]", "1x4"), SUM).replace("handle = 1", "handle = -1"),
        3,
        ":3:",
    ),
    (
        "global ids without a channel",
        collective("all_reduce", groups("[[0, 1, 2, 3]]", "1x4"), SUM).replace("handle = 1", "handle = 0"),
        3,
        ":3:",
    ),
    (
        "a reducer of another type",
        collective("all_reduce", groups("[[0, 1, 2, 3]]", "1x4"), SUM.replace("f32", "i32")),
        3,
        ":3:",
    ),
    (
        "devices that nothing counts",
        body(f'%0 = "stablehlo.all_reduce"(%x) {SUM} {{{groups("[[0, 1]]", "1x2")}, {CHANNEL}}} : ({F}) -> {F}'),
        4,
        ":2:.*DEVICES-001",
    ),
    (
        "no devices",
        module(body(f"%0 = stablehlo.abs %x : {F}"), "mhlo.num_partitions = 0 : i32"),
        3,
        ":1:.*num_partitions.*0",
    ),
    (
        "fewer than no devices",
        module(body(f"%0 = stablehlo.abs %x : {F}"), "mhlo.num_partitions = -4 : i32"),
        3,
        ":1:.*num_partitions.*-4",
    ),
    (
        "devices as text",
        module(body(f"%0 = stablehlo.abs %x : {F}"), 'mhlo.num_partitions = "4"'),
        3,
        ":1:.*num_partitions.*4",
    ),
    (
        "a send that nobody receives",
        module(
            body(
                '%t = stablehlo.create_token : !stablehlo.token\n  %1 = "stablehlo.send"(%x, %t)'
                " {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}"
                f" : ({F}, !stablehlo.token) -> !stablehlo.token",
                value="%x",
            )
        ),
        4,
        ":4:.*SIMPLIFY-002",
    ),
    # Statements about axes.
    ("one part of an axis twice", argument('@mesh, [{"x":(1)2}, {"x":(1)2}]'), 3, ":2:.*twice|overlap"),
    ("a part that is all of its axis", argument('@mesh, [{"x":(1)4}, {}]'), 3, r":2:.*\(1\)4"),
    ("neighbouring parts that are one", argument('@mesh, [{"x":(1)2, "x":(2)2}, {}]'), 3, ":2:"),
    ("a priority of nothing", argument("@mesh, [{}p1, {}]"), 3, ":2:.*priority"),
    ("a replicated axis of no mesh", argument('@mesh, [{}, {}], replicated={"z"}'), 3, ':2:.*"z"'),
    ("an unreduced axis of no mesh", argument('@mesh, [{}, {}], unreduced={"z"}'), 3, ':2:.*"z"'),
    ("replicated axes in another order", argument('@mesh, [{}, {}], replicated={"y", "x"}'), 3, ":2:"),
    ("an inlined mesh of nothing", argument('mesh<["x"=0]>, [{}, {}]'), 3, "at least one device"),
    (
        "a mesh of no axes and two devices",
        argument("@mesh, [{}, {}]", "sdy.mesh @mesh = <[], device_ids=[0, 1]>\n"),
        3,
        ":1:",
    ),
    (
        "a mesh of no axes and device -1",
        argument("@mesh, [{}, {}]", "sdy.mesh @mesh = <[], device_ids=[-1]>\n"),
        3,
        ":1:",
    ),
    # Collectives of sdy, and borders of manual computations.
    (
        "a gather of axes that are not there",
        XY
        + body(
            f'%0 = sdy.all_gather [{{"y"}}, {{}}] %x out_sharding=<@mesh, [{{}}, {{}}]> : {E}',
            f'%x: {E} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}',
            E,
        ),
        3,
        ":3:.*out_sharding|:3:.*gather",
    ),
    (
        "a slice along an axis that is taken",
        XY
        + body(
            f'%0 = sdy.all_slice [{{}}, {{"x"}}] %x out_sharding=<@mesh, [{{"x"}}, {{"x"}}]> : {E}',
            f'%x: {E} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}',
            E,
        ),
        3,
        ":3:",
    ),
    (
        "an exchange of a dimension with itself",
        XY
        + body(
            f'%0 = sdy.all_to_all [{{"x"}}: 0->0] %x out_sharding=<@mesh, [{{"x"}}, {{}}]> : {E}',
            f'%x: {E} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}',
            E,
        ),
        3,
        ":3:",
    ),
    (
        "a border for each of two arguments of one",
        XY
        + body(
            '%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]'
            ' out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x8xf32>) {\n'
            f"    sdy.return %a : tensor<2x8xf32>\n  }} : ({E}) -> {E}",
            f"%x: {E}",
            E,
        ),
        3,
        ":3:",
    ),
    (
        "a manual axis twice",
        manual("8x8", inside="[{}, {}]", outside="[{}, {}]", axes='"x", "x"'),
        3,
        ":3:.*x.* twice",
    ),
    ("tiles of an unknown kind", gspmd("{devices=[2,1,2]<=[4] last_tile_dims={sideways}}"), 3, ":2:"),
    ("a tile of -1", gspmd("{devices=[-4,1]<=[4]}"), 3, ":2:"),
    ("one device that is not there", gspmd("{devices=[4,1]<=[4]}", "{maximal device=9}"), 3, ":2:.*4, but got.*9"),
    (
        "one device that is not there, before tiles",
        gspmd("{maximal device=9}", "{devices=[4,1]<=[4]}", attributes=""),
        3,
        ":2:.*4, but got.*9",
    ),
    ("one device that is not there, alone", gspmd("{maximal device=4}", "{replicated}"), 3, ":2:.*4, but got.*4"),
    ("one device that is none", gspmd("{devices=[4,1]<=[4]}", "{maximal device=first}"), 3, ":2:.*first"),
    (
        "a mesh of one device that is not there",
        argument('@mesh, [{"x"}, {}]', XY + "sdy.mesh @one = <[], device_ids=[8]>\n"),
        3,
        ":2:.*8, but got 8",
    ),
    # More collectives of one device's program.
    (
        "a scatter along no dim",
        scatter(groups("[[0, 1, 2, 3]]", "1x4"), F).replace("dimension = 0", "dimension = 2"),
        3,
        ":3:",
    ),
    (
        "a scatter along -1",
        scatter(groups("[[0, 1, 2, 3]]", "1x4"), F).replace("dimension = 0", "dimension = -1"),
        3,
        ":3:",
    ),
    (
        "pairs of three",
        collective("collective_permute", "source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>"),
        3,
        ":3:",
    ),
    (
        "a permute to another type",
        collective("collective_permute", pairs("[[0, 1]]", 1), result="tensor<5xf32>"),
        3,
        ":3:",
    ),
    (
        "a reducer of three",
        collective(
            "all_reduce",
            groups("[[0, 1, 2, 3]]", "1x4"),
            SUM.replace("%b: tensor<f32>", "%b: tensor<f32>, %c: tensor<f32>"),
        ),
        3,
        ":[3-6]:",
    ),
    # Sizes.
    ("a part that does not fit", argument('@mesh, [{"x"}, {}]', type="tensor<1048576x1048576xf32>"), 5, "FIT-001"),
]

# Chips that wait for one another: name, text, what the message has to say.
REDUCE = f'"stablehlo.all_reduce"(%x) {SUM} {{{groups("[[0, 1]]", "1x2")}, {CHANNEL}}} : ({F}) -> {F}'
ID = "%p = stablehlo.partition_id : tensor<ui32>\n  %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>\n  "
SWAP = f'"stablehlo.collective_permute"({{}}) {{{{{pairs("[[0, 1], [1, 0]]", 2)}, {CHANNEL}}}}} : ({F}) -> {F}'
ZERO = f"%x = stablehlo.constant dense<1.0> : {F}\n  "
DEADLOCKS = [
    (
        "a branch that not all take",
        ZERO
        + ID
        + f'%0 = "stablehlo.case"(%i) ({{ stablehlo.return %x : {F} }}, {{ %r = {REDUCE}\n stablehlo.return %r : {F} '
        f"}})"
        f" : (tensor<i32>) -> {F}",
        r"chip 1 waits in all_reduce .*program.mlir:\d+",
    ),
    (
        "loops that end at different times",
        ZERO
        + ID
        + f"""%c = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.add %i, %c : tensor<i32>
  %k = stablehlo.constant dense<0> : tensor<i32>
  %l:2 = stablehlo.while(%j = %k, %v = %x) : tensor<i32>, {F}
  cond {{
    %m = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }} do {{
    %r = {REDUCE.replace("(%x)", "(%v)")}
    %o = stablehlo.add %j, %c : tensor<i32>
    stablehlo.return %o, %r : tensor<i32>, {F}
  }}
  %0 = stablehlo.add %l#1, %x : {F}""",
        r"chip 1 waits in all_reduce .*program.mlir:\d+",
    ),
    (
        "each at another collective",
        ZERO
        + ID
        + f'%0 = "stablehlo.case"(%i) ({{ %g = "stablehlo.collective_permute"(%x) {{{pairs("[[1, 0]]", 1)}, {CHANNEL}}}'
        f" : ({F}) -> {F}\n stablehlo.return %g : {F} }}, {{ %r = {REDUCE}\n stablehlo.return %r : {F} }})"
        f" : (tensor<i32>) -> {F}",
        r"chip 0 waits in .*chip 1 waits in ",
    ),
    (
        "two collectives in another order",
        ZERO
        + ID
        + '%0 = "stablehlo.case"(%i) ({\n'
        + f"    %r = {REDUCE}\n    %g = {SWAP.format('%r')}\n    stablehlo.return %g : {F} }}, {{\n"
        + f"    %h = {SWAP.format('%x')}\n    %s = {REDUCE.replace('(%x)', '(%h)')}\n    stablehlo.return %s : {F} }})"
        + f" : (tensor<i32>) -> {F}",
        r"chip 0 waits in all_reduce.*chip 1 waits in collective_permute",
    ),
]

# Arguments: name, program, arguments, exit code, message.
ARGUMENTS = [
    ("other devices than the mesh", argument('@mesh, [{"x"}, {}]'), ["--devices=3"], 2, "8 devices.*3.*DEVICES-002"),
    ("no such number of devices", argument('@mesh, [{"x"}, {}]'), ["--devices=0"], 2, "USAGE-001"),
    ("more devices than there can be", body(f"%0 = stablehlo.abs %x : {F}"), ["--devices=9999999"], 2, "USAGE-001"),
]

problems = []


def refuse(kind, text, command, exits, message):
    pathlib.Path("program.mlir").write_text(text)
    problems.append(check(tpuc, kind, command, exits, message))


for kind, text, exits, message in PROGRAMS:
    refuse(kind, text, ["compile", "program.mlir", "-o", "x.tpuc"], exits, "program.mlir.*" + message)
for kind, ops, message in DEADLOCKS:
    text = module(body(ops, ""), "mhlo.num_partitions = 2 : i32")
    refuse(kind, text, ["run", "program.mlir"], 6, message + r".*RUN-008")
for kind, text, arguments, exits, message in ARGUMENTS:
    refuse(kind, text, ["compile", "program.mlir", "-o", "x.tpuc", *arguments], exits, message)
report(problems, least=80)
