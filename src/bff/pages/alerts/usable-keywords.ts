import { ProblemError } from '#bff/http/problem-error.ts'
import { parseKeyword } from '#matcher/keyword.ts'

export function requireUsableKeywords(keywords: readonly string[]): void {
  const unusable = keywords.flatMap((keyword, at) => (parseKeyword(keyword) ? [] : [at]))
  if (unusable.length === 0) return
  throw new ProblemError({
    code: 'bad_request',
    detail: 'Correct the fields named here.',
    fields: unusable.map((at) => ({ name: `keywords.${at}`, reason: 'It has no letter and no digit.' })),
  })
}
