import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Whole installations and days: `npm run test:long`. */
const LONG = 'test/long/**'

export default defineConfig({
  test: {
    // Half of what they do is to wait, for PostgreSQL and for each other.
    maxWorkers: 4,
    // To load everything anew for each file took a third of the time. Files share no state: each test has a database, a
    // server or a page of its own.
    isolate: false,
    // A condition that comes ends its wait, so a long limit costs nothing: machines may be ten times slower.
    expect: { poll: { timeout: 45_000 } },
    projects: [
      {
        test: {
          name: 'servers',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['src/app/**', 'test/browser/**', LONG],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 90_000,
          // Some copy PostgreSQL's 60 MB or start it, beside all others, on a disk that has yet to see them.
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'long',
          environment: 'node',
          include: [LONG],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['src/app/**/*.test.{ts,tsx}', 'test/views/**/*.test.tsx'],
          setupFiles: ['test/support/app-setup.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
