import '@testing-library/jest-dom/vitest'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { doubtConnection } from '#app/api/connection.ts'
import { fakeBff } from './app/fake-bff.ts'

// A page's script is loaded when it is first opened, and pages are drawn in slices: a busy machine takes a while.
configure({ asyncUtilTimeout: 15_000 })

beforeAll(() => fakeBff.listen({ onUnhandledFrame: 'error' }))
// A page that left in doubt would take the next file's for offline.
afterAll(async () => {
  await doubtConnection()
  fakeBff.close()
})

afterEach(() => {
  fakeBff.resetHandlers()
  cleanup()
  localStorage.clear()
  onlineManager.setOnline(true)
})
