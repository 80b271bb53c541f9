import crypto from 'node:crypto'
import { readFileSync } from 'node:fs'

// In JavaScript, which every Node runs. Passwords need argon2, which Node has from 24.7.
if (!('argon2' in crypto)) {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  console.error(
    `Lantern needs Node ${engines.node}, and this is ${process.version}: see "Quick start" in README.md.`,
  )
  process.exit(1)
}
