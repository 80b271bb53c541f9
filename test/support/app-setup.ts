import '@testing-library/jest-dom/vitest'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { fakeBff } from './app/fake-bff.ts'

// A page's script is loaded when it is first opened, and pages are drawn in slices: a busy machine takes a while.
configure({ asyncUtilTimeout: 15_000 })

beforeAll(() => fakeBff.listen({ onUnhandledFrame: 'error' }))
afterAll(() => fakeBff.close())

afterEach(() => {
  fakeBff.resetHandlers()
  cleanup()
  localStorage.clear()
  onlineManager.setOnline(true)
})
