/** Which code runs. */
export type Build = {
  version: string
  /** Of git: 12 digits or more, with `-dirty` where files differed from it; `unknown` outside a release and a clone. */
  commit: string
}
