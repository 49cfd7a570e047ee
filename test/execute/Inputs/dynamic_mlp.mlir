// An MLP of any batch as JAX exports it: means over the batch, the classes that are best, a softmax over the batch.
module @dynamic_mlp {
  func.func public @main(%x: tensor<?x6xf32>, %w: tensor<6x8xf32>, %v: tensor<8x3xf32>)
      -> (tensor<?x3xf32>, tensor<3xf32>, tensor<?xi32>, tensor<?x3xf32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
    %holds = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%holds, %b) {has_side_effect = true,
        error_message =
        "Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, 6)."} : (tensor<i1>, tensor<i32>) -> ()
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %first = stablehlo.constant dense<0> : tensor<i32>
    %eight = stablehlo.constant dense<8> : tensor<1xi32>
    %three = stablehlo.constant dense<3> : tensor<1xi32>
    %rows = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %hidden_shape = stablehlo.concatenate %rows, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %shape = stablehlo.concatenate %rows, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x6xf32>, tensor<6x8xf32>)
        -> tensor<?x8xf32>
    %zeros = stablehlo.dynamic_broadcast_in_dim %zero, %hidden_shape, dims = [] : (tensor<f32>, tensor<2xi32>)
        -> tensor<?x8xf32>
    %1 = stablehlo.maximum %0, %zeros : tensor<?x8xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x3xf32>)
        -> tensor<?x3xf32>
    %sum = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
    %size = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
    %sizes = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %mean = stablehlo.divide %sum, %sizes : tensor<3xf32>
    %means = stablehlo.dynamic_broadcast_in_dim %mean, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>)
        -> tensor<?x3xf32>
    %3 = stablehlo.subtract %2, %means : tensor<?x3xf32>
    %classes = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x3xi32>
    %best:2 = stablehlo.reduce(%3 init: %least), (%classes init: %first) across dimensions = [1]
        : (tensor<?x3xf32>, tensor<?x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
     reducer(%a: tensor<f32>, %c: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %more = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %x1 = stablehlo.select %more, %a, %c : tensor<i1>, tensor<f32>
      %x2 = stablehlo.select %more, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %x1, %x2 : tensor<f32>, tensor<i32>
    }
    %top = stablehlo.reduce(%3 init: %least) applies stablehlo.maximum across dimensions = [0]
        : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
    %tops = stablehlo.dynamic_broadcast_in_dim %top, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>)
        -> tensor<?x3xf32>
    %4 = stablehlo.subtract %3, %tops : tensor<?x3xf32>
    %5 = stablehlo.exponential %4 : tensor<?x3xf32>
    %total = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
    %totals = stablehlo.dynamic_broadcast_in_dim %total, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>)
        -> tensor<?x3xf32>
    %6 = stablehlo.divide %5, %totals : tensor<?x3xf32>
    return %3, %mean, %best#1, %6 : tensor<?x3xf32>, tensor<3xf32>, tensor<?xi32>, tensor<?x3xf32>
  }
}
