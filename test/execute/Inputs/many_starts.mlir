// Twenty rows taken at places that are data: more numbers than lie in front of the true sizes in SMEM.
func.func @main(%x: tensor<20x?x8xf32> {shapes.dims = ["20", "b", "8"]},
    %i0: tensor<i32>, %i1: tensor<i32>, %i2: tensor<i32>, %i3: tensor<i32>, %i4: tensor<i32>,
    %i5: tensor<i32>, %i6: tensor<i32>, %i7: tensor<i32>, %i8: tensor<i32>, %i9: tensor<i32>,
    %i10: tensor<i32>, %i11: tensor<i32>, %i12: tensor<i32>, %i13: tensor<i32>, %i14: tensor<i32>,
    %i15: tensor<i32>, %i16: tensor<i32>, %i17: tensor<i32>, %i18: tensor<i32>, %i19: tensor<i32>)
    -> tensor<1x?x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<20x?x8xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %b = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %b, %eight, dim = 0
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %ones = stablehlo.constant dense<1> : tensor<3xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %p0 = stablehlo.reshape %i0 : (tensor<i32>) -> tensor<1xi32>
  %f0 = stablehlo.concatenate %p0, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e0 = stablehlo.add %f0, %sizes : tensor<3xi32>
  %s0 = stablehlo.real_dynamic_slice %x, %f0, %e0, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %p1 = stablehlo.reshape %i1 : (tensor<i32>) -> tensor<1xi32>
  %f1 = stablehlo.concatenate %p1, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e1 = stablehlo.add %f1, %sizes : tensor<3xi32>
  %s1 = stablehlo.real_dynamic_slice %x, %f1, %e1, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t1 = stablehlo.add %s0, %s1 : tensor<1x?x8xf32>
  %p2 = stablehlo.reshape %i2 : (tensor<i32>) -> tensor<1xi32>
  %f2 = stablehlo.concatenate %p2, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e2 = stablehlo.add %f2, %sizes : tensor<3xi32>
  %s2 = stablehlo.real_dynamic_slice %x, %f2, %e2, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t2 = stablehlo.add %t1, %s2 : tensor<1x?x8xf32>
  %p3 = stablehlo.reshape %i3 : (tensor<i32>) -> tensor<1xi32>
  %f3 = stablehlo.concatenate %p3, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e3 = stablehlo.add %f3, %sizes : tensor<3xi32>
  %s3 = stablehlo.real_dynamic_slice %x, %f3, %e3, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t3 = stablehlo.add %t2, %s3 : tensor<1x?x8xf32>
  %p4 = stablehlo.reshape %i4 : (tensor<i32>) -> tensor<1xi32>
  %f4 = stablehlo.concatenate %p4, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e4 = stablehlo.add %f4, %sizes : tensor<3xi32>
  %s4 = stablehlo.real_dynamic_slice %x, %f4, %e4, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t4 = stablehlo.add %t3, %s4 : tensor<1x?x8xf32>
  %p5 = stablehlo.reshape %i5 : (tensor<i32>) -> tensor<1xi32>
  %f5 = stablehlo.concatenate %p5, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e5 = stablehlo.add %f5, %sizes : tensor<3xi32>
  %s5 = stablehlo.real_dynamic_slice %x, %f5, %e5, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t5 = stablehlo.add %t4, %s5 : tensor<1x?x8xf32>
  %p6 = stablehlo.reshape %i6 : (tensor<i32>) -> tensor<1xi32>
  %f6 = stablehlo.concatenate %p6, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e6 = stablehlo.add %f6, %sizes : tensor<3xi32>
  %s6 = stablehlo.real_dynamic_slice %x, %f6, %e6, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t6 = stablehlo.add %t5, %s6 : tensor<1x?x8xf32>
  %p7 = stablehlo.reshape %i7 : (tensor<i32>) -> tensor<1xi32>
  %f7 = stablehlo.concatenate %p7, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e7 = stablehlo.add %f7, %sizes : tensor<3xi32>
  %s7 = stablehlo.real_dynamic_slice %x, %f7, %e7, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t7 = stablehlo.add %t6, %s7 : tensor<1x?x8xf32>
  %p8 = stablehlo.reshape %i8 : (tensor<i32>) -> tensor<1xi32>
  %f8 = stablehlo.concatenate %p8, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e8 = stablehlo.add %f8, %sizes : tensor<3xi32>
  %s8 = stablehlo.real_dynamic_slice %x, %f8, %e8, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t8 = stablehlo.add %t7, %s8 : tensor<1x?x8xf32>
  %p9 = stablehlo.reshape %i9 : (tensor<i32>) -> tensor<1xi32>
  %f9 = stablehlo.concatenate %p9, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e9 = stablehlo.add %f9, %sizes : tensor<3xi32>
  %s9 = stablehlo.real_dynamic_slice %x, %f9, %e9, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t9 = stablehlo.add %t8, %s9 : tensor<1x?x8xf32>
  %p10 = stablehlo.reshape %i10 : (tensor<i32>) -> tensor<1xi32>
  %f10 = stablehlo.concatenate %p10, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e10 = stablehlo.add %f10, %sizes : tensor<3xi32>
  %s10 = stablehlo.real_dynamic_slice %x, %f10, %e10, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t10 = stablehlo.add %t9, %s10 : tensor<1x?x8xf32>
  %p11 = stablehlo.reshape %i11 : (tensor<i32>) -> tensor<1xi32>
  %f11 = stablehlo.concatenate %p11, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e11 = stablehlo.add %f11, %sizes : tensor<3xi32>
  %s11 = stablehlo.real_dynamic_slice %x, %f11, %e11, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t11 = stablehlo.add %t10, %s11 : tensor<1x?x8xf32>
  %p12 = stablehlo.reshape %i12 : (tensor<i32>) -> tensor<1xi32>
  %f12 = stablehlo.concatenate %p12, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e12 = stablehlo.add %f12, %sizes : tensor<3xi32>
  %s12 = stablehlo.real_dynamic_slice %x, %f12, %e12, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t12 = stablehlo.add %t11, %s12 : tensor<1x?x8xf32>
  %p13 = stablehlo.reshape %i13 : (tensor<i32>) -> tensor<1xi32>
  %f13 = stablehlo.concatenate %p13, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e13 = stablehlo.add %f13, %sizes : tensor<3xi32>
  %s13 = stablehlo.real_dynamic_slice %x, %f13, %e13, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t13 = stablehlo.add %t12, %s13 : tensor<1x?x8xf32>
  %p14 = stablehlo.reshape %i14 : (tensor<i32>) -> tensor<1xi32>
  %f14 = stablehlo.concatenate %p14, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e14 = stablehlo.add %f14, %sizes : tensor<3xi32>
  %s14 = stablehlo.real_dynamic_slice %x, %f14, %e14, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t14 = stablehlo.add %t13, %s14 : tensor<1x?x8xf32>
  %p15 = stablehlo.reshape %i15 : (tensor<i32>) -> tensor<1xi32>
  %f15 = stablehlo.concatenate %p15, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e15 = stablehlo.add %f15, %sizes : tensor<3xi32>
  %s15 = stablehlo.real_dynamic_slice %x, %f15, %e15, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t15 = stablehlo.add %t14, %s15 : tensor<1x?x8xf32>
  %p16 = stablehlo.reshape %i16 : (tensor<i32>) -> tensor<1xi32>
  %f16 = stablehlo.concatenate %p16, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e16 = stablehlo.add %f16, %sizes : tensor<3xi32>
  %s16 = stablehlo.real_dynamic_slice %x, %f16, %e16, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t16 = stablehlo.add %t15, %s16 : tensor<1x?x8xf32>
  %p17 = stablehlo.reshape %i17 : (tensor<i32>) -> tensor<1xi32>
  %f17 = stablehlo.concatenate %p17, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e17 = stablehlo.add %f17, %sizes : tensor<3xi32>
  %s17 = stablehlo.real_dynamic_slice %x, %f17, %e17, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t17 = stablehlo.add %t16, %s17 : tensor<1x?x8xf32>
  %p18 = stablehlo.reshape %i18 : (tensor<i32>) -> tensor<1xi32>
  %f18 = stablehlo.concatenate %p18, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e18 = stablehlo.add %f18, %sizes : tensor<3xi32>
  %s18 = stablehlo.real_dynamic_slice %x, %f18, %e18, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t18 = stablehlo.add %t17, %s18 : tensor<1x?x8xf32>
  %p19 = stablehlo.reshape %i19 : (tensor<i32>) -> tensor<1xi32>
  %f19 = stablehlo.concatenate %p19, %zeros, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %e19 = stablehlo.add %f19, %sizes : tensor<3xi32>
  %s19 = stablehlo.real_dynamic_slice %x, %f19, %e19, %ones
      : (tensor<20x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %t19 = stablehlo.add %t18, %s19 : tensor<1x?x8xf32>
  return %t19 : tensor<1x?x8xf32>
}
