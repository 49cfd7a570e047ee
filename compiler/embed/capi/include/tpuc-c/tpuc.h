// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tpuc as a C library: compile StableHLO, run it, and learn how long the chip would take.
 *
 * The ABI is versioned. Within a major version functions are only added, and structs only grow at their end: set their
 * struct_size to sizeof. Objects are made and destroyed by this library; strings it returns live as long as their
 * object. A function that can fail gives NULL, or an error that the caller destroys. */
#ifndef TPUC_C_TPUC_H
#define TPUC_C_TPUC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPUC_ABI_MAJOR 1
#define TPUC_ABI_MINOR 2

typedef struct tpuc_error tpuc_error;
typedef struct tpuc_executable tpuc_executable;
typedef struct tpuc_text tpuc_text;

/* major << 16 | minor of the library that runs: its major has to be TPUC_ABI_MAJOR, its minor at least TPUC_ABI_MINOR.
 */
uint32_t tpuc_abi_version(void);
const char *tpuc_version(void);

/* How the command would end: 1 the machine stopped, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit. */
int tpuc_error_exit(const tpuc_error *error);
const char *tpuc_error_code(const tpuc_error *error); /* "TPUC-FIT-001", or "" */
const char *tpuc_error_message(const tpuc_error *error);
void tpuc_error_destroy(tpuc_error *error);

const char *tpuc_text_data(const tpuc_text *text); /* zero-terminated */
size_t tpuc_text_size(const tpuc_text *text);
void tpuc_text_destroy(tpuc_text *text);

typedef struct tpuc_compile_options {
  size_t struct_size;
  const char *target;           /* a bundled name or a description's path; NULL: "v5e" */
  const char *matmul_precision; /* "default", "high", "highest"; NULL: as the program says */
  const char *const *sets;      /* "hbm_bandwidth_gbps=900" */
  size_t num_sets;
  const char *name;  /* of the text, in diagnostics; NULL: "program.mlir" */
  const char *cache; /* since 1.1: a folder of compiled programs, "on" for the user's own; NULL: none */
  int64_t devices;   /* since 1.2: that run the program together; 0: as it says */
} tpuc_compile_options;

typedef struct tpuc_run_options {
  size_t struct_size;
  int32_t threads;       /* 0: all of the host's */
  int32_t checking;      /* not 0: look for garbage, races and addresses out of range; slow */
  const char *cpu_level; /* "portable" ... "amx"; NULL: the best */
} tpuc_run_options;

/* Dense and row-major; types below 8 bits take a byte an element. */
typedef struct tpuc_array_type {
  size_t struct_size;
  const char *element; /* as StableHLO spells it: "f32", "bf16", "i1", ... */
  const char *name;    /* the user's, or "" */
  const int64_t *dims; /* of the whole array, where several devices have parts of it */
  size_t rank;
  size_t bytes; /* of the whole array */
} tpuc_array_type;

/* `options` may be NULL everywhere. */
tpuc_error *tpuc_compile(const char *text, size_t size, const tpuc_compile_options *options, tpuc_executable **out);
tpuc_error *tpuc_executable_load(const char *path, tpuc_executable **out);
tpuc_error *tpuc_executable_parse(const void *bytes, size_t size, tpuc_executable **out);
tpuc_error *tpuc_executable_save(const tpuc_executable *executable, const char *path);
tpuc_text *tpuc_executable_serialize(const tpuc_executable *executable);
tpuc_text *tpuc_executable_disassemble(const tpuc_executable *executable);
void tpuc_executable_destroy(tpuc_executable *executable);

size_t tpuc_executable_num_arguments(const tpuc_executable *executable);
size_t tpuc_executable_num_results(const tpuc_executable *executable);
/* Fills what fits into type->struct_size; 0 when there is no such argument or result. */
int tpuc_executable_argument(const tpuc_executable *executable, size_t index, tpuc_array_type *type);
int tpuc_executable_result(const tpuc_executable *executable, size_t index, tpuc_array_type *type);

tpuc_error *tpuc_executable_configure(tpuc_executable *executable, const tpuc_run_options *options);
/* `inputs` and `outputs`: an array's bytes for each argument and result, of exactly their sizes. */
tpuc_error *tpuc_executable_run(tpuc_executable *executable, const void *const *inputs, const size_t *input_bytes,
                                size_t num_inputs, void *const *outputs, const size_t *output_bytes,
                                size_t num_outputs);

/* How long the chip takes, without running. */
tpuc_error *tpuc_executable_time(const tpuc_executable *executable, int64_t *cycles, double *seconds);
/* JSON with a schema_version, as tpuc report --json. */
tpuc_error *tpuc_executable_report_json(const tpuc_executable *executable, tpuc_text **out);
/* A count of the runs since configure, for one run: "bundles", "mxu_pushes.bf16", ...; 0 when there is no such counter.
 */
int tpuc_executable_counter(const tpuc_executable *executable, const char *name, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif /* TPUC_C_TPUC_H */
