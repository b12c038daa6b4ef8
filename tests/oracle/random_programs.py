"""Random programs over the operations of both libraries."""
from numpy_programs import NumPy
from torch_programs import Torch


def write_program(lib, seed, make_recorder):
    """The lines of a program and what each did."""
    return {"torch": Torch, "numpy": NumPy}[lib](lib, seed, make_recorder()).program()
