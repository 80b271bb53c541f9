import { hash } from 'node:crypto'

/** The number of rows, and the sum of their hashes, which does not depend on their order. */
export type TableChecksum = { rows: number; hash: string }

const MODULUS = 2n ** 256n

/** Compares tables row by row without sorting them: two have the same sum where each row of one is in the other. */
export class TableHasher {
  #rows = 0
  #sum = 0n

  add(row: string): void {
    this.#rows += 1
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', row)}`)) % MODULUS
  }

  get checksum(): TableChecksum {
    return { rows: this.#rows, hash: this.#sum.toString(16).padStart(64, '0') }
  }
}
