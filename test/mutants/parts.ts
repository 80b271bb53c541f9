/** What one run changes, and the tests that should notice. */
export type Part = {
  mutate: readonly string[]
  tests: readonly string[]
  /** Of which no test starts a server. */
  isPure?: boolean
}

const NO_TESTS = '!**/*.test.ts'

/** Each takes minutes: a larger one would not be run. */
export const PARTS: Readonly<Record<string, Part>> = {
  matcher: { ...sourcesOf('src/matcher'), isPure: true },
  text: {
    mutate: [
      'src/contract/defang.ts',
      'src/app/format/csv.ts',
      'src/app/features/export/{write-export,threat-columns}.ts',
    ],
    tests: [
      'src/contract/defang.test.ts',
      'src/app/format/csv.test.ts',
      'src/app/features/export/write-export.test.ts',
    ],
    isPure: true,
  },
  guards: {
    mutate: ['src/bff/http/guards/*.ts', 'src/bff/http/{read-input,require-role,route-handler}.ts', NO_TESTS],
    tests: ['src/bff/http/**/*.test.ts'],
  },
  reader: { ...sourcesOf('src/bff/vendor/reader'), isPure: true },
  quota: sourcesOf('src/bff/vendor/quota'),
  window: sourcesOf('src/bff/window'),
  accounts: sourcesOf('src/bff/accounts'),
}

function sourcesOf(folder: string): Part {
  return { mutate: [`${folder}/**/*.ts`, NO_TESTS], tests: [`${folder}/**/*.test.ts`] }
}
