const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs

/** Lays JSON text out in lines without reading it into numbers, which would round long ones. Total: other text only loses spaces. */
export function indentJson(text: string): string {
  let depth = 0
  let laidOut = ''
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']'
    if (isEnd) depth = Math.max(0, depth - 1)
    const isEmpty = isEnd && (last === '{' || last === '[')
    const breaks = (isEnd || last === '{' || last === '[' || last === ',') && !isEmpty && laidOut !== ''
    laidOut += (breaks ? `\n${'  '.repeat(depth)}` : '') + (token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth += 1
    last = token
  }
  return laidOut
}
