import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Half of what they do is to wait, for PostgreSQL and for each other.
    maxWorkers: 3,
    // To load everything anew for each file took a third of the time. Files share no state: each test has a database, a
    // server or a page of its own.
    isolate: false,
    projects: [
      {
        test: {
          name: 'servers',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['src/app/**', 'test/browser/**'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['src/app/**/*.test.{ts,tsx}', 'test/views/**/*.test.tsx'],
          setupFiles: ['test/support/app-setup.ts'],
          testTimeout: 40_000,
        },
      },
    ],
  },
})
