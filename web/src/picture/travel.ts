// From one element of a tensor to another along a dimension.
import type { Elements } from "../engine";

/** The index of an element, counted in reading order. */
export function indexOf(element: bigint, sizes: number[]): bigint[] {
  const index: bigint[] = [];
  let rest = element;
  for (const size of [...sizes].reverse()) {
    index.unshift(rest % BigInt(size));
    rest /= BigInt(size);
  }
  return index;
}

/** Where the head is, and the way from there. */
export class Place {
  readonly index: bigint[];
  private readonly sizes: bigint[];

  constructor({ index, tensor }: Elements) {
    this.index = index.map(BigInt);
    this.sizes = tensor.sizes.map(BigInt);
  }

  /** The innermost dimension, -1 where there is none. */
  get last(): number {
    return this.index.length - 1;
  }

  /** Goes on by so many indices, as far as there are any. */
  move(dim: number, by: bigint): this {
    const to = (this.index[dim] ?? 0n) + by, end = (this.sizes[dim] ?? 1n) - 1n;
    if (dim >= 0) this.index[dim] = to < 0n ? 0n : to > end ? end : to;
    return this;
  }

  /** The element so many indices on in a dimension counted from the innermost. */
  onward(level: number, by: number): bigint {
    return this.move(this.last - level, BigInt(by)).element;
  }

  /** Goes to the first or the last index. */
  edge(dim: number, last: boolean): this {
    if (dim >= 0) this.index[dim] = last ? (this.sizes[dim] ?? 1n) - 1n : 0n;
    return this;
  }

  /** In reading order. */
  get element(): bigint {
    return this.index.reduce((element, i, dim) => element * (this.sizes[dim] ?? 1n) + i, 0n);
  }
}
