"""Probes of what torch.nn has beside the usual layers: attention and transformers, cells, pooling in three dimensions and
back, normalization of each image, losses of pairs and triplets, dropout of channels, images sampled along a grid."""
from torch_losses import REDUCTION, Losses
from torch_more import Layers

F = "torch.nn.functional."
NN = "torch.nn."


class Modules(Losses):
    INPUTS = Layers.INPUTS + [
        "torch.arange(40.).view(5, 8) / 40", "torch.arange(80.).view(5, 2, 8) / 80", "torch.arange(80.).view(2, 5, 8).transpose(0, 1) / 80",
        "torch.arange(96.).view(1, 4, 2, 3, 4)", "torch.arange(192.).view(2, 4, 2, 3, 4).to(memory_format=torch.channels_last_3d)",
    ]
    OPERATIONS = [
        *2 * [(F + "max_pool3d", "input:volume kernel_size:step3 stride:step3? padding:pad3? dilation:step3? ceil_mode:flag? return_indices:flag?")],
        *2 * [(F + "avg_pool3d", "input:volume kernel_size:step3 stride:step3? padding:pad3? ceil_mode:flag? count_include_pad:flag? divisor_override:count?")],
        ("torch.max_pool3d", "input:volume kernel_size:step3 stride:step3? padding:pad3?"),
        ("torch.max_pool2d", "input:image kernel_size:step2 stride:step2? padding:pad2? dilation:step2? ceil_mode:flag?"),
        ("torch.max_pool1d", "input:row kernel_size:step1 stride:step1? padding:pad1? dilation:step1? ceil_mode:flag?"),
        *2 * [(F + "adaptive_max_pool2d", "input:image output_size:out2 return_indices:flag?")],
        (F + "adaptive_max_pool1d", "input:row output_size:count return_indices:flag?"),
        (F + "adaptive_max_pool3d", "input:volume output_size:out3 return_indices:flag?"),
        *2 * [(F + "adaptive_avg_pool3d", "input:volume output_size:out3")],
        (F + "max_unpool2d", ":unpooled output_size:=(4,4)|(5,5)|(8,10)?"),
        (F + "lp_pool1d", ":row norm_type:=1|2 kernel_size:=1|2|3 stride:=1|2? ceil_mode:flag?"),
        (F + "lp_pool2d", ":image norm_type:=1|2 kernel_size:=1|2|(2,1) stride:=1|2? ceil_mode:flag?"),
        (F + "local_response_norm", ":fine size:=1|2|3|5 alpha:=0.5? beta:=0.75|1? k:=1.|2.?"),
        *2 * [(F + "instance_norm", "input:fine running_mean:four_or_none? running_var:four_or_none? weight:four? bias:four? use_input_stats:flag? momentum:=0.1|1.? eps:=1e-5|1.?")],
        (F + "margin_ranking_loss", ":own input2:beside target:beside *margin:=0.|0.5|2? " + REDUCTION),
        (F + "hinge_embedding_loss", ":own target:signs *margin:=0.|0.5|2? " + REDUCTION),
        (F + "soft_margin_loss", ":share target:signs " + REDUCTION),
        (F + "cosine_embedding_loss", ":own input2:beside target:=torch.tensor([1.,-1.])|torch.tensor([1,-1])|torch.tensor(1)|torch.ones(4) *margin:=0.|0.5? " + REDUCTION),
        (F + "triplet_margin_loss", ":own positive:beside negative:beside *margin:=1.|2|0? *p:=1|2? *swap:flag? " + REDUCTION),
        (F + "poisson_nll_loss", ":own target:beside *log_input:flag? *full:flag? " + REDUCTION),
        (F + "gaussian_nll_loss", ":own target:beside var:beside *full:flag? " + REDUCTION),
        (F + "multilabel_soft_margin_loss", ":own target:beside weight:beside? " + REDUCTION),
        (F + "multi_margin_loss", "input:scores target:classes *p:=1|2|3? *margin:=1.|0.5? " + REDUCTION),
        (F + "multilabel_margin_loss", "input:=torch.arange(12.).view(3,4)|torch.arange(4.)|torch.arange(12.).view(4,3).t() target:=torch.tensor([[3,0,-1,1],[1,-1,0,2],[-1,0,0,0]])|torch.tensor([3,0,-1,1]) " + REDUCTION),
        *[(F + name, ":any p:=0.5|0.|1.|2. training:=False inplace:flag?") for name in ("dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")],
        *[(F + name, ":any p:=0.5|0.|1. *training:=True") for name in ("dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")],
        (F + "gumbel_softmax", ":any tau:=1|0.5? hard:flag? dim:dim?"), (F + "rrelu", ":any training:flag? inplace:flag?"),
        *2 * [(F + "grid_sample", ":image grid:grid mode:='bilinear'|'nearest'|'bicubic'? padding_mode:='zeros'|'border'|'reflection'? align_corners:flag?")],
        (F + "affine_grid", ":=torch.tensor([[[1.,0,0.5],[0,2,0]]])|torch.eye(3)[:2].unsqueeze(0).double()|torch.eye(4)[:3].unsqueeze(0)|x size:=(1,1,2,3)|[1,2,3,1]|(1,1,2,2,2)|(2,1,2,2) align_corners:flag?"),
        (F + "bilinear", ":=torch.arange(6.).view(3,2)|torch.ones(2,2)|torch.arange(6.).view(2,3).t() input2:=torch.arange(9.).view(3,3)|torch.ones(2,3)|torch.ones(3,2) weight:=torch.arange(24.).view(4,2,3)|torch.ones(1,2,3) bias:=torch.ones(4)|torch.ones(1)|None?"),
        (F + "embedding_bag", ":=torch.tensor([[0,2],[1,1]])|torch.tensor([[1,2,0]])|x.long() weight:table *mode:='sum'|'mean'|'max'? *padding_idx:=0|1?"),
        (F + "embedding_bag", ":=torch.tensor([0,2,1,1])|torch.tensor([1,2,0,1]).int() weight:table offsets:=torch.tensor([0,2])|torch.tensor([0,2,2])|torch.tensor([0,4])|torch.tensor([0,5]) *mode:='sum'|'mean'|'max'? *include_last_offset:flag?"),
        (NN + "InstanceNorm2d", ":instance"), (NN + "InstanceNorm1d", ":instance"), (NN + "Softmax2d", ":nothing"),
        (NN + "MaxPool3d", ":pool3"), (NN + "AvgPool3d", ":pool3"), (NN + "AdaptiveMaxPool2d", ":layer2"), (NN + "AdaptiveAvgPool3d", ":layer3"),
        (NN + "Dropout2d", ":=0.|1."), (NN + "LocalResponseNorm", ":=2|3"), (NN + "CircularPad2d", ":=1|2|(1,0,0,1)"),
        (NN + "UpsamplingBilinear2d", ":=scale_factor=2|size=3"), (NN + "UpsamplingNearest2d", ":=scale_factor=2|size=(3,2)"),
        *4 * [(NN + "MultiheadAttention", ":attention")], *3 * [(NN + "TransformerEncoderLayer", ":layer")],
        *2 * [(NN + "TransformerDecoderLayer", ":layer")],
        *[(NN + name, ":=8, 3|8, 3, bias=False|4, 2") for name in ("RNNCell", "GRUCell", "LSTMCell")],
    ]

    def call(self, name, parameters):
        module = name[len(NN):]
        sequence = self.pick("torch.ones(5, 2, 8)", "torch.ones(2, 5, 8).transpose(0, 1)", "torch.ones(5, 8)", "torch.ones(1, 1, 8)", "x", "x")
        inputs = {"MultiheadAttention": lambda: self.attended(sequence), "TransformerEncoderLayer": lambda: sequence + self.pick("", "", ", torch.zeros(5, 5)"),
                  "TransformerDecoderLayer": lambda: f"{sequence}, {self.pick(sequence, 'torch.ones(3, 2, 8)')}"}.get(module)
        if not inputs and not module.endswith("Cell"):
            return super().call(name, parameters)
        made = f"{name}({self.argument(parameters[1:])})"
        if inputs:
            made += self.pick("", "", ".eval()", ".eval().requires_grad_(False)")
            return f"{made}({inputs()})"
        return f"{made}({self.pick('torch.ones(2, 8)', 'torch.ones(8)', 'x', 'torch.ones(3, 4)')})"

    def attended(self, sequence):
        same = self.chance(0.6)
        other = sequence if same else self.pick("torch.ones(3, 2, 8)", "torch.ones(5, 3, 8)", "torch.ones(3, 8)", "y")
        options = self.pick("", "", ", need_weights=False", ", average_attn_weights=False", ", attn_mask=torch.zeros(5, 5)",
            ", attn_mask=torch.ones(5, 5).triu(1).bool()", ", key_padding_mask=torch.zeros(2, 5, dtype=torch.bool)")
        return f"{sequence}, {other}, {other}{options}"

    def attention(self):
        return "8, " + self.pick("2", "2", "1", "4", "3") + self.pick("", "", ", batch_first=True", ", batch_first=True", ", bias=False",
            ", add_zero_attn=True", ", dropout=0.1", ", add_bias_kv=True")

    def layer(self):
        return "8, " + self.pick("2", "2", "1", "4") + ", 6" + self.pick("", ", batch_first=True", ", batch_first=True", ", norm_first=True",
            ", batch_first=True, norm_first=True", ", activation='gelu'", ", bias=False", ", dropout=0.0")

    def instance(self):
        return self.pick("4", "4", "4, affine=True", "3", "3, affine=True", "4, track_running_stats=True")

    def step3(self):
        return self.pick("1", "2", "2", "(1, 2, 2)", "(2, 1, 2)", "[1, 2, 1]", "0" if self.chance(0.1) else "2", "(1, 2)" if self.chance(0.1) else "1")

    def pad3(self):
        return self.pick("0", "0", "1", "(0, 1, 1)", "(1, 0, 0)", "-1" if self.chance(0.2) else "0")

    def out3(self):
        return self.pick("1", "2", "(1, 2, 3)", "(None, 2, 1)", "0", "(1, 1)" if self.chance(0.1) else "(2, 2, 2)")

    def pool3(self):
        return ", ".join(filter(None, [self.step3(), f"stride={self.step3()}" if self.chance(0.5) else ""]))

    def layer3(self):
        return self.out3()

    def unpooled(self):
        image = self.pick("torch.arange(32.).view(1, 2, 4, 4)", "torch.arange(32.).view(1, 2, 4, 4).to(memory_format=torch.channels_last)", "torch.arange(16.).view(1, 4, 4)")
        return f"*{F}max_pool2d({image}, 2, return_indices=True), 2"

    def grid(self):
        return self.pick("torch.tensor([[[[0., 0], [0.5, -0.5]], [[-1, 1], [2, 0.25]]]])", "torch.zeros(1, 2, 3, 2)", "torch.zeros(2, 3, 2, 2)",
            "torch.zeros(2, 1, 1, 2).double()", "torch.full((1, 1, 4, 2), 0.5)")

    def signs(self):
        return self.pick("x.sign()", f"(torch.ones({self.tuple(self.shape)}) * -1)", f"torch.ones({self.tuple(self.shape)})", "x.sign().long()", "torch.ones(3)")
