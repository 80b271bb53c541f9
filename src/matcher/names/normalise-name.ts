import { readOwnWords } from './read-name.ts'

/** The words of an organisation's name that distinguish it: without case, accents, punctuation, legal forms and articles. */
export function normaliseName(name: string): string {
  return readOwnWords(name)
    .map((word) => word.text)
    .join(' ')
}
