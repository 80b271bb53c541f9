import { type ESTree, Visitor } from 'vite'
import { lineAt, type SourceFile } from './source-file.ts'

const CONFIG = /^[a-z]+(-[a-z]+)*\.config\.ts$|^test\/browser\/global-setup\.ts$/
/** What the processes of Lantern are set by, and what those of a test run pass on. */
const READS_ENVIRONMENT = new Set(['src/settings/settings.ts', 'test/support/data-dir.ts'])
const TEST = /\.(test|spec)\.tsx?$/
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite'])
const UNFINISHED = new Set(['skip', 'only', 'todo', 'fixme', 'skipIf', 'runIf'])
const MARKUP = new Set([
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'srcdoc',
  'srcDoc',
])

/** They stop the page, and read unlike it. */
const BROWSER_DIALOGS = new Set(['alert', 'confirm', 'prompt'])

/** Comments that begin like this name no subject: `Of the vendor's account`, `Whether it sends`, `So many rows`. */
const FRAGMENT = /^[*\s]*(?:What|Of|So|Whether|Where) /

/** What the code of a file may not hold. */
export function findCodeFaults(file: SourceFile): string[] {
  const { path, text, syntax } = file
  const faults: string[] = []
  const isTest = TEST.test(path)
  const inSource = path.startsWith('src/') && !isTest
  const report = ({ start }: { start: number }, what: string) =>
    faults.push(`${path}:${lineAt(text, start)} ${what}`)

  if (syntax.errors.length > 0) faults.push(`${path} cannot be read: ${syntax.errors[0]?.message}`)
  for (const comment of syntax.comments) {
    const fault = commentFault(comment.value)
    if (fault) report(comment, fault)
    if (inSource && FRAGMENT.test(comment.value)) report(comment, 'begins a comment without a subject')
  }
  new Visitor({
    ExportDefaultDeclaration(node) {
      if (!CONFIG.test(path)) report(node, 'exports a default')
    },
    ExportAllDeclaration: (node) => report(node, 're-exports'),
    ExportNamedDeclaration(node) {
      if (node.source) report(node, 're-exports')
    },
    TSAnyKeyword: (node) => report(node, 'says any'),
    TSNonNullExpression: (node) => report(node, 'asserts with !'),
    TSAsExpression(node) {
      if (inSource && !isConst(node)) report(node, 'asserts with as')
    },
    SpreadElement(node) {
      if (node.argument.type === 'ObjectExpression') report(node, 'packs fields by a spread')
    },
    JSXSpreadAttribute(node) {
      if (node.argument.type === 'ObjectExpression') report(node, 'packs fields by a spread')
    },
    CallExpression(node) {
      const { callee } = node
      const name = callee.type === 'MemberExpression' ? windowMember(callee) : nameOf(callee)
      if (inSource && path.startsWith('src/app/') && BROWSER_DIALOGS.has(name))
        report(node, `calls window.${name}: use AskFirst`)
      const isOurs = path.startsWith('src/app/api/') || /^src\/(start|service)\//.test(path)
      if (inSource && !isOurs && nameOf(node.callee) === 'fetch') report(node, 'calls fetch')
    },
    MemberExpression(node) {
      const [object, property] = [nameOf(node.object), nameOf(node.property)]
      if (object === 'process' && property === 'env' && !READS_ENVIRONMENT.has(path))
        report(node, 'reads process.env')
      if (object && TEST_FUNCTIONS.has(object) && UNFINISHED.has(property))
        report(node, `has a test.${property}`)
      if (inSource && MARKUP.has(property)) report(node, `writes ${property}`)
    },
    JSXAttribute(node) {
      if (node.name.type === 'JSXIdentifier' && MARKUP.has(node.name.name))
        report(node, `writes ${node.name.name}`)
    },
  }).visit(syntax.program)
  return faults
}

function commentFault(comment: string): string | null {
  if (/@ts-(ignore|nocheck|expect-error)|eslint-disable/.test(comment)) return 'silences a check'
  if (/biome-ignore(?!\S* \S+: \S)/.test(comment)) return 'silences a check without a reason'
  return /\b(TODO|FIXME|XXX)\b/.test(comment) ? 'leaves something to do' : null
}

function isConst({ typeAnnotation }: ESTree.TSAsExpression): boolean {
  return typeAnnotation.type === 'TSTypeReference' && nameOf(typeAnnotation.typeName) === 'const'
}

function windowMember({ object, property }: ESTree.MemberExpression): string {
  return ['window', 'globalThis'].includes(nameOf(object)) ? nameOf(property) : ''
}

function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : ''
}
