/** Which code runs. */
export type Build = {
  version: string
  /** Git commit: 12 digits or more, with `-dirty` if files differed from it; `unknown` outside a release or clone. */
  commit: string
}
