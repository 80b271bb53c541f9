import type { Build } from '#contract/build.ts'

/** Folder and archives of a release are called after the code in it. */
export function nameRelease({ version, commit }: Build): string {
  return `lantern-${version}-${commit}-linux-x64`
}

/** A release has no git: its package.json says which commit it is, in the member that npm publishes it in. */
export function stampPackage(text: string, { commit }: Build): string {
  return `${JSON.stringify({ ...JSON.parse(text), gitHead: commit }, null, 2)}\n`
}
