#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes TensorFlow functions as folders for tpuc: program.pb, inputs (variables last), and what TensorFlow computes on
a CPU.

    pip install tensorflow==2.21.0 && ./export_tensorflow.py --out DIR && tpuc run DIR/* --matmul-precision=highest
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import tensorflow as tf

EXTENSIONS = {"hlo_serialized": "pb", "stablehlo": "mlir", "stablehlo_serialized": "bc"}


def write(folder, stage, function, *arguments, scales=None):
    compiled = tf.function(function, jit_compile=True, autograph=False)
    concrete = compiled.get_concrete_function(*arguments)
    by_handle = {id(variable.handle): variable for variable in concrete.variables}
    values = [np.asarray(a) for a in tf.nest.flatten(arguments)] + [
        by_handle[id(c)].numpy() for c in concrete.captured_inputs
    ]
    program = compiled.experimental_get_compiler_ir(*arguments)(stage=stage)
    results = tf.nest.flatten(compiled(*arguments))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"program.{EXTENSIONS[stage]}").write_bytes(program.encode() if isinstance(program, str) else program)
    limits = {"tolerance": 2e-05, **({"scales": scales} if scales else {})}
    (folder / "info.json").write_text(json.dumps(limits) + "\n")
    for i, value in enumerate(values):
        np.save(folder / f"input.{i}.npy", value)
    for i, value in enumerate(results):
        np.save(folder / f"output.{i}.npy", value.numpy())


def cnn():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((16, 16, 3)),
            layers.Conv2D(8, 3, padding="same", activation="relu"),
            layers.MaxPool2D(),
            layers.BatchNormalization(),
            layers.Conv2D(8, 3, strides=2, activation="gelu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(10),
        ]
    )


def transformer(width=32, heads=4, length=16, words=50):
    layers = tf.keras.layers
    tokens = layers.Input((length,), dtype="int32")
    x = layers.Embedding(words, width)(tokens)
    y = layers.LayerNormalization()(x)
    x = x + layers.MultiHeadAttention(heads, width // heads)(y, y, use_causal_mask=True)
    y = layers.LayerNormalization()(x)
    x = x + layers.Dense(width)(layers.Dense(4 * width, activation="gelu")(y))
    return tf.keras.Model(tokens, layers.Dense(words)(layers.LayerNormalization()(x)))


def gradients(model, x, labels):
    with tf.GradientTape() as tape:
        logits = model(x, training=False)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
    return loss, [tf.convert_to_tensor(g) for g in tape.gradient(loss, model.trainable_variables)]


def training_step(model, rate=0.1):
    """The loss, and each weight after a step of gradient descent."""

    def step(x, labels):
        loss, slopes = gradients(model, x, labels)
        return [loss] + [w - rate * g for w, g in zip(model.trainable_variables, slopes)]

    return step


def scales_of_step(model, x, labels, rate=0.1):
    """By output of the step, the size of the terms that it sums. A layer's bias sums the terms that its weights sum
    with its inputs as factors; in attention the keys' biases cancel: their gradient is 0, and what is computed for it
    is rounding alone."""
    layer = lambda variable: variable.path.rpartition("/")[0]
    sizes = {}
    for variable, slope in zip(model.trainable_variables, gradients(model, x, labels)[1]):
        sizes[layer(variable)] = max(sizes.get(layer(variable), 0), float(tf.reduce_max(tf.abs(slope))))
    return [0] + [rate * sizes[layer(variable)] for variable in model.trainable_variables]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--stage", default="hlo_serialized", choices=EXTENSIONS)
    options = parser.parse_args()
    tf.keras.utils.set_random_seed(0)
    model, images, labels = cnn(), tf.random.normal((4, 16, 16, 3)), tf.constant([1, 2, 3, 4])
    write(options.out / "cnn", options.stage, lambda x: model(x, training=False), images)
    scales = scales_of_step(model, images, labels)
    write(options.out / "cnn_step", options.stage, training_step(model), images, labels, scales=scales)
    language, tokens = transformer(), tf.random.uniform((2, 16), maxval=50, dtype=tf.int32)
    write(options.out / "transformer", options.stage, lambda x: language(x, training=False), tokens)
    labels = (tokens + 1) % 50
    scales = scales_of_step(language, tokens, labels)
    write(options.out / "transformer_step", options.stage, training_step(language), tokens, labels, scales=scales)
    write(options.out / "inverse", options.stage, lambda x: tf.linalg.inv(x), tf.random.normal((8, 8)) + 8 * tf.eye(8))


if __name__ == "__main__":
    main()
