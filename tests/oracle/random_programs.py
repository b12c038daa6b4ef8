"""Random programs over the operations of both libraries."""
from numpy_programs import NumPy
from torch_programs import Torch


def write_program(lib, seed, make_recorder):
    return {"torch": Torch, "numpy": NumPy}[lib](lib, seed, make_recorder()).program()
