"""Elements of tensors and arrays as records hold them."""
import numpy as np

MOST_VALUES = 512


def plain(value):
    """Numbers as JSON can hold them; infinities and NaN as strings."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return repr(value)
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, (tuple, list, np.ndarray)):  # a structure, or a field of it that is an array
        return [plain(part) for part in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def numbers(dtype):
    """Whether its elements are numbers the engine knows, strings, or structures of such."""
    if dtype.names:
        return all(numbers(field[0].base) for field in dtype.fields.values())
    if dtype.kind in "SU":
        return dtype.isnative
    if dtype.kind == "V":
        return dtype.itemsize > 0
    return dtype.kind in "biufc" and dtype.char not in "gG"


def readable(strings):
    """Whether the code points of strings, which may be any bytes, are characters."""
    codes = np.array(strings).reshape(-1).view(np.uint32)
    return bool(np.all((codes < 0xD800) | (codes > 0xDFFF) & (codes < 0x110000)))


def storage_of(tensor):
    """The untyped storage, by the name it had before PyTorch 2.0, too."""
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


def elements(value):
    """The elements of a tensor or array in row-major order as JSON can hold them; null beyond MOST_VALUES."""
    if (value.size if isinstance(value, np.ndarray) else value.numel()) > MOST_VALUES:
        return None
    try:
        numbers = value.reshape(-1).tolist()
    except (RuntimeError, SystemError, ValueError):  # a tensor that a failed as_strided_ left in pieces; no characters
        return None
    return [plain(v) for v in numbers] if numbers and not isinstance(numbers[0], int) else numbers
