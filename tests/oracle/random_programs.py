"""Random programs over the operations of both libraries: some go where their writer's chances lead, others probe a few
operations with every kind of input."""
from importlib.util import find_spec

from numpy_more import Rest as NumPyRest
from numpy_probes import NumPyProbes
from numpy_programs import NumPy
from numpy_strings import Strings
from numpy_structured import Structured
from patterns import NumPyPatterns, TorchPatterns
from torch_gradients import Gradients
from torch_losses import Losses
from torch_nn import Modules
from torch_more import Layers, Rest as TorchRest
from torch_probes import TorchProbes
from torch_programs import Torch

PROBES = {"torch": [TorchProbes, TorchRest, Layers, Losses, Modules, Gradients], "numpy": [NumPyProbes, NumPyRest, Structured, Strings]}
if find_spec("einops"):
    PROBES["torch"].append(TorchPatterns)
    PROBES["numpy"].append(NumPyPatterns)


def write_program(lib, seed, make_recorder):
    """The lines of a program and what each did.  @param seed "S/i": the i-th program of seed S"""
    i = int(seed.rpartition("/")[2])
    if i % 2:
        probes = PROBES[lib]
        return probes[i // 2 % len(probes)](seed, make_recorder()).program()
    return {"torch": Torch, "numpy": NumPy}[lib](lib, seed, make_recorder()).program()
