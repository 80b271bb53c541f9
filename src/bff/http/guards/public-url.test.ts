import { expect, test } from 'vitest'
import { createPublicAddress } from './public-url.ts'

test('on a loopback port every loopback name of that port is its own', () => {
  const { hosts, origins } = createPublicAddress('http://localhost:4173', { host: '127.0.0.1', port: 4173 })

  expect([...hosts]).toEqual(['localhost:4173', '127.0.0.1:4173', '[::1]:4173'])
  expect([...origins]).toEqual(['http://localhost:4173', 'http://127.0.0.1:4173', 'http://[::1]:4173'])
})

test('behind a proxy, pages are of the public origin only', () => {
  const { hosts, origins } = createPublicAddress('https://lantern.example', { host: '127.0.0.1', port: 80 })

  expect([...hosts]).toEqual(['lantern.example', 'localhost', '127.0.0.1', '[::1]'])
  expect([...origins]).toEqual(['https://lantern.example'])
})

test('where every interface is listened on, it is known by the public name alone', () => {
  const { hosts, origins } = createPublicAddress('https://lantern.example', { host: '0.0.0.0', port: 443 })

  expect([...hosts]).toEqual(['lantern.example'])
  expect([...origins]).toEqual(['https://lantern.example'])
})

test.each([
  ['https://lantern.example/x', true, false],
  ['http://[::1]:4173', false, true],
  ['https://localhost', true, true],
])('knows whether %s is https, and of this machine', (url, isHttps, isLoopback) => {
  const address = createPublicAddress(url, { host: '127.0.0.1', port: 4173 })
  expect(address).toMatchObject({ isHttps, isLoopback })
})

test('plain http leaves this machine neither by name nor by port', () => {
  expect(() => createPublicAddress('http://lantern.example', { host: '127.0.0.1', port: 1 })).toThrow(
    'PUBLIC_URL must be https, or http on a loopback name',
  )
  expect(() => createPublicAddress('http://localhost:1', { host: '0.0.0.0', port: 1 })).toThrow(
    'HOST must be a loopback address unless PUBLIC_URL is https',
  )
})
