import { Visitor } from 'vite'
import { lineAt, type SourceFile } from './source-file.ts'

/** Texts of pages that plain words have replaced. */
const REPLACED = [
  /^Told$/,
  /^Whom this \w+ tells$/,
  /^(Every )?way$/i,
  /^Someone waited$/,
  /guess at what comes next/i,
  /destination has taken it/,
  /^Not taken\b/,
  /told nobody/,
  /had its fill/,
  /^End…$/,
  /^Drop\b/,
  /^Without .*: /,
  /No threat fits/,
  /Only threats of these/,
  /What each word brings/,
  /^Alone$/,
  /\ba week to expect/,
  /More noise than news/,
  /hatched/i,
  /^rolling\b/,
  /Mentions by the source/,
  /^The source$/,
  /Threats in all/,
  /searched for free/,
  /stored here since/,
  /All its threats/,
  /Select the loaded/,
  /^threats? noted$|^noted$/,
  /^Undone:/,
  /^Reading$/,
  /What concerns you/,
  /Single characters act/,
  /Keys of this page/,
  /The draft stays/,
  /proves messages/,
  /easy to guess/,
  /I have kept them/,
  /Code of the app/,
  /where you find them without/,
  /^themselves$/,
  /A star stands for/,
  /stands behind a colon|value behind a colon/,
  /joins what is on its sides/,
  /Nothing is called that/,
  /\ball back\b/,
  /once the line at the top/,
  /Words in titles and texts/,
  /A machine wrote/,
  /See it before you save it/,
  /one of them in a record/,
  /\b(the|this) source(?! address)\b/i,
  /^as of\b/,
  /\ban? administrators?\b|^administrators?\b/i,
  // The API reference spells it so in the reason of a refusal.
  /(?<!must be an )\be-mail/i,
] as const

/** Texts of pages, and of answers that pages show, in words that were replaced. */
export function findReplacedWords({ path, text, syntax }: SourceFile): string[] {
  if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path)) return []
  const faults: string[] = []
  const check = (words: string, start: number) => {
    const shown = words.replace(/\s+/g, ' ').trim()
    if (REPLACED.some((pattern) => pattern.test(shown)))
      faults.push(`${path}:${lineAt(text, start)} shows “${shown}”`)
  }
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && check(node.value, node.start),
    TemplateElement: (node) => check(node.value.raw, node.start),
    JSXText: (node) => check(node.value, node.start),
  }).visit(syntax.program)
  return faults
}
