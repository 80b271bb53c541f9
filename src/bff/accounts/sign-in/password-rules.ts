import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ProblemError } from '#bff/http/problem-error.ts'

/** The scale is 0 to 4; 4 means more than 10^10 guesses. With 3, a season, a year and `!!` would be accepted. */
const LEAST_SCORE = 4
/** Longer ones are as good as their beginning, and take long to look at. */
const LOOKED_AT_LENGTH = 64
const WORDS = /[\p{L}\p{N}]{3,}/gu
const PRODUCT = 'lantern'

export type PasswordOwner = { email: string; name: string }

/**
 * Returns why a password is easy to guess, for everyone or for somebody who knows the person, the product and the host;
 * null if it is not.
 */
export async function findPasswordFault(
  password: string,
  { email, name }: PasswordOwner,
  host = '',
): Promise<string | null> {
  const estimator = await openEstimator()
  const known = [PRODUCT, email, name, host].flatMap((text) => [text, ...(text.match(WORDS) ?? [])])
  const { score, feedback } = estimator.check(password.slice(0, LOOKED_AT_LENGTH), known)
  if (score >= LEAST_SCORE) return null
  const why = feedback.warning === null ? '' : (WARNINGS.get(feedback.warning) ?? '')
  return `Too common${why}. Use several unrelated words.`
}

/** Refuses a form with the fault that `findPasswordFault` finds. */
export async function refuseWeakPassword(
  password: string,
  owner: PasswordOwner,
  host?: string,
): Promise<void> {
  const reason = await findPasswordFault(password, owner, host)
  if (reason === null) return
  throw new ProblemError({
    code: 'bad_request',
    detail: 'Choose another password.',
    fields: [{ name: 'password', reason }],
  })
}

/** Texts for zxcvbn's warnings; a warning without one means only that the password is easy. */
const WARNINGS: ReadonlyMap<string, string> = new Map([
  ['topTen', ': it is one of the most used passwords'],
  ['topHundred', ': it is one of the most used passwords'],
  ['common', ': it is a much used password'],
  ['similarToCommon', ': it is like a much used password'],
  ['userInputs', ': it holds what is known of you'],
  ['simpleRepeat', ': it repeats itself'],
  ['extendedRepeat', ': it repeats itself'],
  ['sequences', ': its characters follow each other'],
  ['straightRow', ': its keys lie beside each other'],
  ['keyPattern', ': its keys lie beside each other'],
  ['dates', ': it is a date'],
  ['recentYears', ': it is a year'],
])

let opened: Promise<ZxcvbnFactory> | null = null

/** Loaded when the first password is set: its dictionaries take 24 MB. */
function openEstimator(): Promise<ZxcvbnFactory> {
  opened ??= (async () => {
    const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
    const { dictionary, adjacencyGraphs: graphs } = await import('@zxcvbn-ts/language-common')
    return new ZxcvbnFactory({ dictionary, graphs })
  })()
  return opened
}
