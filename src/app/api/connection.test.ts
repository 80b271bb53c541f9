import { onlineManager } from '@tanstack/react-query'
import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { doubtConnection } from './connection.ts'

test('a connection that drops during a request is noticed, even if the request is answered', async () => {
  onTestFinished(onlineManager.subscribe(() => {}))
  const answered = Promise.withResolvers<void>()
  let requests = 0
  let isGone = true
  fakeBff.use(
    http.get('/healthz', async () => {
      requests += 1
      if (requests > 1) return isGone ? HttpResponse.error() : HttpResponse.text('ok')
      await answered.promise
      return HttpResponse.text('ok')
    }),
  )
  const doubt = doubtConnection()
  await expect.poll(() => requests).toBe(1)
  dispatchEvent(new Event('offline'))
  answered.resolve()
  expect(await doubt).toBe(false)

  await expect.poll(() => onlineManager.isOnline()).toBe(false)
  isGone = false
  dispatchEvent(new Event('online'))
  await expect.poll(() => onlineManager.isOnline()).toBe(true)
})

test('a page that is busy for longer than an answer may take does not lose its connection', async () => {
  const heard: boolean[] = []
  onTestFinished(onlineManager.subscribe((isOnline) => heard.push(isOnline)))
  fakeBff.use(
    http.get('/healthz', async () => {
      const freeAt = performance.now() + 1_200
      while (performance.now() < freeAt);
      // As an answer of the network comes, which is a task of its own, after the timers that are due.
      await new Promise((resolve) => setTimeout(resolve))
      return HttpResponse.text('ok')
    }),
  )

  expect(await doubtConnection()).toBe(false)
  expect(heard).toEqual([])
})
