import { describe, expect, test } from 'vitest'
import { join, named } from '#test/support/vendor-shapes/usual-names.ts'
import { readAlertProfile, readAlertProfiles } from './read-alert-profiles.ts'
import { readMetrics } from './read-metrics.ts'

describe('metrics', () => {
  const COUNTS = {
    totalThreats: 'total_threats threats_total threats threat_count threats_count',
    alertsTriggered: 'alerts_triggered triggered_alerts alerts_triggered_count triggered_count',
    alertProfiles:
      'alert_profiles_count alert_profile_count alert_profiles profiles_count total_alert_profiles',
    countriesMonitored: 'countries_monitored monitored_countries countries_count countries',
    requestsToday: 'requests_today today_requests api_usage_today usage_today today',
    requestsThisMonth:
      'requests_this_month month_requests api_usage_this_month api_usage_month usage_month this_month',
  }
  test.each(named(COUNTS))('have $member as $name', ({ member, name }) => {
    expect(readMetrics({ [name]: 12 })).toMatchObject({ [member]: 12 })
  })

  test.each(['last_threat_at', 'last_threat', 'last_threat_date', 'latest_threat_at', 'latest_threat'])(
    'have the last threat as %s',
    (name) => {
      expect(readMetrics({ [name]: '2026-03-10' })?.lastThreatAt).toBe('2026-03-10T00:00:00.000Z')
    },
  )

  test.each(['threat_categories', 'categories', 'threats_by_category', 'by_category'])(
    'have their categories as %s',
    (name) => {
      expect(readMetrics({ [name]: { DDoS: 3 } })?.categories).toEqual([{ name: 'DDoS', count: 3 }])
    },
  )

  test.each(['metrics', 'stats', 'statistics'])('may be in %s', (name) => {
    expect(readMetrics({ [name]: { usage: { today: 3 } } })?.requestsToday).toBe(3)
  })

  test.each([...['meta', 'status', 'success', 'ok', 'message', 'links', 'request_id', 'version', 'error']])(
    'may be in an envelope beside %s',
    (name) => {
      const body = { [name]: 'x', data: { usage: { today: 3 } } }
      expect(readMetrics(body)).toMatchObject({ requestsToday: 3, otherFields: [] })
    },
  )
})

describe('an alert profile', () => {
  const TEXTS = { name: 'name profile_name alert_name title label' }
  test.each(named(TEXTS))('has its $member as $name', ({ member, name }) => {
    expect(readAlertProfile({ id: 'alp_1', [name]: 'the text' })).toMatchObject({ [member]: 'the text' })
  })

  const LISTS = {
    keywords: 'keywords keyword terms watchwords',
    categories: 'categories category threat_categories',
  }
  test.each(named(LISTS))('has its $member as $name', ({ member, name }) => {
    expect(readAlertProfile({ id: 'alp_1', [name]: ['one'] })).toMatchObject({ [member]: ['one'] })
  })

  test.each(['id', 'profile_id', 'alert_profile_id', 'alert_id', 'uuid'])('is known by %s', (name) => {
    expect(readAlertProfile({ [name]: 'alp_1' })?.id).toBe('alp_1')
  })

  const DESTINATIONS = {
    email: join('email emails mail', '- addresses address recipients to'),
    slack: join('slack', '- webhook webhook_url url'),
    teams: join('teams ms_teams microsoft_teams', '- webhook webhook_url url'),
  }
  test.each(named(DESTINATIONS))('tells of its $member as $name', ({ member, name }) => {
    const address = member === 'email' ? 'ada@x.example' : 'https://x.example/abcd'
    const masked = member === 'email' ? ['a…@x.example'] : 'x.example/…'
    expect(readAlertProfile({ id: 'alp_1', [name]: address })?.destinations).toMatchObject({
      [member]: masked,
    })
  })

  test.each(['notifications', 'notification', 'destinations', 'channels', 'notify'])(
    'may have its destinations in %s',
    (name) => {
      const profile = readAlertProfile({ id: 'alp_1', slack: 'not this', [name]: { email: 'ada@x.example' } })
      expect(profile?.destinations).toEqual({ email: ['a…@x.example'], slack: null, teams: null })
    },
  )

  test.each([
    ...join('triggered trigger triggers match hit', 'count total -').split(' '),
    ...['times_triggered', 'alerts_triggered'],
  ])('was triggered as often as %s says', (name) => {
    expect(readAlertProfile({ id: 'alp_1', [name]: 12 })?.triggeredCount).toBe(12)
  })

  test.each(join('created creation added', 'at date time on -').split(' '))(
    'is as old as %s says',
    (name) => {
      const profile = readAlertProfile({ id: 'alp_1', [name]: '2026-03-10' })
      expect(profile?.createdAt).toBe('2026-03-10T00:00:00.000Z')
    },
  )

  test.each(['alert_profiles', 'profiles', 'alerts', 'items', 'records'])('stands in a list: %s', (name) => {
    const body = { others: [{ id: 'not this' }], [name]: [{ id: 'alp_1' }] }
    expect(readAlertProfiles(body)?.profiles).toMatchObject([{ id: 'alp_1' }])
  })

  test.each(['alert_profile', 'profile', 'alert'])('may be in %s', (name) => {
    expect(readAlertProfile({ [name]: { id: 'alp_1' } })?.id).toBe('alp_1')
  })
})
