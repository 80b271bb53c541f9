import { type DataVersion, isLaterVersion } from '#contract/upstream/data-version.ts'

/** Counts the records that changed between two versions; null if they cannot be compared. */
export type DataChange = { added: number; removed: number } | null

/** Tracks which version of the source's data this process shows, and of which one it has notified the others. */
export class ShownData {
  readonly #notifyAll: (version: DataVersion) => Promise<void>
  #shown: DataVersion | null = null
  #reported: DataVersion | null = null
  #changes = 0

  constructor(notifyAll: (version: DataVersion) => Promise<void>) {
    this.#notifyAll = notifyAll
  }

  get version(): DataVersion | null {
    return this.#shown
  }

  /** A number that rises with each later version that is applied. */
  get changes(): number {
    return this.#changes
  }

  /** Records an answer's version. The first one is shown; all processes, including this one, are notified of later ones. */
  notice(version: DataVersion | null): void {
    if (version === null) return
    this.#shown ??= version
    const latest =
      this.#reported && isLaterVersion(this.#reported, this.#shown) ? this.#reported : this.#shown
    if (!isLaterVersion(version, latest)) return
    this.#reported = version
    this.#notifyAll(version).catch(() => this.renotify())
  }

  /** Repeats the notice, which nobody may have received. */
  renotify(): void {
    this.#reported = null
  }

  /** False where it is not later than what is shown. */
  apply(version: DataVersion): { change: DataChange } | false {
    const before = this.#shown
    if (before && !isLaterVersion(version, before)) return false
    this.#shown = version
    this.#changes += 1
    if (before?.store !== version.store) return { change: null }
    return { change: { added: version.added - before.added, removed: version.removed - before.removed } }
  }
}
