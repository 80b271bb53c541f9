/** Some of a number of rows, a bit for each. */
export class RowSet {
  readonly count: number
  readonly #bits: Int32Array

  constructor(count: number) {
    this.count = count
    this.#bits = new Int32Array((count + 31) >>> 5)
  }

  static of(count: number, rows: Iterable<number>): RowSet {
    const found = new RowSet(count)
    for (const row of rows) found.add(row)
    return found
  }

  add(row: number): void {
    const at = row >>> 5
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (row & 31))
  }

  /** Rows that follow each other: from `first` on, before `end`. */
  addRange(first: number, end: number): void {
    for (let row = first; row < end; row++) {
      if ((row & 31) === 0 && row + 32 <= end) {
        this.#bits[row >>> 5] = -1
        row += 31
      } else {
        this.add(row)
      }
    }
  }

  has(row: number): boolean {
    return (((this.#bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }

  /** The first row from one on; -1 where none is left. */
  next(from: number): number {
    let at = from >>> 5
    let left = (this.#bits[at] ?? 0) & (-1 << (from & 31))
    while (left === 0 && ++at < this.#bits.length) left = this.#bits[at] ?? 0
    return left === 0 ? -1 : at * 32 + 31 - Math.clz32(left & -left)
  }

  get size(): number {
    let size = 0
    for (let row = this.next(0); row >= 0 && row < this.count; row = this.next(row + 1)) size++
    return size
  }

  /** Takes in the rows of another. */
  unite(other: RowSet): this {
    for (let at = 0; at < this.#bits.length; at++)
      this.#bits[at] = (this.#bits[at] ?? 0) | (other.#bits[at] ?? 0)
    return this
  }

  /** Keeps the rows that another has as well. */
  intersect(other: RowSet): this {
    for (let at = 0; at < this.#bits.length; at++)
      this.#bits[at] = (this.#bits[at] ?? 0) & (other.#bits[at] ?? 0)
    return this
  }

  /** Keeps the rows that pass a test. */
  filter(test: (row: number) => boolean): this {
    for (let at = 0; at < this.#bits.length; at++) {
      for (let left = this.#bits[at] ?? 0; left !== 0; left &= left - 1) {
        const bit = left & -left
        if (!test(at * 32 + 31 - Math.clz32(bit))) this.#bits[at] = (this.#bits[at] ?? 0) & ~bit
      }
    }
    return this
  }

  /** Inverts the set. Bits past the last row are never read. */
  invert(): this {
    for (let at = 0; at < this.#bits.length; at++) this.#bits[at] = ~(this.#bits[at] ?? 0)
    return this
  }
}
