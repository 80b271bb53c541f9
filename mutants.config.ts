import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** How `npm run test:mutants` runs tests: each file in a world of its own, so that what a module does once is done anew. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts'],
    // PostgreSQL, where the part's copy of the repository has it.
    globalSetup: globSync('test/support/global-setup.ts'),
    // Code that counts its mutants is slow: what measures time, or tries all of Unicode, would fail or last.
    exclude: ['src/**/*-speed.test.ts', 'src/matcher/every-character.test.ts'],
    testTimeout: 30_000,
  },
})
