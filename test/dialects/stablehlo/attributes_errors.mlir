// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{unknown attribute 'nothing' of dialect 'stablehlo'}}
module attributes {a = #stablehlo.nothing<1>} {}

// -----

// expected-error@+1 {{lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions, each once, but got contracting}}
module attributes {a = #stablehlo.dot<contracting = [1]>} {}

// -----

// expected-error@+1 {{expects a bound of at least 0, but got -4}}
module attributes {a = #stablehlo.bounds<-4>} {}

// -----

// expected-error@+1 {{expects input_batch_dimension}}
module attributes {a = #stablehlo.conv<raw input_feature_dimension = 1>} {}

// -----

// expected-error@+1 {{expects dimension b once, but got it again}}
module attributes {a = #stablehlo.conv<[b, b, f]x[0, i, o]->[b, 0, f]>} {}

// -----

// expected-error@+1 {{expects dimensions i and o}}
module attributes {a = #stablehlo.conv<[b, 0, f]x[0, i]->[b, 0, f]>} {}

// -----

// expected-error@+2 {{expected ::tpuc::stablehlo::Precision to be one of: DEFAULT, HIGH, HIGHEST}}
// expected-error@+1 {{failed to parse}}
module attributes {a = #stablehlo<precision LOW>} {}

// -----

// expected-error@+1 {{expects tolerances of at least 0}}
module attributes {a = #stablehlo.result_accuracy<atol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} {}
