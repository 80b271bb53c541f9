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
    tests: [
      'src/bff/http/guards/{csp-report,guards,network-of,public-url,response-headers,visitor-address}.test.ts',
      'src/bff/http/{read-body,read-input,route-answers,route-limits}.test.ts',
    ],
    isPure: true,
  },
  reader: {
    mutate: ['src/bff/upstream/reader/*.ts', NO_TESTS],
    // Without the shapes by chance: whatever nothing else notices would try all of them.
    tests: [`src/bff/upstream/reader/!(read-any-shape|usual-names).test.ts`],
    isPure: true,
  },
  /** What decides on calls, without the database that it is kept in. */
  quota: {
    mutate: ['src/bff/upstream/quota/{admit-call,budget-state,record-limits,record-outcome,rest-of-day}.ts'],
    tests: [
      'src/bff/upstream/quota/{admit-call,budget-state,record-outcome,reported-limits,rest-of-day}.test.ts',
    ],
    isPure: true,
  },
  ledger: {
    mutate: [
      'src/bff/upstream/quota/{governor,budget-queries,call-queries,ledger-queries,refused-key-queries}.ts',
    ],
    tests: ['src/bff/upstream/quota/{governor,governor-state,clock-jump,refused-key,call-routes}.test.ts'],
  },
  accounts: {
    mutate: [
      'src/bff/accounts/{sign-in/password-rules,oidc/oidc-flow,oidc/oidc-problems,oidc/oidc-rules}.ts',
    ],
    tests: ['src/bff/accounts/{sign-in/password-rules,oidc/oidc-flow,oidc/oidc-rules}.test.ts'],
    isPure: true,
  },
  index: {
    mutate: ['src/bff/store/index/!(read-tallies|threat-index).ts', NO_TESTS],
    tests: ['src/bff/store/index/!(threat-index).test.ts'],
    isPure: true,
  },
  sync: {
    mutate: ['src/bff/store/sync/{after-failure,choose-step,next-step,pace,read-page,reading,backoff}.ts'],
    tests: [
      'src/bff/store/sync/{after-failure,choose-step,data-versions,list-ends,next-step,next-step-effects,pace,read-page,reading,backoff,whole-readings}.test.ts',
    ],
    isPure: true,
  },
  /** Each of these waits for a database: hours, all together. */
  'accounts-stored': sourcesOf('src/bff/accounts'),
  'window-stored': sourcesOf('src/bff/store'),
}

function sourcesOf(folder: string): Part {
  return { mutate: [`${folder}/**/*.ts`, NO_TESTS], tests: [`${folder}/**/*.test.ts`] }
}
