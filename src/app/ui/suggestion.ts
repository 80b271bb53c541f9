import { visibleLine } from '#contract/visible-text.ts'

/** Text that came at once and whole: a suggestion was picked. Some browsers do not name how. */
export function isPick(event: Event): boolean {
  return !(event instanceof InputEvent) || ['', 'insertReplacementText'].includes(event.inputType)
}

/** The browser's own list cannot mark characters that act unseen, so text with any is not suggested. */
export function isPlain(text: string): boolean {
  return visibleLine(text) === text
}
