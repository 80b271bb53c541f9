/** Memory that is not written yet is not allocated by the system. */
const GROWTH = 3 / 2

/** Lists of numbers, one behind the other. They are only added to: whoever reads earlier ones is not disturbed. */
export class NumberLists {
  /** List n is from `starts[n]` on, before `starts[n + 1]`. */
  starts = new Int32Array(1_024)
  numbers = new Int32Array(1_024)
  /** The number of finished lists. */
  count = 0
  /** The number of all values. */
  length = 0

  push(number: number): void {
    if (this.length === this.numbers.length) this.numbers = grow(this.numbers)
    this.numbers[this.length++] = number
  }

  /** Ends the list that was pushed to. */
  end(): void {
    if (++this.count === this.starts.length) this.starts = grow(this.starts)
    this.starts[this.count] = this.length
  }
}

function grow(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.ceil(numbers.length * GROWTH))
  grown.set(numbers)
  return grown
}
