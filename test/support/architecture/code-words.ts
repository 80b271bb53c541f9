import { Visitor } from 'vite'
import { lineAt, type SourceFile } from './source-file.ts'

/** Words that have no ordinary use in code. The documentation of a well-known product has another for each. */
const WORDS =
  /^(un)?(told|asked|said)$|^undecided$|^setbacks?$|^custody$|^keepers?$|^unfit$|^caveats?$|^take up$/
/** Stored records and answers have these members. */
const RECORDED = new Set(['said', 'saidBy', 'told_to_wait'])

/** Identifiers and comments with such a word. Texts in quotes may have them. */
export function findCodeWords({ path, text, syntax }: SourceFile): string[] {
  if (!path.startsWith('src/')) return []
  const faults = new Set<string>()
  const check = (words: string, start: number) => {
    const parts = words.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase())
    const pairs = parts.map((part, at) => `${part} ${parts[at + 1]}`)
    for (const part of [...parts, ...pairs])
      if (WORDS.test(part)) faults.add(`${path}:${lineAt(text, start)} has the word ${part}`)
  }
  const checkName = ({ name, start }: { name: string; start: number }) => {
    if (!RECORDED.has(name)) check(name, start)
  }
  for (const { value, start } of syntax.comments) check(value, start)
  new Visitor({
    Identifier: checkName,
    PrivateIdentifier: checkName,
    JSXIdentifier: checkName,
  }).visit(syntax.program)
  return [...faults]
}
