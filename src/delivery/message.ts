/** A threat in a message. All text is the source's, untrusted and not yet defanged. */
export interface NotifiedThreat {
  readonly id: string
  readonly title: string
  /** One of the contract's severities; null if the source reports none. */
  readonly severity: string | null
  readonly category: string | null
  readonly actor: string | null
  readonly victim: string | null
  /** Names of countries. */
  readonly countries: readonly string[]
  /** ISO 8601, or null where the source gives no time. */
  readonly publishedAt: string | null
  /** The words that matched, as the profile has them. */
  readonly matchedWords: readonly string[]
  /** Describes what has changed in a known record; null or absent for a new one. */
  readonly change?: string | null
  /** Link to it in Lantern: absolute in a message, in the ledger also from where the message's own link begins. */
  readonly link: string
}

/** Alert profiles cause messages. */
export interface MessageCause {
  /** Absent of a test of a destination that is not saved yet. */
  readonly id?: string | undefined
  readonly name: string
  /** Every analyst may read its messages: it is a profile of our own service. */
  readonly isTeam?: boolean | undefined
}

/** All that a profile matched in a time. */
export interface Digest {
  readonly kind: 'digest'
  /** The profile, as the ledger knows it. */
  readonly causes: readonly (MessageCause & { readonly id: string; readonly isTeam: boolean })[]
  /** ISO 8601: from `since` on, before `until`. */
  readonly since: string
  readonly until: string
  readonly timeZone: string
  readonly count: number
  /** Counts the period of the same length before; null if the profile did not look then. */
  readonly previousCount: number | null
  /** The most severe first; without those that none has. */
  readonly severities: readonly { readonly severity: string | null; readonly count: number }[]
  /** The most severe, then the newest, ten at most. */
  readonly threats: readonly NotifiedThreat[]
  /** Messages of the profile in this time that failed, or may not have arrived, by masked destination. */
  readonly undelivered: readonly {
    readonly destination: string
    readonly state: string
    readonly count: number
    /** The destination's last answer, or the failure. Its text is untrusted. */
    readonly reason: string
  }[]
  /** Threats that matched while the profile was paused. */
  readonly pausedCount: number
  /** Threats that matched and were not sent because of a mute of the profile. */
  readonly mutedCount: number
  /** The vendor's list was read up to this time; null if it was read for the whole period. */
  readonly readUpTo: string | null
  /** Absolute link to exactly these. */
  readonly link: string
}

/** A message to one destination, independent of its channel. */
export type Message =
  | {
      readonly kind: 'matches'
      /** All that matched, at least one. */
      readonly causes: readonly MessageCause[]
      /** The most severe, then the newest, five at most. */
      readonly threats: readonly NotifiedThreat[]
      /** All pages, if the channel sends more than one. A page stays when all its threats are left out. */
      readonly pages?: readonly (readonly NotifiedThreat[])[]
      /** The number of all matches. */
      readonly count: number
      readonly criticalCount: number
      /** Absolute link to exactly these. */
      readonly link: string
    }
  | {
      /** Sent by a person who tries the destination. */
      readonly kind: 'test'
      /** The saved profile that was tested. The ledger shows its name only to those who may see it. */
      readonly causes: readonly MessageCause[]
      /** Null: it is sent every week. */
      readonly requestedBy: string | null
      /** The title of a stored record that the profile matches, which proves that its alerts arrive. */
      readonly proof?: string | undefined
      readonly link: string
    }
  | Digest
  | {
      /** The notice concerns Lantern itself: a rejected key, a changed password. */
      readonly kind: 'notice'
      readonly subject: string
      readonly text: string
      readonly link: string
    }
