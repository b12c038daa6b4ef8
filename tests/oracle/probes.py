"""Programs that probe operations: a tensor of some kind (packed, transposed, expanded, strided, 0-d, empty, of size 1, ..)
and calls of a few operations with every kind of argument: usual, by name, negative, out of range, too few, too many, of
another type. What the random programs of writer.py reach seldom, these reach on purpose."""
import ast
import random

from undefined import undefined

SPOILERS = ["1.5", "'a'", "None", "True", "x", "[0]", "(0, 1)", "()", "2.0", "-1", "99", "[1, 'a']", "[[0]]", "y", "[]",
    "-7", "x.shape", "slice(1)"]


class Probes:
    """A program: a setup of x and y, then calls. A library says what its inputs and operations are.

    An operation is a pair: its name, and its parameters as "name:kind" with "?" where one may be left out and "*" where it
    goes by name alone; what a kind may be is a method of that name."""

    INPUTS, OPERATIONS, MODULE, SPOILERS = [], [], "", SPOILERS

    def __init__(self, seed, recorder):
        self.rng = random.Random(f"{type(self).__name__}/{seed}")
        self.recorder = recorder
        self.lines, self.records = [], []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def add(self, line):
        """Runs a line; one that leaves what the engine models ends the program, and is not part of it. One whose outcome
        the library leaves open is passed over."""
        if undefined(ast.parse(line).body[0], self.recorder.names):
            return
        record = self.recorder.run(line)
        if not self.recorder.beyond:
            self.records.append(record)
            self.lines.append(line)

    def value(self, name):
        return self.recorder.names.get(name)

    @property
    def shape(self):
        return list(self.value(self.x).shape)

    @property
    def rank(self):
        return len(self.shape)

    @staticmethod
    def tuple(numbers):
        return "(" + ", ".join(map(str, numbers)) + ("," if len(numbers) == 1 else "") + ")"

    # --- kinds of arguments --------------------------------------------------------------------------------------
    def dim(self, extra=0):
        n = self.rank + extra
        if n <= 0 or self.chance(0.1):
            return str(self.pick(0, -1, n, -n - 1, n + 3))
        return str(self.rng.randrange(-n, n))

    def dim1(self):
        return self.dim(1)

    def dims(self):
        count = self.pick(1, 1, 2, 2, 2, 3, 0)
        numbers = [self.dim() for _ in range(count)]
        if self.chance(0.7):
            numbers = [str(d) for d in self.rng.sample(range(self.rank), min(count, self.rank))]
        return self.brackets(numbers)

    def some_dims(self):
        return self.dims() if self.chance(0.5) else self.dim()

    def brackets(self, numbers):
        return f"[{', '.join(map(str, numbers))}]" if self.chance(0.2) else self.tuple(numbers)

    def permutation(self):
        dims = list(range(self.rank))
        self.rng.shuffle(dims)
        dims = [d - self.rank if self.chance(0.2) else d for d in dims]
        if dims and self.chance(0.15):
            dims[0] = self.pick(dims[-1], self.rank, -self.rank - 1)
        if self.chance(0.08):
            dims = dims[1:] if self.chance(0.5) else dims + [0]
        return dims

    def factors(self, n):
        sizes = []
        while n > 1 and len(sizes) < 5:
            d = self.rng.choice([d for d in range(2, n + 1) if n % d == 0])
            sizes.append(d)
            n //= d
        if n != 1:
            sizes.append(n)
        if self.chance(0.4):
            sizes.insert(self.rng.randint(0, len(sizes)), 1)
        if sizes and self.chance(0.35):
            sizes[self.rng.randrange(len(sizes))] = -1
        if self.chance(0.1):
            sizes.insert(self.rng.randint(0, len(sizes)), self.pick(-1, 0, 2, -2))
        return sizes

    def target(self):
        """Sizes for as many elements as x has: any, or those of x with neighbours merged or a size split."""
        sizes, total = self.shape, 1
        for n in sizes:
            total *= n
        if not sizes or total > 4000 or self.chance(0.35):
            return self.factors(total) if 0 < total <= 4000 else self.pick(sizes, sizes[::-1], [0], [-1], [0, -1],
                [3, 0], sizes + [1])
        i = self.rng.randrange(len(sizes))
        if len(sizes) > 1 and self.chance(0.5):
            i = min(i, len(sizes) - 2)
            sizes[i:i + 2] = [sizes[i] * sizes[i + 1]]
        elif sizes[i]:
            d = self.rng.choice([d for d in range(1, sizes[i] + 1) if sizes[i] % d == 0])
            sizes[i:i + 1] = [d, sizes[i] // d]
        if sizes and self.chance(0.2):
            sizes[self.rng.randrange(len(sizes))] = -1
        return sizes

    def wider(self, keep=True):
        """Sizes that x broadcasts to, or nearly."""
        sizes = [self.pick(n, n, -1) if keep and n != 1 else self.pick(1, 2, 3, -1 if keep else 1,
            0 if self.chance(0.2) else 1) if n == 1 else n for n in self.shape]
        sizes = [self.pick(1, 2, 3) for _ in range(self.pick(0, 0, 1, 2))] + sizes
        if sizes and self.chance(0.12):
            sizes[self.rng.randrange(len(sizes))] = self.pick(-1, 0, 5, -2, 1)
        return sizes[1:] if self.chance(0.06) else sizes

    def small(self):
        return str(self.pick(0, 1, 2, 2, 3, 4, -1, 7))

    def count(self):
        return str(self.pick(1, 2, 2, 3, 4, 5, 0, -1) if self.chance(0.4) else self.pick(1, 2, 3))

    def place(self):
        n = self.pick(*self.shape) if self.rank else 0
        return str(self.rng.randint(-n - 1, n + 1))

    def offset(self):
        return str(self.rng.randint(-4, 4))

    def flag(self):
        return self.pick("True", "False")

    def number(self):
        return self.pick("1", "2", "7", "0", "-1", "2.5", "0.7", "True", "3", "300")

    def cuts(self):
        n = self.pick(*self.shape) if self.rank else 2
        return self.pick(self.brackets(sorted(self.rng.randint(0, n + 1) for _ in range(self.pick(0, 1, 2, 2, 3)))),
            self.brackets([self.rng.randint(-2, n + 1) for _ in range(2)]), self.count(), self.count())

    def slice(self, n, backwards):
        def end():
            return "" if self.chance(0.4) else str(self.rng.randint(-n - 2, n + 2))
        step = "" if self.chance(0.5) else ":" + str(self.pick(1, 2, 3, 100, *([-1, -1, -2] if backwards else []),
            *([0, -1] if self.chance(0.1) else [])))
        return f"{end()}:{end()}{step}"

    def key(self, backwards, advanced):
        """What stands in brackets."""
        keys, dots = [], False
        for n in self.shape[:self.rng.randint(0, self.rank)] + ([3] if self.chance(0.05) else []):
            roll = self.rng.random()
            if roll < 0.1:
                keys.append("None")
            if roll > 0.93 and (not dots or self.chance(0.1)):
                keys.append("...")
                dots = True
            elif roll > 0.86 and advanced:
                keys.append(self.pick(*advanced)(n))
            elif roll < 0.4:
                keys.append(str(self.rng.randint(-n, n - 1) if n and not self.chance(0.06) else n + self.pick(0, 1,
                    -2 * n - 1)))
            elif roll < 0.42:
                keys.append(self.pick("True", "False", "1.5", "'a'", "None", "y", "slice(0, 2)",
                    "slice(None, None, 2)"))
            else:
                keys.append(self.slice(n, backwards))
        return ", ".join(keys) or self.pick("...", ":", "None", "()", "0", "-1", "..., 0", "0, ...", "..., None",
            "None, ...", "::2", "1:")

    # --- a call --------------------------------------------------------------------------------------------------
    def argument(self, kind):
        return getattr(self, kind)() if not kind.startswith("=") else self.pick(*kind[1:].split("|"))

    def call(self, name, parameters):
        """The call as a method or as a function of the module, its arguments given in place or by name, spoiled now and then."""
        given = []
        for parameter in parameters.split():
            word, kind = parameter.rstrip("?").split(":", 1)
            if parameter.endswith("?") and self.chance(0.5):
                if not word.startswith("*") and self.chance(0.6):
                    break
                word = word if word.startswith("*") else "*" + word
                if self.chance(0.5):
                    continue
            given.append((word, self.argument(kind)))
        if given and self.chance(0.08):
            roll = self.rng.random()
            i = self.rng.randrange(len(given))
            if roll < 0.6:
                given[i] = (given[i][0], self.pick(*self.SPOILERS))
            elif roll < 0.8:
                del given[i]
            else:
                given.append(("", self.pick(*self.SPOILERS)))
        by_name = len(given) if self.chance(0.75) else self.rng.randint(0, len(given))
        texts, named = [], False
        for i, (word, text) in enumerate(given):
            named |= word.startswith("*") or i >= by_name and bool(word)
            word = word.lstrip("*")
            if named and word:
                texts.append(f"{word}={text}" if len(ast.parse(f"f({text})").body[0].value.args) == 1
                    else f"{word}=({text})")
            elif not named:
                texts.append(text)
        if self.chance(0.01):
            texts.append("nothing=1")
        texts = [text for text in texts if text]
        dot = "." in name
        if dot:
            return f"{name}({', '.join(texts)})"
        if name.endswith("_") or not self.chance(0.3):
            return f"{self.x}.{name}({', '.join(texts)})"
        return f"{self.MODULE}.{name}({', '.join([self.x] + texts)})"

    # --- a program -----------------------------------------------------------------------------------------------
    def program(self):
        self.x = "x"
        self.add(f"x = {self.pick(*self.INPUTS)}")
        self.add(f"y = {self.pick(*self.INPUTS)}")
        if self.value("x") is None or not hasattr(self.value("x"), "shape"):
            return self.lines, self.recorder.settled(self.records)
        chosen = [self.rng.choice(self.OPERATIONS) for _ in range(self.pick(1, 1, 2, 3))]
        names = iter("abcdefghijklmnopqrstuvw")
        for _ in range(self.rng.randint(5, 10)):
            if self.value("x") is None or self.recorder.beyond:
                break
            others = [n for n,
                v in self.recorder.names.items() if len(n) == 1 and n != "x" and self.recorder.is_tensor(v)]
            self.x = self.rng.choice(others) if others and self.chance(0.25) else "x"
            if self.chance(0.15):
                self.add(self.other_line())
                continue
            text = self.call(*self.rng.choice(chosen)) if self.chance(0.8) else self.expression()
            inplace = text.split("(")[0].endswith("_")
            self.add(f"{next(names)} = {text}" if not inplace and self.chance(0.6) else text)
        return self.lines, self.recorder.settled(self.records)
