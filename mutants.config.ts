import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** How `npm run test:mutants` runs tests: all files in one world, so that a module loads once. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts'],
    // PostgreSQL, where the part's copy of the repository has it.
    globalSetup: globSync('test/support/global-setup.ts'),
    setupFiles: ['test/mutants/few-examples.ts'],
    // Code that counts its mutants is slow: what measures time, or tries all of Unicode, would fail or last.
    exclude: ['src/**/*-speed.test.ts', 'src/matcher/every-character.test.ts'],
    testTimeout: 30_000,
    isolate: false,
  },
})
