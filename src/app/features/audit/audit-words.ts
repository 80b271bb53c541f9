/** `user-created` reads 'User created'. */
export function actionWords(action: string): string {
  const words = action
    .replaceAll('-', ' ')
    .replace(/\bsso\b/, 'single sign-on')
    .replace('break glass', 'break-glass')
    .replace(/\bsign (in|out)\b/, 'sign-$1')
  return startUpper(words)
}

type Details = Readonly<Record<string, unknown>> | null
type ChangeLine = { name: string; from: string | null; to: string | null }

/** Members whose own name says too little, or too much. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['endpoint', 'address'],
  ['hasFeed', 'Atom feed'],
  ['isDefault', 'default view'],
  ['isShared', 'shared with the team'],
  ['lastFour', 'key ends in'],
  ['q', 'search'],
  ['saidBy', 'decided by'],
  ['signsInBy', 'signs in by'],
  ['tlp', 'TLP'],
  ['within', 'period'],
])

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/

/** A sentence for each part that was or became something. What stayed as it was is left out. */
export function changeLines(before: Details, after: Details): ChangeLine[] {
  const was = new Map(partsOf(before ?? {}))
  const became = new Map(partsOf(after ?? {}))
  return [...new Set([...was.keys(), ...became.keys()])]
    .map((name) => ({ name, from: was.get(name) ?? null, to: became.get(name) ?? null }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, ...line }) => ({ ...line, name: startUpper(name) }))
}

/** Each part by its name in words; parts of a part by both names. */
function partsOf(details: object, path: readonly string[] = []): [name: string, value: string][] {
  const members: [string, unknown][] = Object.entries(details)
  return members.flatMap(([key, value]): [string, string][] => {
    const names = [...path, NAMES.get(key) ?? inWords(key)]
    return isGroup(value) ? partsOf(value, names) : [[names.join(', '), textOf(value)]]
  })
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ') || 'none'
  if (isGroup(value))
    return partsOf(value)
      .map((part) => part.join(' '))
      .join(', ')
  return typeof value === 'object' ? 'none' : String(value).replace(MOMENT, '$1 $2 UTC') || 'none'
}

/** `sessionsEnded` reads 'sessions ended'. */
function inWords(key: string): string {
  return key.replace(/[_-]/g, ' ').replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function startUpper(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
