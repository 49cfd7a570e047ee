#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes TensorFlow functions as folders for tpuc: program.pb, inputs (variables last), and what TensorFlow computes on a CPU.

    pip install tensorflow==2.21.0 && ./export_tensorflow.py --out DIR && tpuc run DIR/* --matmul-precision=highest
"""
import argparse
import os
import pathlib

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import tensorflow as tf

EXTENSIONS = {"hlo_serialized": "pb", "stablehlo": "mlir", "stablehlo_serialized": "bc"}


def write(folder, stage, function, *arguments):
    compiled = tf.function(function, jit_compile=True, autograph=False)
    concrete = compiled.get_concrete_function(*arguments)
    by_handle = {id(variable.handle): variable for variable in concrete.variables}
    values = [np.asarray(a) for a in tf.nest.flatten(arguments)] + [by_handle[id(c)].numpy() for c in concrete.captured_inputs]
    program = compiled.experimental_get_compiler_ir(*arguments)(stage=stage)
    results = tf.nest.flatten(compiled(*arguments))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"program.{EXTENSIONS[stage]}").write_bytes(program.encode() if isinstance(program, str) else program)
    (folder / "info.json").write_text('{"tolerance": 2e-05}\n')
    for i, value in enumerate(values):
        np.save(folder / f"input.{i}.npy", value)
    for i, value in enumerate(results):
        np.save(folder / f"output.{i}.npy", value.numpy())


def cnn():
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((16, 16, 3)), layers.Conv2D(8, 3, padding="same", activation="relu"), layers.MaxPool2D(), layers.BatchNormalization(),
        layers.Conv2D(8, 3, strides=2, activation="gelu"), layers.GlobalAveragePooling2D(), layers.Dense(10)])


def transformer(width=32, heads=4, length=16, words=50):
    layers = tf.keras.layers
    tokens = layers.Input((length,), dtype="int32")
    x = layers.Embedding(words, width)(tokens)
    y = layers.LayerNormalization()(x)
    x = x + layers.MultiHeadAttention(heads, width // heads, use_bias=False)(y, y, use_causal_mask=True)
    y = layers.LayerNormalization()(x)
    x = x + layers.Dense(width)(layers.Dense(4 * width, activation="gelu")(y))
    return tf.keras.Model(tokens, layers.Dense(words)(layers.LayerNormalization()(x)))


def training_step(model, rate=0.1):
    """The loss, and each weight after a step of gradient descent."""
    def step(x, labels):
        with tf.GradientTape() as tape:
            logits = model(x, training=False)
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
        weights = model.trainable_variables
        return [loss] + [w - rate * tf.convert_to_tensor(g) for w, g in zip(weights, tape.gradient(loss, weights))]
    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--stage", default="hlo_serialized", choices=EXTENSIONS)
    options = parser.parse_args()
    tf.keras.utils.set_random_seed(0)
    model, images, labels = cnn(), tf.random.normal((4, 16, 16, 3)), tf.constant([1, 2, 3, 4])
    write(options.out / "cnn", options.stage, lambda x: model(x, training=False), images)
    write(options.out / "cnn_step", options.stage, training_step(model), images, labels)
    language, tokens = transformer(), tf.random.uniform((2, 16), maxval=50, dtype=tf.int32)
    write(options.out / "transformer", options.stage, lambda x: language(x, training=False), tokens)
    write(options.out / "transformer_step", options.stage, training_step(language), tokens, (tokens + 1) % 50)
    write(options.out / "inverse", options.stage, lambda x: tf.linalg.inv(x), tf.random.normal((8, 8)) + 8 * tf.eye(8))


if __name__ == "__main__":
    main()
