import * as z from 'zod/mini'
import {
  ALERT_KEYWORD_MAX_LENGTH,
  ALERT_KEYWORDS_MAX_COUNT,
  ALERT_NAME_MAX_LENGTH,
  type AlertProfile,
} from '#contract/bff/alert.ts'
import { type WatchDraft, watchOf } from './builder-draft.ts'

const FORMAT = 'lantern-alert-profiles'
const VERSION = 1
const PROFILES_MAX_COUNT = 500
export const PROFILE_FILE_MAX_BYTES = 2_000_000

const textSchema = (maxLength: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength))
const textsSchema = (maxCount: number) =>
  z.array(textSchema(ALERT_KEYWORD_MAX_LENGTH)).check(z.maxLength(maxCount))

const entrySchema = z.object({
  name: textSchema(ALERT_NAME_MAX_LENGTH),
  keywords: textsSchema(ALERT_KEYWORDS_MAX_COUNT).check(z.minLength(1)),
  categories: z._default(textsSchema(50), []),
})

const fileSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  profiles: z.array(z.unknown()),
})

/**
 * Profiles as a file that people can read, compare and keep: `{ format, version, exportedAt, profiles }`, each profile
 * with its name, keywords and categories. Addresses are left out: nobody but the vendor has them unmasked.
 */
export function writeProfileFile(profiles: readonly AlertProfile[], exportedAt: Date): string {
  const file = { format: FORMAT, version: VERSION, exportedAt, profiles: profiles.map(watchOf) }
  return `${JSON.stringify(file, null, 2)}\n`
}

export type ProfileFile = {
  drafts: WatchDraft[]
  /** What was not taken, each with its reason. */
  problems: string[]
}

/** Takes every profile that can be read, and says what became of the rest. */
export function readProfileFile(text: string): ProfileFile {
  const file = fileSchema.safeParse(parseJson(text))
  if (!file.success) return { drafts: [], problems: ['This is no file of alert profiles.'] }
  if (file.data.version !== VERSION) {
    const problem = `The file is of version ${file.data.version}; this Lantern reads version ${VERSION}.`
    return { drafts: [], problems: [problem] }
  }
  const entries = file.data.profiles.slice(0, PROFILES_MAX_COUNT)
  const read = entries.map((entry, index) => ({ index, ...entrySchema.safeParse(entry) }))
  const problems = read.flatMap(({ index, error }) =>
    error ? [`Profile ${index + 1} was left out: its ${faultyMembers(error)} cannot be read.`] : [],
  )
  if (file.data.profiles.length > PROFILES_MAX_COUNT) {
    problems.push(`Only the first ${PROFILES_MAX_COUNT} profiles were read.`)
  }
  return { drafts: read.flatMap(({ data }) => data ?? []), problems }
}

function faultyMembers({ issues }: z.core.$ZodError): string {
  return [...new Set(issues.map(({ path }) => String(path[0] ?? 'entry')))].join(' and ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
