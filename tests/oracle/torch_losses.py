"""Probes of PyTorch's activations with arguments of their own, and of losses: of elements, and of classes."""
from torch_more import FLOATS, Layers

F = "torch.nn.functional."
REDUCTION = "*reduction:='none'|'none'|'mean'|'sum'?"
PAIR = ":own target:beside "


class Losses(Layers):
    INPUTS = FLOATS + [
        "torch.arange(48.).view(2, 6, 2, 2).to(memory_format=torch.channels_last)", "torch.linspace(-3, 3, 24).view(4, 6)",
        "torch.linspace(-3, 3, 24).view(2, 3, 4).transpose(1, 2)", "torch.arange(-4, 4)", "torch.arange(4) > 1",
        "torch.linspace(0, 1, 12).view(3, 4)", "torch.linspace(0, 1, 12).view(4, 3).t()", "torch.linspace(0, 1, 8).half()",
        "torch.arange(6).to(torch.uint8)", "torch.linspace(-2, 2, 8).view(2, 1, 4).expand(2, 3, 4)",
    ]
    OPERATIONS = [
        *2 * [(F + "celu", ":own alpha:=1.|0.5|2|0|-1.? inplace:flag?")], (F + "selu", ":own inplace:flag?"),
        (F + "hardshrink", ":own lambd:=0.5|0|1|2.5?"), (F + "softshrink", ":own lambd:=0.5|0|1|-1|2.5?"),
        (F + "threshold", ":own threshold:=0|0.5|2|-1 value:=0|7|2.5|-3|300 inplace:flag?"),
        (F + "softsign", ":own"), (F + "tanhshrink", ":own"), (F + "logsigmoid", ":own"), *2 * [(F + "glu", ":own dim:dim?")],
        *2 * [(F + "prelu", ":own weight:slope")],
        *[(F + name + "_", arguments) for name, arguments in (
            ("celu", ":written alpha:=1.|2?"), ("elu", ":written alpha:=1.|2?"), ("selu", ":written"),
            ("hardtanh", ":written min_val:=-1|0|2? max_val:=1|6?"), ("leaky_relu", ":written negative_slope:=0.1?"),
            ("threshold", ":written threshold:=0|1 value:=0|7"))],
        *2 * [(F + name, PAIR + REDUCTION) for name in ("mse_loss", "l1_loss")],
        (F + "mse_loss", PAIR + REDUCTION + " *weight:beside"), (F + "l1_loss", PAIR + REDUCTION + " *weight:beside"),
        *2 * [(F + "smooth_l1_loss", PAIR + REDUCTION + " *beta:=1.|0.5|2|0|-1?")],
        *2 * [(F + "huber_loss", PAIR + REDUCTION + " *delta:=1.|0.5|2|0?")],
        *2 * [(F + "binary_cross_entropy", ":share target:beside weight:beside? " + REDUCTION)],
        *2 * [(F + "binary_cross_entropy_with_logits", ":own target:beside weight:beside? " + REDUCTION + " *pos_weight:beside?")],
        *2 * [(F + "kl_div", ":own target:beside *reduction:='none'|'mean'|'sum'|'batchmean'|'what'? *log_target:flag?")],
        *3 * [(F + "cross_entropy", "input:scores target:classes weight:class_weight? " + REDUCTION
               + " *ignore_index:=0|1|-1|-100? *label_smoothing:=0.1|0.|0.5?")],
        *3 * [(F + "nll_loss", "input:scores target:classes weight:class_weight? " + REDUCTION + " *ignore_index:=0|1|-1?")],
    ]

    def own(self):
        return self.pick("x", "x", "x", "y", "x.flip(-1)" if self.rank else "x", "x.double()", "x / 8")

    def written(self):
        return self.pick("x", "y", "y.clone()", "x[..., :1]" if self.rank else "x", "x.contiguous()")

    def share(self):
        return self.pick("x.sigmoid()", "x.sigmoid()", "x.sigmoid().double()", "x", "x / 64")

    def beside(self):
        """Mostly of the sizes of x."""
        return self.pick("x.sigmoid()", "x.sigmoid()", "x.abs() / 48", "torch.ones_like(x)", "x.sigmoid().contiguous()",
            f"torch.full({self.tuple(self.shape)}, 0.25)", "x.flip(0) / 2" if self.rank else "x", "x", "y", "x[..., :1]" if self.rank else "x",
            "torch.tensor(0.5)", "torch.tensor([0.5])", "x.long()", "x.double()", "x.half()", "torch.ones(3)")

    def slope(self):
        n = self.shape[1] if self.rank > 1 else 1
        return self.pick("torch.tensor([0.25])", "torch.tensor(0.5)", f"torch.arange({n}.)", f"torch.arange({n}.)", "torch.ones(3)", "x", "torch.ones(1).double()")

    def scores(self):
        self.batch, self.classified, rest = self.pick((4, 3, []), (4, 3, []), (2, 3, [2]), (2, 3, [2, 2]), (1, 4, [2, 1, 2]), (None, 3, []), (20, 3, []), (0, 3, []))
        self.spots = ([] if self.batch is None else [self.batch]) + rest
        sizes = ([] if self.batch is None else [self.batch]) + [self.classified] + rest
        count = 1
        for n in sizes:
            count *= n
        made = f"(torch.arange({count}.) % 7).view({self.tuple(sizes)})"
        return self.pick(made, made, made, f"{made}.double()", f"{made} / 4", f"{made}.flip(0)", f"{made}.long()" if self.chance(0.3) else made, "x" if self.chance(0.2) else made)

    def classes(self):
        count = 1
        for n in self.spots:
            count *= n
        sizes = self.tuple(self.spots) if self.spots else "()"
        made = f"(torch.arange({count}) % 3).view({sizes})"
        return self.pick(*4 * [made], made + " + 1" if self.chance(0.4) else made, made + " - 1", f"{made}.to(torch.uint8)", f"{made}.int()",
            "torch.tensor([0, 2])", "x" if self.chance(0.3) else made)

    def class_weight(self):
        return self.pick("torch.tensor([1., 2., 3.])", "torch.tensor([1., 2., 3.])", "torch.tensor([1., 2., 3.]).double()", "torch.ones(2)", "None")
