import { KNOWN_CATEGORIES } from '#contract/category.ts'

const MAX_COUNT = 200
const MAX_LENGTH = 64

/** Collects the categories that any process has seen, because the vendor does not publish its complete set. */
export class SeenCategories {
  readonly #names = new Set<string>(KNOWN_CATEGORIES)

  add(names: Iterable<string | null>): void {
    for (const name of names) {
      if (name === null || name.length > MAX_LENGTH || this.#names.size >= MAX_COUNT) continue
      this.#names.add(name)
    }
  }

  /** Reads the list that ends a refusal: `Invalid category. Permitted: Ransomware, DDoS`. */
  addFromMessage(message: string): void {
    const [, list] = /categor[^:]*:([^:]*)$/i.exec(message) ?? []
    const names = list?.split(',').map((name) => name.replace(/^[\s"'[]+|[\s"'\].]+$/g, '')) ?? []
    if (names.length > 1) this.add(names.filter((name) => name !== ''))
  }

  list(): string[] {
    return [...this.#names]
  }
}
