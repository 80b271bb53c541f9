import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { makeActor, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import { makeCountry, makeCountryList } from '#test/fixtures/country-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const linkTo = (name: string) => screen.findByRole('link', { name })

test('requests a page’s stored data as soon as the pointer is over its link', async () => {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/countries', () => {
      requests.push('countries')
      return HttpResponse.json(makeCountryList([makeCountry('DE', 12)]))
    }),
  )
  const { user } = renderPage('/nowhere')
  await user.hover(await linkTo('Countries'))
  await waitFor(() => expect(requests).toEqual(['countries']))
  await user.click(await linkTo('Countries'))
  expect(await screen.findByRole('row', { name: /Germany/ })).toBeVisible()
  expect(requests).toEqual(['countries'])
})

test('a refused prefetch shows no error on the page that opens', async () => {
  const requests: (string | null)[] = []
  fakeBff.use(
    http.get('/bff/actors', ({ request }) => {
      const background = request.headers.get('x-lantern-background')
      requests.push(background)
      return background ? problem('rate_limited', 429) : HttpResponse.json(makeActorList([makeActor('Ash')]))
    }),
  )
  const { user } = renderPage('/nowhere')
  await user.hover(await linkTo('Actors'))
  await waitFor(() => expect(requests).toEqual(['1']))
  await user.click(await linkTo('Actors'))
  expect(await screen.findByRole('link', { name: 'Ash' })).toBeVisible()
  expect(requests.at(-1)).toBeNull()
})

test('shows a prefetched answer without another request', async () => {
  const requests: (string | null)[] = []
  fakeBff.use(
    http.get('/bff/actors', ({ request }) => {
      requests.push(request.headers.get('x-lantern-background'))
      return HttpResponse.json(makeActorList([makeActor('Ash')]))
    }),
  )
  const { user, router } = renderPage('/nowhere')
  await user.hover(await linkTo('Actors'))
  const { queryClient } = router.options.context
  await waitFor(() => expect(queryClient.getQueriesData({ queryKey: ['actors'] })).toHaveLength(1))
  await user.click(await linkTo('Actors'))
  expect(await screen.findByRole('link', { name: 'Ash' })).toBeVisible()
  expect(requests).toEqual(['1'])
})
