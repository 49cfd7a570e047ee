// What goes in comes out.
module @types {
  func.func @main(%a: tensor<3xi1>, %b: tensor<3xbf16>, %c: tensor<3xf16>, %d: tensor<3xi8>, %e: tensor<3xui8>,
      %f: tensor<3xi16>, %g: tensor<ui32>)
      -> (tensor<3xi1>, tensor<3xbf16>, tensor<3xf16>, tensor<3xi8>, tensor<3xui8>, tensor<3xi16>, tensor<ui32>) {
    return %a, %b, %c, %d, %e, %f, %g
        : tensor<3xi1>, tensor<3xbf16>, tensor<3xf16>, tensor<3xi8>, tensor<3xui8>, tensor<3xi16>, tensor<ui32>
  }
}
