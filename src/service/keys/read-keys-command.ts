import * as z from 'zod/mini'
import { isHelpWanted, parseCommandLine, UsageError } from '#server/command-line.ts'
import { type NewKey, newKeySchema } from './create-key.ts'

export const KEYS_USAGE = `COMMAND

  create --account TEAM --name NAME [--earlier PLAN] [--v1 PLAN] [--trial-days N] [--earlier-per-minute N]
           Makes a key and prints it, once. Keys of one team share its alert profiles.
           --earlier             none (unless said), detection, professional or enterprise
           --v1                  none (unless said), trial, protection or defend
           --trial-days          how long a trial key works; 14 unless said
           --earlier-per-minute  an Enterprise plan's own limit
  list     Shows all keys, but not their tokens: those are not kept.
  rotate KEY_ID [--overlap-hours N]
           Makes and prints a new key with the same plans. The old one works until the overlap ends; 24 hours unless said.
  revoke KEY_ID
           Ends a key at once.`

const OVERLAP_HOURS = 24
const OVERLAP_HOURS_MAX = 24 * 365

export type KeysCommand =
  | { name: 'create'; key: NewKey }
  | { name: 'list' }
  | { name: 'rotate'; keyId: string; overlapHours: number }
  | { name: 'revoke'; keyId: string }
  | { name: 'help' }

const OPTION_OF_FIELD: ReadonlyMap<PropertyKey, string> = new Map([
  ['account', '--account'],
  ['name', '--name'],
  ['earlierPlan', '--earlier'],
  ['v1Plan', '--v1'],
  ['trialDays', '--trial-days'],
  ['earlierRequestsPerMinute', '--earlier-per-minute'],
])

export function readKeysCommand(args: readonly string[]): KeysCommand {
  const [name, ...rest] = args
  if (name === undefined) throw new UsageError('Give a command')
  if (isHelpWanted(args)) return { name: 'help' }
  if (name === 'create') return { name, key: readNewKey(rest) }
  if (name === 'list') {
    readArguments(rest, [], 0)
    return { name }
  }
  if (name === 'rotate') {
    const { values, keyId } = readArguments(rest, ['overlap-hours'], 1)
    return { name, keyId, overlapHours: readHours(values['overlap-hours']) }
  }
  if (name === 'revoke') return { name, keyId: readArguments(rest, [], 1).keyId }
  throw new UsageError(`There is no command "${name}"`)
}

function readNewKey(args: readonly string[]): NewKey {
  const options = ['account', 'name', 'earlier', 'v1', 'trial-days', 'earlier-per-minute']
  const { values } = readArguments(args, options, 0)
  const key = {
    account: values.account,
    name: values.name,
    earlierPlan: values.earlier,
    v1Plan: values.v1,
    trialDays: toNumber(values['trial-days']),
    earlierRequestsPerMinute: toNumber(values['earlier-per-minute']),
  }
  const { data, error } = newKeySchema.safeParse(key)
  if (!error) return data

  const [issue] = error.issues
  const option = OPTION_OF_FIELD.get(issue?.path[0] ?? '') ?? 'The command'
  throw new UsageError(`${option}: ${issue?.message}`)
}

function readArguments(args: readonly string[], options: readonly string[], idCount: 0 | 1) {
  const texts = Object.fromEntries(options.map((option) => [option, { type: 'string' as const }]))
  const { values, positionals } = parseCommandLine(args, texts)
  if (positionals.length !== idCount)
    throw new UsageError(
      idCount === 0 ? `What is "${positionals[0]}"?` : 'Give one key id; `list` shows them',
    )
  return {
    values: z.record(z.string(), z.optional(z.string())).parse(values),
    keyId: positionals[0] ?? '',
  }
}

function readHours(text: string | undefined): number {
  const hours = toNumber(text) ?? OVERLAP_HOURS
  if (hours >= 0 && hours <= OVERLAP_HOURS_MAX) return hours
  throw new UsageError(`--overlap-hours: must be a number from 0 to ${OVERLAP_HOURS_MAX}`)
}

/** NaN, which no schema takes, for what is not a number. */
function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return text.trim() === '' ? Number.NaN : Number(text)
}
