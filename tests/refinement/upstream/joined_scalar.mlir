func.func @f(%a: !torch.vtensor<[],f32>) -> !torch.vtensor<[?],f32> {
  %l = torch.prim.ListConstruct %a : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %0 = torch.constant.int 0
  %r = torch.aten.cat %l, %0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}
