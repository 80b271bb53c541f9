import { defangProse } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'

/** Third-party text for a cell of a file: one line, what acts unseen in words, addresses defanged. */
export function inertLine(text: string): string {
  return defangProse(visibleLine(text))
}

/** Several of them in one cell. */
export function inertLines(texts: readonly string[]): string {
  return texts.map(inertLine).join('; ')
}
