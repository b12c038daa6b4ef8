"""Random programs over the operations of both libraries: every other one goes where its writer's chances lead, every
other one probes a few operations with every kind of input."""
from numpy_probes import NumPyProbes
from numpy_programs import NumPy
from torch_probes import TorchProbes
from torch_programs import Torch


def write_program(lib, seed, make_recorder):
    """The lines of a program and what each did.  @param seed "S/i": the i-th program of seed S"""
    if int(seed.rpartition("/")[2]) % 2:
        return {"torch": TorchProbes, "numpy": NumPyProbes}[lib](seed, make_recorder()).program()
    return {"torch": Torch, "numpy": NumPy}[lib](lib, seed, make_recorder()).program()
