import type { JoinRule } from '#contract/bff/case.ts'

/** A stored threat, as far as cases compare it. Third-party text. */
export type Claim = {
  id: string
  /** Epoch milliseconds; null without a date. */
  at: number | null
  title: string | null
  victims: readonly string[]
  /** Registrable domains of the victim. */
  domains: readonly string[]
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[]
  actors: readonly string[]
  categories: readonly string[]
}

/** Why two claims are of one victim. Claims are joined if it is certain, and offered to be joined if it is likely. */
export type Join = {
  certainty: 'certain' | 'likely'
  rule: JoinRule
  /** The words that both claims have. */
  text: string
}
