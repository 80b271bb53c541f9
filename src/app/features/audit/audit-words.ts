const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['role-refused', 'Refused: role does not allow it'],
  ['origin-refused', 'Refused: not asked by a page of Lantern'],
  ['sign-in-limited', 'Refused: too many tries to sign in'],
  ['link-refused', 'Refused: link is void or made up'],
])

/** `user-created` reads 'User created'. */
export function actionWords(action: string): string {
  const refusal = REFUSALS.get(action)
  if (refusal) return refusal
  const words = action
    .replaceAll('-', ' ')
    .replace(/\bsso\b/, 'single sign-on')
    .replace('break glass', 'break-glass')
    .replace(/\bsign (in|out)\b/, 'sign-$1')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

type Details = Readonly<Record<string, unknown>> | null

/** One line for each member that was or became something. */
export function changeLines(
  before: Details,
  after: Details,
): { name: string; from: string | null; to: string | null }[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].map((name) => ({ name, from: textOf(before, name), to: textOf(after, name) }))
}

function textOf(details: Details, name: string): string | null {
  if (!details || !Object.hasOwn(details, name)) return null
  const value = details[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
