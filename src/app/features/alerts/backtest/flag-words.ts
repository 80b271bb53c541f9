import type { KeywordFlag } from '#contract/bff/alert.ts'

type FlagWords = { short: string; long: string; isTrouble: boolean }

/** Explains a flag of a keyword to its author. Only some flags are problems. */
export const FLAG_WORDS: Readonly<Record<KeywordFlag, FlagWords>> = {
  unreadable: {
    short: 'Matches nothing',
    long: 'It has no letter and no digit, so it can match nothing.',
    isTrouble: true,
  },
  duplicate: { short: 'Duplicate', long: 'Another keyword means the same.', isTrouble: true },
  too_short: {
    short: 'Very short',
    long: 'So short a word stands in many texts by chance.',
    isTrouble: true,
  },
  common: {
    short: 'Very common',
    long: 'It stands in more than one of twenty records.',
    isTrouble: true,
  },
  no_match: {
    short: 'None so far',
    long: 'No stored threat contains it: right for a name that should never turn up.',
    isTrouble: false,
  },
  idle: {
    short: 'Adds nothing',
    long: 'What it matches, other keywords match as well.',
    isTrouble: false,
  },
}
