import { readFile } from 'node:fs/promises'
import { type FieldMapping, fieldMappingSchema } from '#bff/vendor/reader/field-mapping.ts'
import { SettingsError } from '#settings.ts'

/** The file that `FIELD_MAPPING` names; a fault in it is reported with its line or its field, never with its text. */
export async function readFieldMapping(file: string): Promise<FieldMapping> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new SettingsError(`FIELD_MAPPING must name a file that can be read: ${file}`)
  })
  const { data, error } = fieldMappingSchema.safeParse(parse(text, file))
  if (data) return data
  const [issue] = error.issues
  const unknown = issue && 'keys' in issue ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...unknown].map(String)
  const fault = unknown.length > 0 ? 'is no field of ours' : issue?.message
  const line = lineOf(text, path)
  throw new SettingsError(`FIELD_MAPPING: ${file}${line}: ${path.join('.') || 'the whole'} ${fault}`)
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, position] = /position (\d+)/.exec(String(error)) ?? []
    const line = position === undefined ? '' : ` line ${lineAt(text, Number(position))}`
    throw new SettingsError(`FIELD_MAPPING: ${file}${line} must be JSON`)
  }
}

/** Where the field of a path stands: the first position of each name after the one before it. */
function lineOf(text: string, path: readonly string[]): string {
  let at = 0
  for (const name of path) at = Math.max(at, text.indexOf(JSON.stringify(name), at))
  return path.length > 0 ? ` line ${lineAt(text, at)}` : ''
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}
