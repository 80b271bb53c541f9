import { holdsKeyword } from '#matcher/keyword.ts'
import type { Question } from '#matcher/question.ts'

/** Whether a record's texts, in the form `normaliseTexts` gives them, answer the question. */
export function answersQuestion(normalised: string, { keywords }: Question): boolean {
  return keywords.every((keyword) => holdsKeyword(normalised, keyword))
}
