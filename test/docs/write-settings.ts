import { environmentSchema } from '#settings/settings.ts'
import { SETTING_SECTIONS } from './setting-sections.ts'

const HEAD = `# Settings

For operators: every setting of Lantern, with its default and the values that it accepts. \`npm run docs\` writes this page from \`src/settings/settings.ts\`, and a test compares them.

Lantern reads settings from the environment and from \`.env\` in its folder. The environment takes precedence, and an empty value counts as unset. If \`.env\` contains secrets, give it mode 600.

An invalid value stops the start with one line that says what is permitted. So does anything that would expose a key or a database: \`NODE_TLS_REJECT_UNAUTHORIZED=0\`, a \`SECRET\` that repeats itself, or a vendor's key without \`UPSTREAM_URL\`. The start lists variables that look like settings of Lantern and are not, and says what replaces those of earlier versions.
`

/** No setting accepts it, unless it accepts any text. */
const INVALID = '\u0001 '

/** The page of all settings. Throws for a setting that no section describes. */
export function writeSettings(): string {
  const { shape } = environmentSchema
  const described = SETTING_SECTIONS.flatMap(({ settings }) => Object.keys(settings))
  const missing = Object.keys(shape).filter((name) => !described.includes(name))
  if (missing.length > 0) throw new Error(`No section describes ${missing.join(', ')}`)

  const sections = SETTING_SECTIONS.map(({ heading, intro, settings, notes }) => {
    const rows = Object.entries(settings).map(([name, { meaning, fallback }]) => {
      const schema = shape[name as keyof typeof shape]
      const { def } = schema
      const value = 'defaultValue' in def ? `\`${def.defaultValue}\`` : 'none'
      return `| \`${name}\` | ${fallback ?? value} | ${meaning} | ${readPermitted(schema)} |\n`
    })
    const table = `| name | default | meaning | must be |\n|---|---|---|---|\n${rows.join('')}`
    return [
      `## ${heading}\n`,
      ...(intro ? [`${intro}\n`] : []),
      table,
      ...(notes ? [`${notes}\n`] : []),
    ].join('\n')
  })
  return [HEAD, ...sections].join('\n')
}

/** What the start says of an invalid value. */
function readPermitted(schema: { safeParse(value: string): { error?: { issues: { message: string }[] } } }) {
  const message = schema.safeParse(INVALID).error?.issues[0]?.message
  return message?.replace(/[<>*|]/g, '\\$&') ?? '–'
}
