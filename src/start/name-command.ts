import packageFacts from '#package.json' with { type: 'json' }

/** Returns how a command is typed in this installation: `lantern …` in a release, which has `gitHead`, else by npm. */
export function nameCommand(name: string, words = '', facts: object = packageFacts): string {
  const [command, separator] = 'gitHead' in facts ? [`lantern ${name}`, ' '] : [`npm run -s ${name}`, ' -- ']
  return words === '' ? command : `${command}${separator}${words}`
}
