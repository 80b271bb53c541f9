/** The URL's search, read as text: `country=DE&country=FR` is a list, and nothing is ever taken for a number. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const [first = '', ...rest] = search.getAll(name)
      return [name, rest.length > 0 ? [first, ...rest] : first]
    }),
  )
}

/** The inverse: absent values and empty lists leave no trace. */
export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) text.append(name, String(each))
    }
  }
  return text.size > 0 ? `?${text}` : ''
}
