import { type ESTree, Visitor } from 'vite'
import type { SourceFile } from '../support/architecture/source-file.ts'

type Expression = ESTree.Expression | ESTree.SpreadElement | null | undefined
type Scope = { functions: Map<string, Expression[]>; variables: Map<string, Expression> }

/**
 * The functions `createX` that return functions or an object of functions. One that makes a thing, like a token or a row, is
 * no factory. Names are looked up in the whole file, so that a doubtful one counts.
 */
export function findFactories({ syntax }: SourceFile): string[] {
  const scope: Scope = { functions: new Map(), variables: new Map() }
  const declared: { name: string; returned: Expression[] }[] = []
  const open: Expression[][] = []

  function enter(name?: string): void {
    const returned: Expression[] = []
    open.push(returned)
    if (name === undefined) return
    scope.functions.set(name, returned)
    declared.push({ name, returned })
  }
  new Visitor({
    FunctionDeclaration: ({ id }) => enter(id?.name),
    'FunctionDeclaration:exit': () => open.pop(),
    FunctionExpression: () => enter(),
    'FunctionExpression:exit': () => open.pop(),
    ArrowFunctionExpression: () => enter(),
    'ArrowFunctionExpression:exit': () => open.pop(),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier') scope.variables.set(id.name, init)
    },
    ReturnStatement: ({ argument }) => {
      open.at(-1)?.push(argument)
    },
  }).visit(syntax.program)
  return declared
    .filter(({ name, returned }) => /^create[A-Z]/.test(name) && returned.some((one) => isMade(one, scope)))
    .map(({ name }) => name)
}

/** Returns true for a function, and for an object that has one. `met`: names that were looked up before. */
function isMade(made: Expression, scope: Scope, met: readonly string[] = []): boolean {
  const isAny = (some: readonly Expression[], ...names: string[]) =>
    some.some((one) => isMade(one, scope, [...met, ...names]))
  switch (made?.type) {
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return true
    case 'ConditionalExpression':
      return isAny([made.consequent, made.alternate])
    case 'ObjectExpression':
      return isAny(made.properties.map((one) => (one.type === 'SpreadElement' ? one.argument : one.value)))
    case 'Identifier': {
      const { name } = made
      if (met.includes(name)) return false
      return scope.functions.has(name) || isAny([scope.variables.get(name)], name)
    }
    case 'CallExpression': {
      const name = made.callee.type === 'Identifier' ? made.callee.name : ''
      return !met.includes(name) && isAny(scope.functions.get(name) ?? [], name)
    }
    default:
      return false
  }
}
